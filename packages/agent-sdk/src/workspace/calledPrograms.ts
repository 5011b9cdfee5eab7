import { basename, delimiter, resolve } from "node:path";
import type { HookDefinition } from "../hooks/definition.ts";
import { isInside } from "../permissions/paths.ts";
import { CALLED, type ProgramFolder, type ProgramPlaces } from "../permissions/programPlaces.ts";
import type { OwnPlace } from "../permissions/protectedPaths.ts";
import { namesIn, programOnPath, realPath, statOf } from "./files/fileFacts.ts";
import { fileStart } from "./files/plainFile.ts";
import { isOfSystem, namedBy, scriptsOf } from "./trust/hookScripts.ts";

/** The programs that hooks call by name: a file of that name earlier on the PATH would decide in their place. */
export class CalledPrograms {
  readonly #projectDir: string;
  readonly #home: string;
  readonly #path: string | undefined;
  readonly #hooks: () => readonly HookDefinition[];
  /** By the command of a hook: the names that it and its scripts call. */
  readonly #names = new Map<string, readonly string[]>();
  /** By PATH and name: where the program really lies. What a session began with is what is protected. */
  readonly #found = new Map<string, string | undefined>();
  readonly #folders = new Map<string, readonly ProgramFolder[]>();

  constructor(options: {
    projectDir: string;
    home: string;
    path: string | undefined;
    hooks: () => readonly HookDefinition[];
  }) {
    this.#projectDir = options.projectDir;
    this.#home = options.home;
    this.#path = options.path;
    this.#hooks = options.hooks;
  }

  get places(): ProgramPlaces {
    const folders = [...new Set([this.#path, ...this.#hooks().map(({ env }) => env?.["PATH"])])]
      .filter((path) => path !== undefined)
      .flatMap((path) => this.#foldersOn(path));
    return {
      folders,
      isCalled: (name, orInProject) =>
        folders.some(({ path, inProject }) => (orInProject || !inProject) && isProgram(`${path}/${name}`)) ||
        this.#hooks().some((hook) => this.#namesOf(hook).includes(name)),
    };
  }

  /** Where a program that a hook names lies, when that is no folder of the PATH but one that a link there leads to. */
  get ofHooks(): OwnPlace[] {
    return this.#hooks().flatMap((hook) => {
      const path = hook.env?.["PATH"] ?? this.#path;
      return this.#namesOf(hook)
        .map((name) => this.#realProgram(name, path))
        .filter((file) => file !== undefined)
        .map((file) => ({ path: file, why: `hook ${hook.name} runs it` }));
    });
  }

  /** A hard link is a second name of one file: the program whose other name a path is. */
  otherName(path: string): OwnPlace | undefined {
    const stats = statOf(path);
    if (!stats?.isFile() || stats.nlink < 2) return undefined;
    for (const { path: folder } of this.places.folders) {
      const twin = namesIn(folder).find((name) => {
        const other = statOf(`${folder}/${name}`);
        return other?.ino === stats.ino && other.dev === stats.dev && `${folder}/${name}` !== path;
      });
      if (twin !== undefined) return { path: `${folder}/${twin}`, why: CALLED };
    }
    return undefined;
  }

  #foldersOn(path: string): readonly ProgramFolder[] {
    const known = this.#folders.get(path);
    if (known) return known;
    // Hooks start in the project: there an empty or relative entry leads.
    const named = path.split(delimiter).map((entry) => resolve(this.#projectDir, entry));
    const projects = [this.#projectDir, realPath(this.#projectDir)];
    const folders = [...new Set(named.flatMap((folder) => [folder, realPath(folder)]))].map((folder) => ({
      path: folder,
      inProject: projects.some((project) => isInside(project, folder)),
      ofSystem: isOfSystem(`${folder}/`),
    }));
    this.#folders.set(path, folders);
    return folders;
  }

  #namesOf({ action }: HookDefinition): readonly string[] {
    const { command } = action;
    if (command === undefined) return [];
    const known = this.#names.get(command);
    if (known) return known;
    const place = { projectDir: this.#projectDir, home: this.#home };
    const called = [...namedBy(command, place).programs, ...scriptsOf(command, place).map(interpreterOf)];
    const names = [...new Set(called.filter((name) => name !== "" && !name.includes("/")))];
    this.#names.set(command, names);
    return names;
  }

  #realProgram(name: string, path: string | undefined): string | undefined {
    const key = `${path}\0${name}`;
    if (!this.#found.has(key)) {
      const file = programOnPath(name, path);
      const real = file && realPath(file);
      this.#found.set(key, real === file ? undefined : real);
    }
    return this.#found.get(key);
  }
}

/** What the `#!` line of a script has the system look for; empty when it has none, or names a path. */
function interpreterOf(script: string): string {
  const [line = ""] = fileStart(script, 256)?.toString("latin1").split("\n") ?? [];
  const [program = "", ...words] = line.replace(/^#!\s*/, "").split(/\s+/);
  if (!line.startsWith("#!") || basename(program) !== "env") return "";
  return words.find((word) => !word.startsWith("-") && !word.includes("=")) ?? "";
}

function isProgram(path: string): boolean {
  const stats = statOf(path);
  return stats?.isFile() === true && (stats.mode & 0o111) !== 0;
}
