import { Lexer, type Token, type Tokens } from "marked";
import { withinTime } from "wave-agent-sdk";
import { renderMarkdown } from "./markdown.ts";
import { textOf, type Line } from "./span.ts";

/** A text that streams in, in two: what stays as it is, and what the next words may still change. */
export interface FinishedRows {
  finished: string;
  /** Stands before the rest: the line that opens a block of code again. */
  opening: string;
  rest: string;
  /** A blank row stands between them. */
  gap: boolean;
}

/** In milliseconds; what takes longer to read is printed when all of it is there. */
const READING_MS = 50;

/**
 * The rows of a growing text that can be printed for good. Printed rows are the terminal's own: whatever it does with them when
 * the window changes, they stand there once. A split counts only if both parts give exactly the rows of the whole.
 */
export function finishedRows(text: string, width: number): FinishedRows | "none" | "too-slow" {
  const tokens = withinTime(READING_MS, () => tokensOf(text));
  if (!tokens) return "too-slow";
  const rows = rowsOf(text, width, "streaming");
  const found = splits(text, tokens.value, rows).find(({ finished, opening, rest, gap }) => {
    const after = [...(gap ? [[]] : []), ...rowsOf(opening + rest, width, "streaming")];
    return same([...rowsOf(finished, width, "whole"), ...after], rows);
  });
  return found ?? "none";
}

const rowsOf = (text: string, width: number, form: "streaming" | "whole"): Line[] =>
  renderMarkdown(text, { width, streaming: form === "streaming" });

const same = (some: readonly Line[], others: readonly Line[]) =>
  some.length === others.length && some.every((row, index) => looksOf(row) === looksOf(others[index] ?? []));

/** Every character with its look: however a row is cut into spans. */
const looksOf = (row: Line): string =>
  row.map(({ text, ...look }) => Array.from(text, (one) => one + JSON.stringify(look)).join("")).join("");

/** Where the text might be split, the best place first. */
function splits(text: string, tokens: readonly Token[], rows: readonly Line[]): FinishedRows[] {
  const last = tokens.findLastIndex(({ type }) => type !== "space");
  const token = tokens[last];
  if (token === undefined) return [];
  const start = lengthOf(tokens.slice(0, last));
  if (text.slice(0, start).trim() !== "") return [at(text, start, true)];
  if (isList(token)) {
    const lastItem = start + lengthOf(token.items.slice(0, -1));
    return token.items.length < 2 ? [] : [at(text, lastItem, token.loose)];
  }
  if (token.type === "code") return insideCode(text);
  return token.type === "paragraph" ? insideParagraph(text, rows) : [];
}

function tokensOf(text: string): Token[] {
  try {
    return new Lexer({ gfm: true }).lex(text);
  } catch (error) {
    // RangeError: a thousand nested quotes are more than the stack holds.
    if (!(error instanceof RangeError)) throw error;
    return [];
  }
}

const at = (text: string, place: number, gap: boolean): FinishedRows => ({
  finished: text.slice(0, place).trimEnd(),
  opening: "",
  rest: text.slice(place),
  gap,
});

/** Every line but the one that is being written. */
function insideCode(text: string): FinishedRows[] {
  const [fence] = /^\s*(?:`{3,}|~{3,})[^\n]*\n/.exec(text) ?? [];
  const end = text.lastIndexOf("\n");
  const line = text.slice(end + 1);
  if (fence === undefined || end < fence.length || line.trim() === "") return [];
  return [{ finished: text.slice(0, end), opening: fence, rest: line, gap: false }];
}

/** What may be the first half of something that looks different when its second half is there. */
const HALF_WRITTEN = /[`[|]|~~|\*\S|<\w|(?<!\w)_/;

/** Every row but the last one, unless a word of it may still change its look. */
function insideParagraph(text: string, rows: readonly Line[]): FinishedRows[] {
  const above = rows.slice(0, -1).map(textOf);
  if (above.length === 0 || above.some((row) => HALF_WRITTEN.test(row))) return [];
  const count = above.flatMap((row) => row.split(/\s+/)).filter((word) => word !== "").length;
  const next = [...text.matchAll(/\S+/g)][count];
  return next === undefined ? [] : [at(text, next.index, false)];
}

/** A block of code whose lines are all printed. */
const CODE_IS_OVER = /^\s*(`{3,}|~{3,})[^\n]*\n\s*\1\s*/;

/** What is left when a block of code ended exactly with what was printed. */
export const withoutEndOfCode = (rest: string): string => rest.replace(CODE_IS_OVER, "");

const lengthOf = (parts: readonly { raw: string }[]) => parts.reduce((sum, { raw }) => sum + raw.length, 0);
const isList = (token: Token): token is Tokens.List => token.type === "list";
