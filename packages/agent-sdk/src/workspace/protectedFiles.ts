import { join } from "node:path";
import type { TreeChange } from "wave-shell-reader";
import type { HookDefinition } from "../hooks/definition.ts";
import { cameOutText, protectedFinder, protectedHits } from "../permissions/protectedHits.ts";
import {
  placesIn,
  type OwnPlace,
  type ProtectedHit,
  type ProtectedPlaces,
} from "../permissions/protectedPaths.ts";
import type { Touched } from "../permissions/touched.ts";
import type { BroughtFiles, TreeDifference } from "../permissions/treeDifference.ts";
import { exists, filesBelow, realPath, statOf } from "./files/fileFacts.ts";
import { hookFoldersOf, repositoryAt } from "./git/gitFacts.ts";
import { filesBrought, watchHead, type GitPlace } from "./git/gitTree.ts";
import { filesNamedBy, isScript } from "./trust/hookScripts.ts";
import { once } from "../utils/once.ts";
import { CalledPrograms } from "./calledPrograms.ts";
import type { SourceFile } from "./settings/sources.ts";

/** Folders with more protected files than this are not searched to the end; their names are protected all the same. */
const MOST_FILES = 300;

/** What of this machine is protected in a session, and whether a call would write any of it. */
export class ProtectedFiles {
  readonly #projectDir: string;
  /** The person's home. */
  readonly #home: string;
  /** $WAVE_HOME. */
  readonly #waveHome: string;
  readonly #settingsFiles: readonly Pick<SourceFile, "scope" | "file">[];
  readonly #hooks: () => readonly HookDefinition[];
  readonly #programs: CalledPrograms;

  constructor(options: {
    projectDir: string;
    home: string;
    waveHome: string;
    settingsFiles: readonly Pick<SourceFile, "scope" | "file">[];
    /** The hooks in force: their scripts are protected wherever they lie. */
    hooks: () => readonly HookDefinition[];
    /** Where the shells of commands and hooks look for programs. */
    path: string | undefined;
  }) {
    this.#projectDir = options.projectDir;
    this.#home = options.home;
    this.#waveHome = options.waveHome;
    this.#settingsFiles = options.settingsFiles;
    this.#hooks = options.hooks;
    this.#programs = new CalledPrograms(options);
  }

  /** Wave's own places, and the scripts that hooks run. */
  get own(): readonly OwnPlace[] {
    return this.#own();
  }

  /** Asks git which files a call would bring into another state. Costs nothing for a call that does no such thing. */
  async lookAhead(
    touched: readonly Touched[],
    place: Pick<GitPlace, "env" | "signal">,
  ): Promise<BroughtFiles> {
    const brought = new Map<string, TreeDifference>();
    const changes = touched.filter(changesTree);
    const keyOf = (change: TreeChange, at: string | undefined) => JSON.stringify([change, at]);
    const answer: BroughtFiles = (change, at) => brought.get(keyOf(change, at));
    if (changes.length === 0) return answer;
    const asked = this.#gitPlace(place);
    for (const { through, spellings } of changes) {
      const key = keyOf(through, spellings[0]);
      if (!brought.has(key)) brought.set(key, await filesBrought(through, spellings, asked));
    }
    return answer;
  }

  /**
   * Notes where git is before a call is judged. Once it has run it says which protected files are others now and were not in the
   * question: a fetch, or somebody who moved a branch meanwhile, brings what nobody looked at. One sentence for each work tree.
   */
  async watchTrees(
    touched: readonly Touched[],
    env: GitPlace["env"],
  ): Promise<(brought: BroughtFiles) => Promise<string[]>> {
    const place = this.#gitPlace({ env });
    const changes = touched.filter(changesTree);
    const folders = [...new Set(changes.map(({ through }) => through.folder))];
    const watched = await Promise.all(
      folders.map(async (folder) => ({ folder, look: await watchHead({ folder }, place) })),
    );
    return async (brought) => {
      const told = await Promise.all(
        watched.map(async ({ folder, look }) => {
          const here = changes.filter(({ through }) => through.folder === folder);
          const last = here.findLast(({ through }) => through.fetches) ?? here.at(-1);
          if (!last) return undefined;
          const judged = brought(last.through, last.spellings[0]);
          return cameOutText(last.through, await look(), { judged, asked: askedAbout(touched, brought) });
        }),
      );
      return told.filter((text) => text !== undefined);
    };
  }

