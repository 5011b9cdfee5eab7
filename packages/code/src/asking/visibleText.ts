/** A stretch of a line. `hidden` ones stand for something the terminal would have swallowed, moved or acted on. */
export interface Piece {
  text: string;
  hidden: boolean;
}

export type VisibleLine = readonly Piece[];

export interface VisibleText {
  lines: readonly VisibleLine[];
  /** How many characters or stretches were made visible. A text with any is not approved with one key (G36). */
  hidden: number;
}

/**
 * Everything in a text that a person could not see, made visible: control, direction and zero-width characters, blanks that
 * are not the usual one, and so much empty space that what follows it would be out of sight. Line breaks become lines.
 */
export function visibleText(text: string, options: { windowsLines?: boolean } = {}): VisibleText {
  const unix = options.windowsLines ? text.replaceAll("\r\n", "\n") : text;
  const lines = foldEmptyLines(unix.split("\n").map(visibleLine));
  return { lines, hidden: lines.flat().filter((piece) => piece.hidden).length };
}

// Emoji are allowed the invisible characters that hold them together; they draw one picture and hide nothing.
const EMOJI = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*|[0-9#*]\ufe0f?\u20e3`;
const INVISIBLE = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}`;
// Marks piled on one letter draw over the lines above and below.
const PILE = String.raw`\p{M}{4,}`;
// A gap wide enough to push what follows past the edge of a screen.
const GAP = " {40,}";
const SPECIAL = new RegExp(`(${EMOJI})|\t|${INVISIBLE}|${PILE}|${GAP}`, "gu");
export const MANY_EMPTY_LINES = 10;

function visibleLine(line: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (text: string, hidden: boolean) => {
    const last = pieces.at(-1);
    if (text === "") return;
    if (last && !last.hidden && !hidden) last.text += text;
    else pieces.push({ text, hidden });
  };
  let end = 0;
  for (const match of line.matchAll(SPECIAL)) {
    const [found, emoji] = match;
    const start = match.index;
    add(line.slice(end, start), false);
    end = start + found.length;
    // Indentation has nothing before it, and a blank end of a line nothing behind it.
    const isGap = found.startsWith(" ") && start > 0 && end < line.length;
    if (isGap) add(`[${found.length} spaces]`, true);
    else if (emoji !== undefined || found.startsWith(" ")) add(found, false);
    else if (found === "\t") add("→   ", false);
    else for (const character of found) add(codeOf(character), true);
  }
  add(line.slice(end), false);
  return pieces;
}

function foldEmptyLines(lines: Piece[][]): Piece[][] {
  const folded: Piece[][] = [];
  let empty: Piece[][] = [];
  for (const line of lines) {
    if (line.every((piece) => !piece.hidden && piece.text.trim() === "")) {
      empty.push(line);
      continue;
    }
    // Behind so many of them a line would be out of sight; at the end nothing is behind them.
    folded.push(...shorten(empty, folded.length > 0), line);
    empty = [];
  }
  return [...folded, ...shorten(empty, false)];
}

function shorten(empty: Piece[][], hidden: boolean): Piece[][] {
  if (empty.length < MANY_EMPTY_LINES) return empty;
  return [[emptyLines(empty.length, hidden)]];
}

/** Stands for so many of them. */
export const emptyLines = (number: number, hidden: boolean): Piece => ({
  text: `[${number} empty lines]`,
  hidden,
});

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\r") return "\\r";
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\u{${code.toString(16)}}`;
}
