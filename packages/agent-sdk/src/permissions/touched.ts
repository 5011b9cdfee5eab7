import type { Access, PathName, TreeChange } from "wave-shell-reader";
import { canonicalPath } from "./paths.ts";

/** A file or folder that a call touches, placed on the disk. */
export interface Touched {
  access: "read" | "write" | "unknown";
  /** For people. */
  shown: string;
  /** Every name of the place, as far as it is known: as written, and where links lead. None: it may be anywhere. */
  spellings: readonly string[];
  /** Names behind that, of which not all is known (`*.ts`); empty when the spellings are the place itself. */
  names: readonly PathName[];
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
  /** Nothing is asked but whether it is there: no rule is about that, but the project ends somewhere. */
  onlyLooks?: true;
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
  const { below, shown, through, away, unread, within, isWord, text, onlyLooks } = access;
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
    ...(onlyLooks ? { onlyLooks } : {}),
  };
  const anywhere = { ...rest, spellings: [], names: [] };
  const { known, names } = access.path;
  if (known === undefined || isTooLong(known)) return [anywhere];
  const { spellings, lost } = spellingsOf(known, folders, within);
  const place = { ...rest, spellings, names };
  // Where links lead was looked at on the way, as far as the names are known.
  const named = names.length > 0 ? namesOf(place) : namesOf(place).slice(0, 1);
  return lost || named.some(isOfProcess) ? [place, anywhere] : [place];
}

/** The system opens no such path, and comparing it with every rule would take long. */
const LONGEST_PATH = 4_096;
const MOST_NAMES = 256;

const isTooLong = (path: string) => path.length > LONGEST_PATH || path.split("/").length > MOST_NAMES;

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
  if (through === "archive" || through.folder === undefined) return through;
  return leadsTo(through.folder)?.length === 1 ? through : { ...through, folder: undefined };
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
function isOfProcess(names: readonly PathName[]): boolean {
  const may = (at: number, ...all: string[]) => {
    const name = names[at];
    return name !== undefined && !isAnyDepth(name) && all.some((one) => couldBe(name, one));
  };
  if (may(0, "dev") && may(1, "fd", "stdin", "stdout", "stderr"))
    return names.length > (may(1, "fd") ? 3 : 2);
  if (!may(0, "proc")) return false;
  const at = may(2, "task") ? 4 : 2;
  if (may(at, "cwd", "root")) return true;
  // What the shell itself has opened was opened elsewhere on the line.
  const own = names[1] === "self" && names.length === at + 2 && typeof names[at + 1] === "string";
  return may(at, "fd", "map_files") && names.length > at + 1 && !own;
}

/** Whether a name can be this one. */
export const couldBe = (name: PathName, other: string, alike?: (text: string) => string): boolean => {
  if (typeof name !== "string") return name.couldBe(other, alike);
  return alike ? alike(name) === alike(other) : name === other;
};

/** Every folder at any depth, as a name. */
export const isAnyDepth = (name: PathName) => typeof name !== "string" && name.anyDepth;

/** The names of every spelling, also those of which not all is known. */
export function namesOf(touched: Touched): PathName[][] {
  return touched.spellings.map((path) => [
    ...path.split("/").filter((name) => name !== ""),
    ...touched.names,
  ]);
}

/** What a hook is told: the deepest place that is known, and that it is not all of it. */
export function isPartly({ names, below }: Touched): boolean {
  return below || names.length > 0;
}
