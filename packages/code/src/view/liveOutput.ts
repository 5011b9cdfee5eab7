/** The end of what a running command has printed. */
export interface Tail {
  /** As printed, without line breaks; the last one may grow. */
  readonly lines: readonly string[];
  /** How many lines came before them. */
  readonly before: number;
}

export const NO_OUTPUT: Tail = { lines: [], before: 0 };

const KEPT_LINES = 1_000;
/** A progress bar or a minified file may print megabytes without a line break. */
const KEPT_CHARACTERS = 2_000;

/** Costs what `text` costs, however much was printed before. */
export function appendOutput(tail: Tail, text: string): Tail {
  const pieces = text.replaceAll("\r\n", "\n").split("\n");
  const [first = "", ...more] = pieces;
  const open = tail.lines.at(-1) ?? "";
  const total = Math.max(0, tail.lines.length - 1) + pieces.length;
  const lines = pieces.length > KEPT_LINES ? pieces : [...tail.lines.slice(0, -1), open + first, ...more];
  const kept = lines.slice(-KEPT_LINES).map(shorten);
  return { lines: kept, before: tail.before + total - kept.length };
}

/** The lines to show: without the empty one that the last line break opened, and progress bars in their last state. */
export function shownTail(tail: Tail, max = KEPT_LINES): Tail {
  const complete = tail.lines.at(-1) === "" ? tail.lines.slice(0, -1) : tail.lines;
  const shown = complete.slice(-max);
  return {
    lines: shown.map((line) => line.replace(/\r+$/, "").split("\r").at(-1) ?? ""),
    before: tail.before + complete.length - shown.length,
  };
}

function shorten(line: string): string {
  return line.length <= KEPT_CHARACTERS ? line : `…${line.slice(-KEPT_CHARACTERS).toWellFormed()}`;
}
