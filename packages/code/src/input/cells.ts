import stringWidth from "string-width";
import { printable } from "../utils/printable.ts";

const TAB_STOP = 4;
/** What a mark without a letter is put on, so that it has a cell of its own. */
const DOTTED_CIRCLE = "\u25cc";

export interface Cell {
  readonly shown: string;
  readonly width: number;
  /** "sign": not the character itself but a visible name for it. */
  readonly look: "text" | "sign";
}

/**
 * How one grapheme is drawn at `column`. Never a control character, never zero columns wide: Ink gives every drawn
 * grapheme at least one cell, so one of no width would put the cursor beside its place.
 */
export function cellFor(grapheme: string, column: number): Cell {
  if (grapheme.length === 1 && grapheme >= " " && grapheme <= "~")
    return { shown: grapheme, width: 1, look: "text" };
  if (grapheme === "\t") {
    const width = TAB_STOP - (column % TAB_STOP);
    return { shown: " ".repeat(width), width, look: "text" };
  }
  const shown = printable(grapheme);
  if (shown !== grapheme) return sign(shown);
  const width = stringWidth(shown);
  if (width > 0) return { shown, width, look: "text" };
  const onCircle = DOTTED_CIRCLE + shown;
  if (/^\p{M}/u.test(shown) && stringWidth(onCircle) === 1)
    return { shown: onCircle, width: 1, look: "text" };
  return sign(Array.from(shown, codeOf).join(""));
}

/**
 * The same, remembering what it has seen: a text has few different graphemes, and measuring one takes as long as
 * laying out ten.
 */
export function rememberingCells(): typeof cellFor {
  const seen = new Map<string, Cell>();
  return (grapheme, column) => {
    if (grapheme === "\t") return cellFor(grapheme, column);
    const known = seen.get(grapheme) ?? cellFor(grapheme, column);
    seen.set(grapheme, known);
    return known;
  };
}

const sign = (shown: string): Cell => ({ shown, width: stringWidth(shown), look: "sign" });

const codeOf = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
