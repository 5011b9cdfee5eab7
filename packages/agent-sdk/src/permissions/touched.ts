import { type Access, canMeet, GAP, gapped, isLiteral, isUnknown, type TreeChange } from "wave-shell-reader";
import { canonicalPath } from "./paths.ts";

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
  /** That it is a file is no more than possible: rules look at it, and hooks are not told. */
  isWord?: true;
  /** Text becomes the file, or is put behind it. */
  text?: true;
}

export interface TouchedFolders {
  /** The shell's folder. */
  cwd: string;
  /**
   * Where a path may lead when links are followed, as far as it exists, the likeliest first; undefined: anywhere. `except`: not
   * through a link that comes to lie there.
   */
  leadsTo: (path: string, except?: string) => readonly string[] | undefined;
  /** Whether a path is certainly no folder. */
  isNoFolder: (path: string) => boolean;
}

/**
 * Places what a command line touches. A path is followed as written, because `..` behind a link is not the folder above it. One
 * that may lead anywhere is that, and what it is called.
 */
export function placeAccess(access: Access, folders: TouchedFolders): Touched[] {
  const { below, shown, through, away, unread, within, isWord, text } = access;
  if (within !== undefined && folders.isNoFolder(within)) return [];
  const rest = {
    access: access.access,
    shown,
    below,
    ...(through ? { through: placedTree(through, folders) } : {}),
    ...(away ? { away } : {}),
    ...(unread === undefined ? {} : { unread }),
    ...(isWord ? { isWord } : {}),
    ...(text ? { text } : {}),
  };
  const anywhere = { ...rest, spellings: [], names: [] };
  const shape = isUnknown(access.path) ? undefined : shapeOf(access.path);
  if (!shape) return [anywhere];
  const { spellings, lost } = spellingsOf(shape.known, folders, within);
  const known = { ...rest, spellings, names: shape.names };
  // Where links lead was looked at on the way, as far as the names are known.
  const named = shape.names.length > 0 ? namesOf(known) : namesOf(known).slice(0, 1);
  return lost || named.some(isOfProcess) ? [known, anywhere] : [known];
}

/** A file or folder that a tool of Wave's own opens. */
export function placePath(
  access: Touched["access"],
  path: string,
  folders: Pick<TouchedFolders, "cwd" | "leadsTo">,
): Touched {
  return { access, shown: path, spellings: spellingsOf(path, folders).spellings, names: [], below: false };
}

/** git can only be asked in one folder: where there are several, nobody knows. */
function placedTree(through: NonNullable<Access["through"]>, { leadsTo }: TouchedFolders) {
  if (through === "archive" || isUnknown(through.folder)) return through;
  return leadsTo(through.folder)?.length === 1 ? through : { ...through, folder: GAP.any };
}

/** The part of a path that is known, and the names behind it; undefined when `..` makes a riddle of them. */
function shapeOf(path: string): { known: string; names: string[] } | undefined {
  const all = path.split("/").filter((name) => name !== "" && name !== ".");
  const gap = all.findIndex((name) => !isLiteral(name));
  if (gap < 0) return { known: path, names: [] };
  const names = all.slice(gap);
  return names.includes("..") ? undefined : { known: `/${all.slice(0, gap).join("/")}`, names };
}

function spellingsOf(
  path: string,
  { cwd, leadsTo }: Pick<TouchedFolders, "cwd" | "leadsTo">,
  except?: string,
): { spellings: string[]; lost: boolean } {
  const names = [...new Set([path, ofProcess(path, cwd)])].map((name) => ({
    name,
    places: leadsTo(name, except),
  }));
  const spellings = names
    .flatMap(({ name, places = [] }) => [name, ...places])
    .map(canonicalPath)
    .filter((spelling) => spelling !== undefined);
  return { spellings: [...new Set(spellings)], lost: names.some(({ places }) => places === undefined) };
}

/** In `/proc/self/cwd` a shell finds its own folder, and Wave would find Wave's. */
function ofProcess(path: string, cwd: string): string {
  return path
    .replace(/^\/+proc\/+(?:self|thread-self|\d+)(?:\/+task\/+\d+)?\/+cwd(?=\/|$)/, () => cwd)
    .replace(/^\/+proc\/+(?:self|thread-self|\d+)(?:\/+task\/+\d+)?\/+root(?=\/|$)/, "");
}

/** Whether names may be those of what a process has open or works in: another name of any place there is. */
function isOfProcess(names: readonly string[]): boolean {
  const may = (at: number, ...all: string[]) => {
    const name = names[at];
    return name !== undefined && name !== ANY_DEPTH && all.some((one) => canMeet(gapped(name), [one]));
  };
  if (may(0, "dev") && may(1, "fd", "stdin", "stdout", "stderr"))
    return names.length > (may(1, "fd") ? 3 : 2);
  if (!may(0, "proc")) return false;
  const at = may(2, "task") ? 4 : 2;
  if (may(at, "cwd", "root")) return true;
  // What the shell itself has opened was opened elsewhere on the line.
  const own = names[1] === "self" && names.length === at + 2 && isLiteral(names[at + 1] ?? "");
  return may(at, "fd", "map_files") && names.length > at + 1 && !own;
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
