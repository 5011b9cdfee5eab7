import stringWidth from "string-width";
import type { OfferedChoice } from "./choices.ts";
import { wrapWords } from "./layout.ts";

/** A choice of a row, or as much of it as stands there. */
export interface ChoiceCell {
  index: number;
  part: "first" | "next";
  text: string;
}

const BETWEEN = " ·";
const MARK = 1;

/** The choices side by side, in as few rows as they need. One that is longer than a row goes on in the next. */
export function packChoices(choices: readonly OfferedChoice[], width: number): ChoiceCell[][] {
  const rows: ChoiceCell[][] = [];
  let used = Infinity;
  for (const [index, { key, short }] of choices.entries()) {
    const parts = wrapWords(`${key} ${short}`, width - MARK);
    for (const [at, text] of parts.entries()) {
      const columns = MARK + stringWidth(text);
      const cell: ChoiceCell = { index, part: at === 0 ? "first" : "next", text };
      const last = rows.at(-1);
      const isBeside = last !== undefined && parts.length === 1 && used + BETWEEN.length + columns <= width;
      if (isBeside) last.push(cell);
      else rows.push([cell]);
      used = isBeside ? used + BETWEEN.length + columns : columns;
    }
  }
  return rows;
}
