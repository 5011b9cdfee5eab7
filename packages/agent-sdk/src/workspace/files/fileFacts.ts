import {
  accessSync,
  constants,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { MadeLink } from "wave-shell-reader";
import { MOST_STEPS_FOR_CALL, placesReached } from "../../permissions/links.ts";

/** What is on the disk at a path, for decisions about it. Nothing here throws: what cannot be seen is not there. */

/**
 * Where a path really leads, as the kernel goes: `..` behind a link is the folder above the one it leads to. What does not exist
 * yet is placed by the folder that does, also behind a link to nowhere.
 */
export function realPath(path: string): string {
  return followed(isAbsolute(path) ? path : `${process.cwd()}/${path}`, MOST_LINKS) ?? resolve(path);
}

/** As many as the kernel follows. */
const MOST_LINKS = 40;

/** Undefined for a path that leads round in a circle. */
function followed(path: string, linksLeft: number): string | undefined {
  try {
    // The other one of Node's takes `..` out of the text before it looks.
    return realpathSync.native(path);
  } catch {
    // ENOENT, EACCES, ELOOP: as far as it can be followed.
  }
  const bare = path.replace(/\/+$/, "");
  if (bare === "" || linksLeft === 0) return bare === "" ? "/" : undefined;
  const folder = followed(dirname(bare), linksLeft);
  const target = linkAt(bare);
  if (folder === undefined) return undefined;
  if (target !== undefined)
    return followed(isAbsolute(target) ? target : `${folder}/${target}`, linksLeft - 1);
  return resolve(folder, basename(bare));
}

/**
 * Every place that an absolute path of a command line may lead to, with the links that the line makes; undefined: anywhere.
 * `except`: not through a link that it makes there. For one look at the disk: what was seen once is not looked up again.
 */
export function placesFor(
  made: readonly MadeLink[],
): (path: string, except?: string) => readonly string[] | undefined {
  const seen = new Map<string, string | undefined>();
  const look = (path: string) => {
    if (!seen.has(path)) seen.set(path, linkAt(path));
    return seen.get(path);
  };
  const left = { steps: MOST_STEPS_FOR_CALL };
  return (path, except) => {
    const others = made.filter(
      ({ at }) => except === undefined || at.known !== except || at.names.length > 0,
    );
    return placesReached(path, look, others, left);
  };
}

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    // EACCES, ENOTDIR, a NUL byte in it: nothing that could be followed.
    return undefined;
  }
}

/** Whether there is a link, wherever it leads. */
export const isLink = (path: string) => linkAt(path) !== undefined;

/** Also a link that leads nowhere is there. */
export function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The same of a word that may be no path at all. In a folder into which Wave cannot look it may be there. */
export function mayExist(path: string): boolean {
  try {
    return exists(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}

export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // EACCES, ELOOP, a NUL byte in it.
    return undefined;
  }
}

/** Whether this user may run the file, or enter the folder. False also where there is nothing. */
export const mayExecute = (path: string) => mayAccess(path, constants.X_OK);

export const mayRead = (path: string) => mayAccess(path, constants.R_OK);

function mayAccess(path: string, how: number): boolean {
  try {
    accessSync(path, how);
    return true;
  } catch {
    // ENOENT, EACCES and their relatives: the only question asked.
    return false;
  }
}

/** Also when it is gone. */
export function changedSince(path: string, moment: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || stats.ctimeMs >= moment;
}

/** The files in a folder and below it, at most so many. */
export function filesBelow(folder: string, most: number): string[] {
  const found: string[] = [];
  const waiting = [folder];
  for (let next = waiting.shift(); next !== undefined && found.length < most; next = waiting.shift()) {
    for (const entry of entriesOf(next)) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else found.push(path);
    }
  }
  return found.slice(0, most);
}

/** Everything in a folder and below it as paths from there, links marked and not followed; undefined when it is more than that. */
export function treeBelow(folder: string, most: number): { path: string; isLink: boolean }[] | undefined {
  const found: { path: string; isLink: boolean }[] = [];
  const waiting = [""];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of entriesOf(join(folder, next))) {
      const path = next === "" ? entry.name : `${next}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(path);
      if (found.push({ path, isLink: entry.isSymbolicLink() }) > most) return undefined;
    }
  }
  return found;
}

export function namesIn(folder: string): string[] {
  return entriesOf(folder).map(({ name }) => name);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not a folder, or not ours to see.
    return [];
  }
}

/** The program that a name on a command line would start, as the PATH says. */
export function programOnPath(name: string, path: string | undefined): string | undefined {
  for (const folder of (path ?? "").split(delimiter)) {
    // An empty or relative entry is the working folder: whatever lies there is no program of the system.
    const file = isAbsolute(folder) ? join(folder, name) : undefined;
    if (file === undefined) return undefined;
    const stats = statOf(file);
    if (stats?.isFile() && (stats.mode & 0o111) !== 0) return file;
  }
  return undefined;
}
