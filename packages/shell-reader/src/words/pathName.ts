import { canMeet, type Pieces } from "./pieces.ts";
import { GAP, isLiteral, isUnknown, mayBeginWithDot, piecesOf, shown } from "./unknownText.ts";

/** One name of a path: itself, or as far as it is known. */
export type PathName = string | PartlyKnownName;

/** A name of which not all is known before the line runs, such as `*.ts`. */
export class PartlyKnownName {
  /** What stands in it in this order; between two of them there may be anything but a slash. */
  readonly pieces: Pieces;
  /** It may begin with a dot, for which a star of the shell does not stand. */
  readonly mayHide: boolean;
  /** It is not one name, but any number of folders, or none. */
  readonly anyDepth: boolean;

  constructor(text: string) {
    this.pieces = piecesOf(text);
    this.mayHide = mayBeginWithDot(text);
    this.anyDepth = text === GAP.folders;
  }

  /** Whether it can be this name, or a name like this; `alike` says which spellings count as the same. */
  couldBe(name: string | Pieces, alike = (text: string) => text): boolean {
    const other = typeof name === "string" ? [name] : name;
    return canMeet(this.pieces.map(alike), other.map(alike));
  }
}

/** A path of which not every name need be known before the line runs. */
export interface ReadPath {
  /** Absolute and otherwise as written (`..` behind a link is not the folder above it); undefined: it may be anywhere. */
  known: string | undefined;
  /** The names behind that, from the first on of which not all is known. */
  names: readonly PathName[];
  /** For people. */
  shown: string;
}

/** A path with gaps, for those who know nothing of gaps. */
export function readPath(path: string): ReadPath {
  const anywhere = { known: undefined, names: [], shown: shown(path) };
  if (isUnknown(path)) return anywhere;
  const all = path.split("/").filter((name) => name !== "" && name !== ".");
  const gap = all.findIndex((name) => !isLiteral(name));
  if (gap < 0) return { known: path, names: [], shown: path };
  const names = all.slice(gap);
  // Behind a name that nobody knows `..` may lead anywhere.
  if (names.includes("..")) return anywhere;
  return {
    known: `/${all.slice(0, gap).join("/")}`,
    names: names.map((name) => (isLiteral(name) ? name : new PartlyKnownName(name))),
    shown: shown(path),
  };
}
