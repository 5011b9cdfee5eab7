import stringWidth from "string-width";
import type { OfferedChoice } from "./choices.ts";
import { wrapWords } from "./layout.ts";
import type { ChoiceCell } from "./packChoices.ts";

/** The mark, the key, and the air behind it. */
const MARK = 2;
const KEY_COLUMNS = 3;

/** A row for each choice; one that belongs to the choice before it stands beside it where both fit. */
export function listChoices(choices: readonly OfferedChoice[], width: number): ChoiceCell[][] {
  const rows: ChoiceCell[][] = [];
  let used = Infinity;
  for (const [index, offered] of choices.entries()) {
    const lines = wrapWords(offered.label, width - MARK - KEY_COLUMNS);
    const [first = ""] = lines;
    const columns = MARK + KEY_COLUMNS + stringWidth(first);
    const cell: ChoiceCell = { index, part: "first", text: `${offered.key}  ${first}` };
    const last = rows.at(-1);
    if (last && offered.joins && lines.length === 1 && used + MARK + columns <= width) {
      last.push({ ...cell, text: cell.text });
      used += MARK + columns;
      continue;
    }
    const more = lines
      .slice(1)
      .map((text): ChoiceCell[] => [{ index, part: "next", text: " ".repeat(KEY_COLUMNS) + text }]);
    rows.push([cell], ...more);
    used = more.length === 0 ? columns : Infinity;
  }
  return rows;
}
