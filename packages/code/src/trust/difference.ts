import { visibleText } from "../asking/visibleText.ts";
import { say } from "../panels/lines.ts";
import { compareTexts, type DiffRow } from "../view/diff.ts";
import type { Line } from "../view/span.ts";

const INDENT = "      ";

/** Every line that is gone or new, with its neighbours; where equal lines are left out, a "…" says how many. */
export function differenceLines(before: string, after: string): Line[] {
  const { rows } = compareTexts(before, after);
  // Line breaks are not compared: a file that differs in nothing else would look unchanged.
  if (rows.length === 0) return [[say("warn", `${INDENT}only line breaks or rights to run it changed`)]];
  const lines: Line[] = [];
  /** How many lines of the new text were passed so far. */
  let passed = 0;
  for (const row of rows) {
    if (row.is === "gap") continue;
    if (row.is !== "removed") {
      const at = row.number ?? passed + 1;
      lines.push(...leftOut(at - 1 - passed));
      passed = at;
    }
    lines.push(lineOf(row));
  }
  return [...lines, ...leftOut(countLines(after) - passed)];
}

function leftOut(count: number): Line[] {
  return count < 1 ? [] : [[say("dim", `${INDENT}… ${count} equal line${count === 1 ? "" : "s"}`)]];
}

function lineOf({ is, text }: Exclude<DiffRow, { is: "gap" }>): Line {
  const sign = is === "added" ? "+" : is === "removed" ? "-" : " ";
  const meaning = is === "added" ? "good" : is === "removed" ? "bad" : "dim";
  // What hides in a line that is new is what a person has to see of it.
  const pieces = visibleText(text).lines.flat();
  return [
    say(meaning, `${INDENT}${sign} `),
    ...pieces.map((piece) => say(piece.hidden ? "bad" : meaning, piece.text)),
  ];
}

const countLines = (text: string) => (text === "" ? 0 : text.replace(/\n$/, "").split("\n").length);
