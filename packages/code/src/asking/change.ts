import type { FileChange } from "wave-agent-sdk";
import { compareTexts, type DiffRow } from "../view/diff.ts";
import { count, sizeOf } from "./sizes.ts";
import { emptyLines, MANY_EMPTY_LINES, visibleText, type VisibleLine } from "./visibleText.ts";

/** What would become of a file, line by line, with nothing in it that a terminal would act on. */
export interface ShownChange {
  heading: string;
  rows: readonly ChangeRow[];
  /** Hidden characters in lines that come or go. */
  hidden: number;
}

export type ChangeRow =
  | { is: "same" | "added" | "removed"; number: number | undefined; line: VisibleLine }
  /** Lines between two places are not shown. */
  | { is: "gap" };

export function describeChange({ before, after }: FileChange): ShownChange {
  const diff = compareTexts(before ?? "", after);
  const rows = foldEmpty(diff.rows.map(visibleRow));
  const changed = rows.flatMap((row) => (row.is === "added" || row.is === "removed" ? row.line : []));
  return {
    heading: [headline(before, after, diff), ...endNotes(before, after)].join(", "),
    rows,
    hidden: changed.filter((piece) => piece.hidden).length,
  };
}

function headline(
  before: string | undefined,
  after: string,
  { added, removed }: { added: number; removed: number },
): string {
  if (before === undefined) return after === "" ? "a new, empty file" : `a new file, ${sizeOf(after)}`;
  if (before === after) return "changes nothing: this is what is in the file";
  if (added + removed === 0) return "changes only where lines end";
  return `${count(added, "line")} added, ${removed} removed`;
}

/** What a row cannot show. */
function endNotes(before: string | undefined, after: string): string[] {
  const is = lineEnds(after);
  const was = before === undefined ? undefined : lineEnds(before);
  const isUsual = is === undefined || (is === "LF" && (was ?? "LF") === "LF");
  const instead = was === undefined || was === is ? "" : ` instead of ${was}`;
  const ends = isUsual ? [] : [`lines end in ${is}${instead}`];
  const isOpen = after !== "" && !after.endsWith("\n");
  const wasOpen = before !== undefined && before !== "" && !before.endsWith("\n");
  if (isOpen === wasOpen || (wasOpen && after === "")) return ends;
  return [...ends, isOpen ? "no line break at the end" : "a line break at the end"];
}

function lineEnds(text: string): "LF" | "CRLF" | "CRLF and LF" | undefined {
  const all = text.match(/\n/g)?.length ?? 0;
  const windows = text.match(/\r\n/g)?.length ?? 0;
  if (all === 0) return undefined;
  if (windows === 0) return "LF";
  return windows === all ? "CRLF" : "CRLF and LF";
}

function visibleRow(row: DiffRow): ChangeRow {
  if (row.is === "gap") return row;
  const { is, number, text } = row;
  return { is, number, line: visibleText(text).lines[0] ?? [] };
}

/** Behind a screen of empty lines something would be out of sight. */
function foldEmpty(rows: readonly ChangeRow[]): ChangeRow[] {
  const folded: ChangeRow[] = [];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    const run = runOfEmpty(rows, at);
    if (row && row.is !== "gap" && run >= MANY_EMPTY_LINES) {
      const isCovering = row.is !== "same" && at + run < rows.length;
      folded.push({ ...row, line: [emptyLines(run, isCovering)] });
      at += run - 1;
    } else if (row) folded.push(row);
  }
  return folded;
}

function runOfEmpty(rows: readonly ChangeRow[], from: number): number {
  const is = rows[from]?.is;
  let at = from;
  for (let row = rows[at]; row && row.is === is && isEmpty(row); row = rows[at]) at++;
  return at - from;
}

const isEmpty = (row: ChangeRow) =>
  row.is !== "gap" && row.line.every((piece) => !piece.hidden && piece.text.trim() === "");
