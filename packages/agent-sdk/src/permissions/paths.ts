import { posix } from "node:path";

export interface Folders {
  cwd: string;
  home: string;
}

/**
 * The one spelling under which a path is compared: absolute, without `.`, `..`, `//` or a slash at the end. Undefined for
 * what is no usable path: a relative one, or one with a NUL byte, at which the operating system would stop reading.
 */
export function canonicalPath(path: string): string | undefined {
  if (path.includes("\0") || !path.startsWith("/")) return undefined;
  const normal = posix.normalize(path);
  return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}

/**
 * The names between a folder and a path in it; empty for the folder itself, undefined when the path is not in it. Compared
 * name by name, because a comparison of text would take `/proj-evil` for a part of `/proj`.
 */
export function namesBelow(folder: string, path: string): string[] | undefined {
  const outer = namesOf(folder);
  const inner = namesOf(path);
  if (!outer || !inner || !outer.every((name, at) => inner[at] === name)) return undefined;
  return inner.slice(outer.length);
}

/** Whether a path is the folder or lies in it. Links are the caller's to resolve. */
export function isInside(folder: string, path: string): boolean {
  return namesBelow(folder, path) !== undefined;
}

/**
 * A path as somebody wrote it, made absolute. `~` and `~/x` are the home folder; `~bob` is a file of that name, because no
 * shell stands between Wave and the file system that would read it otherwise.
 */
export function absolutePath(text: string, folders: Folders): { path: string } | { problem: string } {
  if (text === "") return { problem: "The path is empty; name a file or a folder." };
  if (text.includes("\0"))
    return { problem: "The path contains a NUL byte, which no file name can; leave it out." };
  const expanded = text === "~" || text.startsWith("~/") ? `${folders.home}/${text.slice(2)}` : text;
  const path = canonicalPath(expanded.startsWith("/") ? expanded : `${folders.cwd}/${expanded}`);
  if (path === undefined)
    return { problem: `The folder ${folders.cwd} is not absolute, so ${text} cannot be placed.` };
  return { path };
}

function namesOf(path: string): string[] | undefined {
  return canonicalPath(path)
    ?.split("/")
    .filter((name) => name !== "");
}
