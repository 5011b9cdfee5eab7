import { diffWordsWithSpace } from "diff";
import type { Diff, DiffRow } from "./diff.ts";
import { screenText } from "./screenText.ts";
import { indented, span, type Line, type Look, type Span } from "./span.ts";
import { hardWrap } from "./wrap.ts";

type Changed = Extract<DiffRow, { text: string }>;

export const SIGNS = { same: " ", added: "+", removed: "-" } as const;
/** Words are compared in lines of a usual length; in a minified file the answer would help nobody. */
const MAX_COMPARED = 400;

/** Rows of the screen: number, sign, text. The sign says what the colour says. */
export function diffLines(diff: Diff, width: number): Line[] {
  const numbers = diff.rows.map((row) => (row.is === "gap" ? undefined : row.number));
  const digits = Math.max(0, ...numbers.map((number) => String(number ?? "").length));
  const pairs = pairUp(diff.rows);
  return diff.rows.flatMap((row) => {
    if (row.is === "gap") return [[span(`${" ".repeat(digits)} ⋯`, { tone: "dim" })]];
    const look: Look = row.is === "same" ? {} : { tone: row.is };
    const number = digits > 0 ? `${String(row.number ?? "").padStart(digits)} ` : "";
    const lines = hardWrap(wordsOf(row, pairs.get(row), look), width - number.length - 2);
    const rest = span(" ".repeat(number.length + 2));
    return indented(lines, span(`${SIGNS[row.is]} `, look), rest).map((line, index) =>
      index === 0 && number !== "" ? [span(number, { tone: "dim" as const }), ...line] : line,
    );
  });
}

/** Removed lines and the same number of added ones right behind them: each is the other, changed. */
function pairUp(rows: readonly DiffRow[]): Map<DiffRow, Changed> {
  const pairs = new Map<DiffRow, Changed>();
  let at = 0;
  while (at < rows.length) {
    const removed = runOf(rows, at, "removed");
    const added = runOf(rows, at + removed.length, "added");
    if (removed.length > 0 && removed.length === added.length) {
      removed.forEach((row, index) => {
        const other = added[index];
        if (!other) return;
        pairs.set(row, other);
        pairs.set(other, row);
      });
    }
    at += Math.max(1, removed.length + added.length);
  }
  return pairs;
}

function runOf(rows: readonly DiffRow[], from: number, is: "added" | "removed"): Changed[] {
  const run: Changed[] = [];
  for (let row = rows[from]; row?.is === is; row = rows[from + run.length]) run.push(row);
  return run;
}

/** The words that changed stand out, when most of the line did not. */
function wordsOf(row: Changed, other: Changed | undefined, look: Look): Span[] {
  const plain = [span(screenText(row.text), look)];
  if (!other || row.text.length + other.text.length > MAX_COMPARED) return plain;
  const [removed, added] = row.is === "removed" ? [row, other] : [other, row];
  const changes = diffWordsWithSpace(screenText(removed.text), screenText(added.text));
  const same = changes.filter((one) => !one.added && !one.removed).map(({ value }) => value.trim());
  const kept = same.reduce((sum, text) => sum + text.length, 0);
  if (kept * 2 < Math.min(row.text.trim().length, other.text.trim().length)) return plain;
  return changes
    .filter((one) => (row.is === "removed" ? !one.added : !one.removed))
    .map(({ value, added: isNew, removed: isOld }) =>
      span(value, isNew || isOld ? { ...look, inverse: true } : look),
    );
}
