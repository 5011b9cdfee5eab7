import type { Access } from "./analysis/call.ts";
import { GAP, isLiteral, isUnknown } from "./analysis/gaps.ts";
import { canonicalPath } from "./paths.ts";
import type { TreeChange } from "./treeChange.ts";

/** A file or folder that a call touches, placed on the disk. */
export interface Touched {
  access: "read" | "write" | "unknown";
  /** For people. */
  shown: string;
  /** Every name of the place, as far as it is known: as written, and where links lead. None: it may be anywhere. */
  spellings: readonly string[];
  /** Names behind that, with gaps (`*.ts`); empty when the spellings are the place itself. */
  names: readonly string[];
  /** Also what lies in it. */
  below: boolean;
  /** An archive or a patch writes whatever is in it, git what another state of the work tree has. */
  through?: "archive" | TreeChange;
  /** It is moved or removed: under another name no rule about reading would know it. */
  away?: true;
  /** Why the line was not read to its end, where that is all that is known. */
  unread?: string;
}

export interface TouchedFolders {
  /** The shell's folder. */
  cwd: string;
  /** Where a path leads when links are followed; as far as it exists. */
  realPath: (path: string) => string;
}

/** Places what a command line touches. A path is followed as written, because `..` behind a link is not the folder above it. */
export function placeAccess(access: Access, folders: TouchedFolders): Touched {
  const { below, shown, through, away, unread } = access;
  const rest = {
    access: access.access,
    shown,
    below,
    ...(through ? { through } : {}),
    ...(away ? { away } : {}),
    ...(unread === undefined ? {} : { unread }),
  };
  const shape = isUnknown(access.path) ? undefined : shapeOf(access.path);
  if (!shape) return { ...rest, spellings: [], names: [] };
  return { ...rest, spellings: spellingsOf(shape.known, folders), names: shape.names };
}

export function placePath(access: "read" | "write", path: string, folders: TouchedFolders): Touched {
  return { access, shown: path, spellings: spellingsOf(path, folders), names: [], below: false };
}

/** The part of a path that is known, and the names behind it; undefined when `..` makes a riddle of them. */
function shapeOf(path: string): { known: string; names: string[] } | undefined {
  const all = path.split("/").filter((name) => name !== "" && name !== ".");
  const gap = all.findIndex((name) => !isLiteral(name));
  if (gap < 0) return { known: path, names: [] };
  const names = all.slice(gap);
  return names.includes("..") ? undefined : { known: `/${all.slice(0, gap).join("/")}`, names };
}

function spellingsOf(path: string, { cwd, realPath }: TouchedFolders): string[] {
  const names = [path, ofProcess(path, cwd)].flatMap((name) => [
    canonicalPath(name),
    canonicalPath(realPath(name)),
  ]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** In `/proc/self/cwd` a shell finds its own folder, and Wave would find Wave's. */
function ofProcess(path: string, cwd: string): string {
  return path
    .replace(/^\/+proc\/+(?:self|thread-self|\d+)(?:\/+task\/+\d+)?\/+cwd(?=\/|$)/, () => cwd)
    .replace(/^\/+proc\/+(?:self|thread-self|\d+)(?:\/+task\/+\d+)?\/+root(?=\/|$)/, "");
}

/** The names of every spelling, gaps included. */
export function namesOf(touched: Touched): string[][] {
  return touched.spellings.map((path) => [
    ...path.split("/").filter((name) => name !== ""),
    ...touched.names,
  ]);
}

/** What a hook is told: the deepest place that is known, and that it is not all of it. */
export function isPartly({ names, below }: Touched): boolean {
  return below || names.length > 0;
}

/** Every folder at any depth, as a name. */
export const ANY_DEPTH = GAP.folders;
