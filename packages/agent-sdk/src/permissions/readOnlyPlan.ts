import { isInside } from "./paths.ts";
import type { Mount, SandboxPlan } from "./sandbox.ts";

/** What a command meets that may do no more than read. All paths are absolute and without links. */
export interface ReadOnlyPlace {
  cwd: string;
  asRoot: boolean;
  /** The system's own folders, with everything in them. Undefined where the project is the whole disk: then all of it is there. */
  system?: readonly string[];
  /** Links by which folders and programs are found. */
  links?: readonly { path: string; to: string }[];
  /** Folders in which programs put things for a while: an empty one of the command's own takes their place. */
  temporary: readonly string[];
  /** Folders that are empty for it: other programs listen there. */
  closed: readonly string[];
  /** What has to be there although it lies in one of those: the project, for example. */
  kept: readonly string[];
  /** What must not be seen: files that rules keep back, sockets and pipes. */
  hidden: readonly HiddenPlace[];
  /** The only files that stay what they write in them: Wave reads there in which folder a shell ended. */
  written: readonly string[];
}

export interface HiddenPlace {
  path: string;
  isFolder: boolean;
}

export const hiddenMount = ({ path, isFolder }: HiddenPlace): Mount => ({
  path,
  as: isFolder ? "hidden-folder" : "hidden-file",
});

/**
 * The system and the project are there, nothing can be written, no network, and no file that is kept back. What the project lies in
 * cannot be emptied, and what lies in an emptied folder needs no place of its own.
 */
export function readOnlyPlan(place: ReadOnlyPlace): SandboxPlan {
  const { cwd, asRoot, kept, written, system, links = [] } = place;
  const canBeEmptied = (folder: string) => !kept.some((path) => isInside(folder, path) && folder === path);
  const temporary = place.temporary.filter(canBeEmptied);
  const emptied = [...temporary, ...place.closed.filter(canBeEmptied)];
  const isEmptied = (path: string) => emptied.some((folder) => isInside(folder, path));
  const isOfSystem = (path: string) => system?.some((folder) => isInside(folder, path)) ?? true;
  const shown = outermost(kept.filter((path) => isEmptied(path) || !isOfSystem(path)));
  const isGone = (path: string) =>
    (isEmptied(path) || !isOfSystem(path)) && !shown.some((folder) => isInside(folder, path));
  // Where a command starts has to be there, if only as an empty folder.
  const start = cwd !== "/" && isGone(cwd) && !emptied.includes(cwd) ? [{ path: cwd, isFolder: true }] : [];
  const hidden = [...place.hidden.filter(({ path }) => !isGone(path)), ...start];
  const folders = hidden.flatMap(({ path, isFolder }) => (isFolder ? [path] : []));
  const mounts: Mount[] = [
    ...outermost(system ?? []).map((path): Mount => ({ path, as: "read-only" })),
    ...links.filter(({ path }) => isGone(path)).map((link): Mount => ({ ...link, as: "link" })),
    ...outermost(temporary).map((path): Mount => ({ path, as: "private-folder" })),
    ...outermost(place.closed.filter(canBeEmptied)).map((path): Mount => ({ path, as: "hidden-folder" })),
    ...shown.map((path): Mount => ({ path, as: "read-only" })),
    ...outermost(folders).map((path) => hiddenMount({ path, isFolder: true })),
    ...hidden
      .filter(({ path, isFolder }) => !isFolder && !folders.some((folder) => isInside(folder, path)))
      .map(hiddenMount),
    ...written.map((path): Mount => ({ path, as: "writable" })),
  ];
  return { mounts, network: false, asRoot, cwd, onlyReads: true, startsEmpty: system !== undefined };
}

/** Those that lie in none of the others. */
function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isInside(other, path)));
}
