import type { IBufferCell, Terminal } from "@xterm/headless";
import { boxPath } from "./boxDrawing.ts";
import { colourOf, PALETTES, type Palette } from "./palette.ts";

const CELL_WIDTH = 8.4;
const CELL_HEIGHT = 18;
const FONT_SIZE = 14;
const BASELINE = 13.5;
const PADDING = 14;

/** Cells that look the same and stand beside each other. */
interface Run {
  column: number;
  columns: number;
  text: string;
  foreground: string;
  background: string | undefined;
  style: string;
}

export interface PictureOptions {
  theme?: keyof typeof PALETTES;
  /** For those who cannot see it. */
  title?: string;
  /** "used": without the empty rows at the bottom. */
  rows?: "all" | "used";
}

/** A picture of the visible screen: the same cells, the same colours, every character in its column. */
export function renderScreenToSvg(terminal: Terminal, options: PictureOptions = {}): string {
  const { theme = "dark", title = "A terminal", rows = "all" } = options;
  const palette = PALETTES[theme];
  const drawn = Array.from({ length: terminal.rows }, (_, row) =>
    rowSvg(runsOf(terminal, row, palette), row),
  );
  const shown = rows === "all" ? drawn.length : drawn.findLastIndex((row) => row.length > 0) + 1;
  const width = round(terminal.cols * CELL_WIDTH + 2 * PADDING);
  const height = shown * CELL_HEIGHT + 2 * PADDING;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${palette.background}"/>`,
    `<g font-family="${FONTS}" font-size="${FONT_SIZE}" fill="${palette.foreground}" transform="translate(${PADDING} ${PADDING})">`,
    ...drawn.flat(),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

const FONTS =
  "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

function runsOf(terminal: Terminal, row: number, palette: Palette): Run[] {
  const buffer = terminal.buffer.active;
  const line = buffer.getLine(buffer.baseY + row);
  const runs: Run[] = [];
  for (let column = 0; column < terminal.cols; column++) {
    const cell = line?.getCell(column);
    // The second half of a wide character was drawn with the first.
    if (!cell || cell.getWidth() === 0) continue;
    const next = runOf(cell, column, palette);
    const last = runs.at(-1);
    if (last && joins(last, next)) {
      last.text += next.text;
      last.columns += next.columns;
    } else runs.push(next);
  }
  return runs;
}

function runOf(cell: IBufferCell, column: number, palette: Palette): Run {
  const chars = cell.getChars();
  const plain = {
    foreground: colourOf(cell, "foreground", palette) ?? palette.foreground,
    background: colourOf(cell, "background", palette),
  };
  const { foreground, background } = cell.isInverse()
    ? { foreground: plain.background ?? palette.background, background: plain.foreground }
    : plain;
  return {
    column,
    columns: cell.getWidth(),
    text: chars === "" || cell.isInvisible() ? " " : chars,
    foreground,
    background,
    style: styleOf(cell),
  };
}

function styleOf(cell: IBufferCell): string {
  const lines = [cell.isUnderline() ? "underline" : "", cell.isStrikethrough() ? "line-through" : ""];
  const decoration = lines.filter(Boolean).join(" ");
  return [
    cell.isBold() ? ' font-weight="bold"' : "",
    cell.isItalic() ? ' font-style="italic"' : "",
    cell.isDim() ? ' opacity="0.6"' : "",
    decoration === "" ? "" : ` text-decoration="${decoration}"`,
  ].join("");
}

/** Wide characters and drawn ones stand alone: their width in a font is not to be relied on. */
function joins(last: Run, next: Run): boolean {
  return (
    isPlainText(last.text) &&
    isPlainText(next.text) &&
    last.foreground === next.foreground &&
    last.background === next.background &&
    last.style === next.style
  );
}

const isPlainText = (text: string): boolean => /^[\u0020-\u007e\u00a0-\u024f\u2026]+$/.test(text);

function rowSvg(runs: readonly Run[], row: number): string[] {
  const top = row * CELL_HEIGHT;
  return [
    ...runs.flatMap((run) => (run.background === undefined ? [] : [backgroundSvg(run, run.background, top)])),
    ...runs.flatMap((run) => textSvg(run, top)),
  ];
}

function backgroundSvg({ column, columns }: Run, colour: string, top: number): string {
  return `<rect x="${round(column * CELL_WIDTH)}" y="${top}" width="${round(columns * CELL_WIDTH)}" height="${CELL_HEIGHT}" fill="${colour}"/>`;
}

function textSvg(run: Run, top: number): string[] {
  const x = round(run.column * CELL_WIDTH);
  const path = boxPath(run.text, { x, y: top, width: CELL_WIDTH, height: CELL_HEIGHT });
  if (path !== undefined) return [path(run.foreground, run.style)];
  const shown = run.text.trimEnd();
  const underlined = run.style.includes("text-decoration");
  if (shown === "" && !underlined) return [];
  const text = underlined ? run.text : shown;
  const columns = run.columns - (run.text.length - text.length);
  // The width is fixed here, so that columns stay columns in whatever font there is.
  return [
    `<text x="${x}" y="${top + BASELINE}" textLength="${round(columns * CELL_WIDTH)}" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="${run.foreground}"${run.style}>${escapeXml(text)}</text>`,
  ];
}

const round = (number: number): number => Math.round(number * 100) / 100;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
