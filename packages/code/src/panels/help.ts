import { lineWidth, widthOf, type Line } from "../view/span.ts";
import { pad, say, wrapLine } from "./lines.ts";

/** One row of the key table: which keys, what they do, and where they do it. */
export interface HelpRow {
  keys: string;
  does: string;
  where: string;
}

const STACKED_BELOW = 60;

/** The key table as text, in the order of the table, under a title for each place. */
export function helpLines(rows: readonly HelpRow[], columns: number): Line[] {
  const places = [...new Set(rows.map(({ where }) => where))];
  const keyWidth = Math.min(24, Math.max(0, ...rows.map(({ keys }) => widthOf(keys))));
  return places.flatMap((place, index) => [
    ...(index === 0 ? [] : [[]]),
    [say("strong", place)],
    ...rows
      .filter(({ where }) => where === place)
      .flatMap((row) => (columns < STACKED_BELOW ? stacked(row, columns) : beside(row, keyWidth, columns))),
  ]);
}

function stacked({ keys, does }: HelpRow, columns: number): Line[] {
  return [
    ...wrapLine([say("plain", "  "), say("accent", keys)], columns),
    ...wrapLine([say("plain", `    ${does}`)], columns),
  ];
}

function beside({ keys, does }: HelpRow, keyWidth: number, columns: number): Line[] {
  const [first = [], ...rest] = wrapLine([say("plain", does)], Math.max(10, columns - keyWidth - 4));
  const key: Line = [say("plain", "  "), say("accent", pad(keys, keyWidth)), say("plain", "  ")];
  const hanging = say("plain", " ".repeat(keyWidth + 4));
  // Keys that are too wide for their column keep a line to themselves.
  if (lineWidth(key) > keyWidth + 4) return [key, ...[first, ...rest].map((line) => [hanging, ...line])];
  return [[...key, ...first], ...rest.map((line) => [hanging, ...line])];
}
