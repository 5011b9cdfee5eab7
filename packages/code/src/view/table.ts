import type { Tokens } from "marked";
import { inlineSpans } from "./inline.ts";
import { indented, lineWidth, span, splitLines, textOf, type Line, type Span } from "./span.ts";
import { wrapSpans } from "./wrap.ts";

const BETWEEN = " │ ";
/** On such a screen a table that has to be squeezed is harder to read than a list. */
const NARROW_SCREEN = 40;
/** No word is worth more of a column than this; longer ones are cut into lines. */
const LONGEST_WORD = 16;

type Cell = readonly Span[];

/** Columns shrink and wrap until they fit; where they cannot, each row becomes a list of "column: value". */
export function tableLines(token: Tokens.Table, width: number): Line[] {
  const header = token.header.map((cell) => inlineSpans(cell.tokens, { bold: true }));
  const rows = token.rows.map((row) => row.map((cell) => inlineSpans(cell.tokens)));
  const widths = columnWidths([header, ...rows], width);
  if (!widths) return asList(header, rows, width);
  const align = (index: number) => token.align[index] ?? "left";
  const rule = [span(widths.map((one) => "─".repeat(one)).join("─┼─"), { tone: "dim" as const })];
  return [...rowLines(header, widths, align), rule, ...rows.flatMap((row) => rowLines(row, widths, align))];
}

/** Undefined when even the longest words do not fit beside each other. */
function columnWidths(rows: readonly (readonly Cell[])[], width: number): number[] | undefined {
  const count = Math.max(...rows.map((row) => row.length));
  const columns = Array.from({ length: count }, (_, index) => rows.map((row) => row[index] ?? []));
  const widths = columns.map((cells) => Math.max(1, ...cells.flatMap(splitLines).map(lineWidth)));
  const room = width - BETWEEN.length * (count - 1);
  if (sum(widths) <= room) return widths;
  if (width <= NARROW_SCREEN) return undefined;

  const least = columns.map((cells, index) => {
    const words = cells.flatMap((cell) =>
      textOf(cell)
        .split(/\s+/)
        .map((word) => lineWidth([span(word)])),
    );
    return Math.min(widths[index] ?? 1, LONGEST_WORD, Math.max(3, ...words));
  });
  if (sum(least) > room) return undefined;
  // One column of the widest at a time, so that narrow columns keep their shape.
  for (let over = sum(widths) - room; over > 0; over--) {
    const spare = widths.map((one, index) => (one > (least[index] ?? 1) ? one : 0));
    const widest = spare.indexOf(Math.max(...spare));
    widths[widest] = (widths[widest] ?? 1) - 1;
  }
  return widths;
}

function rowLines(
  row: readonly Cell[],
  widths: readonly number[],
  align: (column: number) => "left" | "right" | "center",
): Line[] {
  const cells = widths.map((width, index) => wrapSpans(row[index] ?? [], width));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    cells.flatMap((lines, index) => [
      ...(index > 0 ? [span(BETWEEN, { tone: "dim" })] : []),
      ...padded(lines[at] ?? [], {
        width: widths[index] ?? 0,
        align: align(index),
        last: index === widths.length - 1,
      }),
    ]),
  );
}

function padded(
  line: Line,
  { width, align, last }: { width: number; align: "left" | "right" | "center"; last: boolean },
): Line {
  const space = width - lineWidth(line);
  const before = align === "right" ? space : align === "center" ? Math.floor(space / 2) : 0;
  // Blanks at the end of a row would only be copied along.
  const after = last ? 0 : space - before;
  return [span(" ".repeat(before)), ...line, span(" ".repeat(after))].filter(({ text }) => text !== "");
}

function asList(header: readonly Cell[], rows: readonly (readonly Cell[])[], width: number): Line[] {
  // While it streams in, a table may be nothing but its header.
  if (rows.length === 0) return header.flatMap((cell) => wrapSpans(cell, width));
  return rows.flatMap((row, index) => [
    ...(index > 0 ? [[]] : []),
    ...row.flatMap((cell, column) => {
      const key = header[column] ?? [];
      const name = key.length > 0 ? [...key, span(": ", { bold: true })] : [];
      return hanging(wrapSpans([...name, ...cell], width - 2));
    }),
  ]);
}

function hanging(lines: readonly Line[]): Line[] {
  const [first = [], ...rest] = lines;
  return [first, ...indented(rest, span("  "), span("  "))];
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