  #gitPlace(place: Pick<GitPlace, "env" | "signal">): GitPlace {
    const whyProtected = once(() =>
      protectedFinder({ own: this.#ownAndComing(), programs: this.#programs.places }),
    );
    return {
      ...place,
      projectDir: this.#projectDir,
      concerns: (path) => whyProtected()(path) !== undefined,
    };
  }

  hits(touched: readonly Touched[], brought: BroughtFiles): ProtectedHit[] {
    if (touched.every(({ access }) => access === "read")) return [];
    const own = touched.some(changesTree) ? this.#ownAndComing() : this.#own();
    const files = once(() => this.#files(own));
    const places: ProtectedPlaces = {
      own,
      roots: [...new Set([this.#projectDir, realPath(this.#projectDir), this.#home, realPath(this.#home)])],
      exists,
      files,
      brought,
      programs: this.#programs.places,
      otherName: (path) => otherNameOf(path, files) ?? this.#programs.otherName(path),
    };
    return protectedHits(touched, places);
  }

  /** Also the scripts that a hook names and that are not there: what comes under that name it would run. */
  #ownAndComing(): OwnPlace[] {
    const coming = this.#hooks().flatMap(({ action, name }) =>
      this.#namedBy(action.command)
        .filter((path) => !exists(path))
        .map((path) => ({ path, why: `hook ${name} would run it` })),
    );
    return [...this.#own(), ...withRealPaths(coming)];
  }

  #own(): OwnPlace[] {
    const repository = repositoryAt(this.#projectDir);
    const hookFolders = repository ? hookFoldersOf(repository) : [];
    const places: OwnPlace[] = [
      ...this.#settingsFiles.map(({ file: path }) => ({ path, why: "it is a settings file of Wave" })),
      { path: this.#waveHome, why: "Wave keeps its settings, approvals and sessions there" },
      ...this.#pluginFolders(),
      ...this.#scripts(),
      ...this.#programs.ofHooks,
      ...hookFolders.map((path) => ({ path, why: "git runs its hooks from there" })),
    ];
    return withRealPaths(places);
  }

  /** Of those that were given for this run: the others lie in Wave's own folder. */
  #pluginFolders(): OwnPlace[] {
    const roots = this.#hooks().flatMap(({ env }) => env?.["CLAUDE_PLUGIN_ROOT"] ?? []);
    return [...new Set(roots)].map((path) => ({
      path,
      why: "a plugin lies there, and its hooks run from there",
    }));
  }

  #scripts(): OwnPlace[] {
    return this.#hooks().flatMap(({ action, name }) =>
      this.#namedBy(action.command)
        .filter(isScript)
        .map((path) => ({ path, why: `hook ${name} runs it` })),
    );
  }

  #namedBy(command: string | undefined): readonly string[] {
    return command === undefined
      ? []
      : filesNamedBy(command, { projectDir: this.#projectDir, home: this.#home });
  }

  /** Every protected file that is there. git's own data are not: nobody runs them. */
  #files(own: readonly OwnPlace[]): OwnPlace[] {
    const rows = [this.#projectDir, this.#home].flatMap(placesIn).filter(({ path }) => exists(path));
    return [...own, ...rows].flatMap(({ path, why }) => {
      if (statOf(path)?.isDirectory() !== true) return [{ path, why }];
      const inner = path.endsWith("/.git")
        ? [join(path, "hooks"), join(path, "config"), join(path, "config.worktree")]
        : [path];
      return inner
        .flatMap((part) => (statOf(part)?.isDirectory() ? filesBelow(part, MOST_FILES) : [part]))
        .map((file) => ({ path: file, why }));
    });
  }
}

function changesTree(touched: Touched): touched is Touched & { through: TreeChange } {
  return typeof touched.through === "object";
}

/** The files that a question about a call could name: those that it writes itself, and those that git brings. */
function askedAbout(touched: readonly Touched[], brought: BroughtFiles): Set<string> {
  const paths = touched.flatMap((one) => {
    if (!changesTree(one)) return one.access === "read" ? [] : one.spellings;
    const judged = brought(one.through, one.spellings[0]);
    return judged?.known ? judged.files.map(({ path }) => path) : [];
  });
  return new Set(paths);
}

function withRealPaths(places: readonly OwnPlace[]): OwnPlace[] {
  return places.flatMap((place) => {
    const real = realPath(place.path);
    return real === place.path ? [place] : [place, { ...place, path: real }];
  });
}

/** A hard link is a second name of one file, and no path tells. */
function otherNameOf(path: string, files: () => readonly OwnPlace[]): OwnPlace | undefined {
  const stats = statOf(path);
  if (!stats?.isFile() || stats.nlink < 2) return undefined;
  return files().find((file) => {
    const other = statOf(file.path);
    return other?.ino === stats.ino && other.dev === stats.dev && file.path !== path;
  });
}
