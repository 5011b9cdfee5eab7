import type { Pieces } from "./pieces.ts";

/**
 * Text of which not everything is known before bash has run. Each kind of gap is one character of a range that no file name
 * uses, so such text can be cut at slashes and put together like any other.
 */
export const GAP = {
  /** Within one name, as a star or a number: no slash in it, and at the start of a name no dot. */
  name: "\uE000",
  /** The same, and a dot may stand at the start. */
  hidden: "\uE001",
  /** As a whole name: any number of folders. */
  folders: "\uE002",
  /** Anything at all: slashes, `..`, nothing. */
  any: "\uE003",
} as const;

const EVERY_GAP = /[\uE000-\uE003]/;

export const isLiteral = (text: string) => !EVERY_GAP.test(text);

/** Text in which somebody put our own characters could pass for something else; nobody needs them on a command line. */
export const holdsGapCharacters = (line: string) => EVERY_GAP.test(line);

/** Nothing can be said about where a path with this in it leads. */
export const isUnknown = (text: string) => text.includes(GAP.any);

/** What stands before the first gap. */
export function beginningOf(text: string): { begins: string; whole: boolean } {
  const [begins = "", ...others] = text.split(EVERY_GAP);
  return { begins, whole: others.length === 0 };
}

/** What a file of this name holds is made while the line runs. */
export const isStream = (path: string) => /^\/(dev\/(fd\/|stdin$)|proc\/)/.test(path);

/** For people: the gaps as dots. */
export const shown = (text: string) => text.replace(/[\uE000-\uE003]+/g, "…");

/** A folder, and whatever lies in it at any depth. */
export const everythingBelow = (folder: string) => `${folder}/${GAP.folders}`;

/** One name of a path, for comparing. */
export const piecesOf = (name: string): Pieces => name.split(EVERY_GAP);

/** Whether a name with gaps can begin with a dot: a star of the shell does not stand for one. */
export const mayBeginWithDot = (name: string) => !name.startsWith(GAP.name);

/**
 * A path as a command would open it: absolute, and otherwise as written, because `..` behind a link is not the folder above
 * the link. Gaps that may hold slashes make all of it unknown.
 */
export function placeIn(folder: string, text: string): string {
  if (isUnknown(text) || (isUnknown(folder) && !text.startsWith("/"))) return GAP.any;
  if (text.startsWith("/")) return text;
  return folder === "/" ? `/${text}` : `${folder}/${text}`;
}
