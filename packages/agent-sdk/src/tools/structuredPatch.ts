import { lineHunks, type Hunk } from "../utils/lineHunks.ts";

/** A change in the shape in which hook scripts read it: lines begin with " ", "-" or "+", and are counted from 1. */
export interface PatchHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

const CONTEXT_LINES = 3;

export function structuredPatch(before: string, after: string): PatchHunk[] {
  const old = before.split("\n");
  const hunks = lineHunks(old, after.split("\n"));
  const patch: PatchHunk[] = [];
  let added = 0;
  for (const group of neighbours(hunks)) {
    const first = group[0]?.from ?? 0;
    const from = Math.max(0, first - CONTEXT_LINES);
    const to = Math.min(old.length, (group.at(-1)?.to ?? 0) + CONTEXT_LINES);
    const lines: string[] = [];
    let at = from;
    for (const hunk of group) {
      lines.push(...old.slice(at, hunk.from).map((line) => ` ${line}`));
      lines.push(...old.slice(hunk.from, hunk.to).map((line) => `-${line}`));
      lines.push(...hunk.lines.map((line) => `+${line}`));
      at = hunk.to;
    }
    lines.push(...old.slice(at, to).map((line) => ` ${line}`));
    const grown = group.reduce((sum, hunk) => sum + hunk.lines.length - (hunk.to - hunk.from), 0);
    const oldLines = to - from;
    patch.push({
      oldStart: from + 1,
      oldLines,
      newStart: from + 1 + added,
      newLines: oldLines + grown,
      lines,
    });
    added += grown;
  }
  return patch;
}

/** Changes whose surroundings meet stand in one hunk. */
function neighbours(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1);
    const end = last?.at(-1)?.to;
    if (last && end !== undefined && hunk.from - end <= 2 * CONTEXT_LINES) last.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}
