import { structuredPatch } from "diff";
import type { ToolBlock } from "wave-agent-sdk";
import { applyParts, fileEditOf, textBefore, type EditPart, type FileEdit } from "./fileEdits.ts";
import { finalInput } from "./toolInput.ts";

/** A row of a diff. Numbers are those of the file, and absent where the file was not at hand. */
export type DiffRow =
  | { is: "same" | "added" | "removed"; text: string; number: number | undefined }
  /** Lines between two places are not shown. */
  | { is: "gap" };

export interface Diff {
  rows: DiffRow[];
  added: number;
  removed: number;
}

const CONTEXT_LINES = 3;
/** Two texts that have less in common are shown as one text instead of another: comparing them would stop the screen. */
const MAX_EDITS = 1_000;

/**
 * The whole change when the text of the file is given. Otherwise each edit by itself, numbered only where `result`, which
 * quotes the changed lines with their numbers, says where that is: a number that may be wrong is worse than none.
 */
export function diffOfEdit(edit: FileEdit, known: { before?: string; result?: string } = {}): Diff {
  const after = known.before === undefined ? undefined : applyParts(known.before, edit.parts);
  if (known.before !== undefined && after !== undefined) return compare(known.before, after, 1);
  const parts = edit.parts.map((part, index) =>
    compare(part.old ?? "", part.new, startOf(part, index === 0 ? known.result : undefined)),
  );
  return {
    rows: parts.flatMap(({ rows }, index) => (index === 0 ? rows : [{ is: "gap" as const }, ...rows])),
    added: parts.reduce((sum, part) => sum + part.added, 0),
    removed: parts.reduce((sum, part) => sum + part.removed, 0),
  };
}

/** What a call did to a file, as somebody saw it before they allowed it. Undefined for other calls, and where it is not known. */
export function diffOfCall(block: ToolBlock): Diff | undefined {
  const edit = fileEditOf(block.name, finalInput(block));
  if (!edit) return undefined;
  const before = textBefore(edit, block.replaced);
  if (before !== undefined) return diffOfEdit(edit, { before });
  const { success, result } = block;
  // Of a file that was replaced, all lines would look new.
  if (success && result?.startsWith("Replaced ")) return undefined;
  return diffOfEdit(edit, success && result !== undefined ? { result } : {});
}

/** What changed from one text to another. */
export const compareTexts = (before: string, after: string): Diff => compare(before, after, 1);

function compare(before: string, after: string, start: number | undefined): Diff {
  const patch = structuredPatch("", "", ended(before), ended(after), undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDITS,
    stripTrailingCr: true,
  });
  const hunks = patch?.hunks ?? [replacement(before, after)];
  const diff: Diff = { rows: [], added: 0, removed: 0 };
  for (const hunk of hunks) {
    if (diff.rows.length > 0) diff.rows.push({ is: "gap" });
    let [old, now] = [hunk.oldStart, hunk.newStart];
    const number = (line: number) => (start === undefined ? undefined : start + line - 1);
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (line.startsWith("-")) {
        diff.removed++;
        diff.rows.push({ is: "removed", text, number: number(old++) });
      } else if (line.startsWith("+")) {
        diff.added++;
        diff.rows.push({ is: "added", text, number: number(now++) });
      } else if (line.startsWith(" ")) {
        old++;
        diff.rows.push({ is: "same", text, number: number(now++) });
      }
    }
  }
  return diff;
}

/** An edit replaces a piece of a file: that it does not end with a line break says nothing about the file. */
const ended = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

function replacement(before: string, after: string): { oldStart: number; newStart: number; lines: string[] } {
  const lines = (text: string) => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/));
  return {
    oldStart: 1,
    newStart: 1,
    lines: [...lines(before).map((line) => `-${line}`), ...lines(after).map((line) => `+${line}`)],
  };
}

/** Where in the file the new text begins, by the numbered lines that Edit and MultiEdit answer with. */
function startOf(part: EditPart, result: string | undefined): number | undefined {
  if (part.old === undefined) return 1;
  if (result === undefined || part.everywhere) return undefined;
  const quoted = result.split("\n").flatMap((line) => {
    const [, number, text] = /^ *(\d+)\t(.*)$/.exec(line) ?? [];
    return number === undefined || text === undefined ? [] : [{ number: Number(number), text }];
  });
  const wanted = part.new.split("\n");
  const [first = "", second] = wanted;
  if (first.trim() === "" && second === undefined) return undefined;
  const places = quoted.filter(({ text }, index) => {
    if (second === undefined) return text.includes(first);
    return (
      text.endsWith(first) && (quoted[index + 1]?.text ?? "").startsWith(wanted.length > 2 ? second : "")
    );
  });
  const [only] = places;
  return places.length === 1 ? only?.number : undefined;
}
