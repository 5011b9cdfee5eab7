import { dirname, join, relative } from "node:path";
import { hookIdOf, type HookDefinition } from "../hooks/definition.ts";
import { isInside } from "../permissions/paths.ts";
import { folderStampOf } from "./settings/configFiles.ts";
import { exists, namesIn, realPath } from "./files/fileFacts.ts";
import { EXEMPT, foldersBelow, foldersUp, isFolder } from "./trust/codeFolder.ts";
import { isLoadedBy, PYTHON } from "./trust/languages.ts";
import { loadsFromItsPlace } from "./trust/loadedCode.ts";
import { pinnedFiles, type ReadFile } from "./trust/pinnedFiles.ts";
import type { Configuration } from "./configuration.ts";

interface CodeOfHook {
  hook: string;
  command: string;
  /** All that its approval covers. */
  files: ReadonlySet<string>;
  folders: readonly string[];
}

/** The folders from which approved hooks of a project load code: what appears in one is a change of the hook (G19, G28). */
export class CodeFolders {
  readonly #projectDir: string;
  #hooks: CodeOfHook[];
  /** Undefined: to be looked at again, whatever the folder says. */
  readonly #stamps = new Map<string, string | undefined>();

  constructor({ project, projectDir, hooks }: Pick<Configuration, "project" | "projectDir" | "hooks">) {
    this.#projectDir = projectDir;
    const copied = new Set(
      hooks.flatMap((hook) => {
        const { action } = hook;
        return action.runs !== undefined && !action.loadsLive ? [hookIdOf(hook)] : [];
      }),
    );
    this.#hooks = (project?.items ?? []).flatMap(({ item, files, state }) => {
      if (item.kind !== "hook" || state !== "reviewed") return [];
      const { command } = item.hook.action;
      if (command === undefined) return [];
      const paths = new Set(files.map(({ path }) => join(projectDir, path)));
      const folders = foldersOf(command, files, projectDir);
      return [{ hook: hookIdOf(item.hook), command, files: paths, folders }];
    });
    for (const { hook, folders } of this.#hooks) {
      for (const folder of folders) {
        // What runs in the project itself is looked at once more: something may have come since it was read.
        if (copied.has(hook) && !this.#stamps.has(folder)) this.#stamps.set(folder, folderStampOf(folder));
        else if (!copied.has(hook)) this.#stamps.set(folder, undefined);
      }
    }
  }

  /** Files that hooks would load and that are no part of what was approved. Costs one look per folder when none changed. */
  appeared(): { file: string; hooks: string[] }[] {
    const changed = new Set<string>();
    for (const [folder, stamp] of this.#stamps) {
      const now = folderStampOf(folder);
      if (now !== undefined && now === stamp) continue;
      changed.add(folder);
      this.#stamps.set(folder, now);
    }
    if (changed.size === 0) return [];
    const found = new Map<string, string[]>();
    this.#hooks = this.#hooks.map((one) => {
      if (!one.folders.some((folder) => changed.has(folder))) return one;
      const files = pinnedFiles(one.command, this.#projectDir);
      const paths = files.map(({ path }) => join(this.#projectDir, path));
      for (const file of paths.filter((path) => !one.files.has(path)))
        found.set(file, [...(found.get(file) ?? []), one.hook]);
      const folders = [...new Set([...one.folders, ...foldersOf(one.command, files, this.#projectDir)])];
      for (const folder of folders) if (!this.#stamps.has(folder)) this.#stamps.set(folder, undefined);
      return { ...one, files: new Set([...one.files, ...paths]), folders };
    });
    return [...found].map(([file, hooks]) => ({ file, hooks }));
  }
}

/** Those of the files and above them, and where what lies below a folder counts, those below it. */
function foldersOf(command: string, files: readonly ReadFile[], projectDir: string): string[] {
  const folders = new Set<string>();
  for (const { path, loading } of files) {
    const folder = dirname(join(projectDir, path));
    for (const one of foldersUp(folder, projectDir)) folders.add(one);
    if (loading?.whole && folder !== projectDir)
      for (const { inner } of foldersBelow(folder)) folders.add(inner);
  }
  // Any folder there may become a package.
  const looksThere = ({ path, loading, loadsLive }: ReadFile) =>
    loadsLive || (loading?.languages.includes(PYTHON) && dirname(path) === ".");
  if (loadsFromItsPlace(command) || files.some(looksThere)) {
    const inner = namesIn(projectDir).filter((name) => !name.startsWith(".") && !EXEMPT.has(name));
    for (const one of [projectDir, ...inner.map((name) => join(projectDir, name)).filter(isFolder)])
      folders.add(one);
  }
  return [...folders];
}

/**
 * Whether nothing that happens to a file reaches a hook. Not where Python looks into the project first, nor where a link of
 * the copy leads to a folder that has code by now.
 */
export function runsCopyOf({ action }: HookDefinition, file: string, projectDir: string): boolean {
  if (action.copy === undefined || !isInside(projectDir, file)) return false;
  if (action.loadsLive && isLoadedBy([PYTHON], file)) return false;
  const there = join(action.copy, relative(projectDir, file));
  return !exists(there) || !isInside(realPath(projectDir), realPath(there));
}
