interface CellBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

type Draw = (colour: string, style: string) => string;

/**
 * Lines and blocks that have to meet at the edges of their cells. As letters of a font they leave gaps between rows, so
 * they are drawn. Undefined for everything else.
 */
export function boxPath(character: string, box: CellBox): Draw | undefined {
  const block = BLOCKS[character];
  if (block) return (colour, style) => rect(box, block, colour, style);
  const arms = ARMS[character];
  if (arms === undefined) return undefined;
  const width = HEAVY.includes(character) ? 2.4 : 1.2;
  const d = ROUND.includes(character) ? arc(arms, box) : straight(arms, box);
  return (colour, style) => `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}"${style}/>`;
}

/** Which sides of its cell a line reaches: up, right, down, left. */
const ARMS: Record<string, string> = {
  "─": "rl",
  "━": "rl",
  "│": "ud",
  "┃": "ud",
  "┌": "rd",
  "┐": "dl",
  "└": "ur",
  "┘": "ul",
  "╭": "rd",
  "╮": "dl",
  "╰": "ur",
  "╯": "ul",
  "├": "urd",
  "┤": "udl",
  "┬": "rdl",
  "┴": "url",
  "┼": "urdl",
};
const HEAVY = "━┃";
const ROUND = "╭╮╰╯";

/** Filled parts of a cell: left, top, right and bottom edge as shares of it. */
const BLOCKS: Record<string, readonly [left: number, top: number, right: number, bottom: number]> = {
  "█": [0, 0, 1, 1],
  "▀": [0, 0, 1, 0.5],
  "▄": [0, 0.5, 1, 1],
  "▌": [0, 0, 0.5, 1],
  "▐": [0.5, 0, 1, 1],
  "▏": [0, 0, 0.125, 1],
  "▎": [0, 0, 0.25, 1],
};

function rect(
  { x, y, width, height }: CellBox,
  [left, top, right, bottom]: readonly number[],
  colour: string,
  style: string,
): string {
  const at = (start: number, size: number, share = 0) => round(start + size * share);
  const wide = round(width * ((right ?? 1) - (left ?? 0)));
  const high = round(height * ((bottom ?? 1) - (top ?? 0)));
  return `<rect x="${at(x, width, left)}" y="${at(y, height, top)}" width="${wide}" height="${high}" fill="${colour}"${style}/>`;
}

function edgesOf({ x, y, width, height }: CellBox) {
  const middle = { x: round(x + width / 2), y: round(y + height / 2) };
  const ends: Record<string, string> = {
    u: `${middle.x} ${y}`,
    r: `${round(x + width)} ${middle.y}`,
    d: `${middle.x} ${y + height}`,
    l: `${x} ${middle.y}`,
  };
  return { middle: `${middle.x} ${middle.y}`, ends };
}

function straight(arms: string, box: CellBox): string {
  const { middle, ends } = edgesOf(box);
  return Array.from(arms, (arm) => `M${middle}L${ends[arm]}`).join("");
}

function arc(arms: string, box: CellBox): string {
  const { middle, ends } = edgesOf(box);
  const [from = "", to = ""] = arms;
  return `M${ends[from]}Q${middle} ${ends[to]}`;
}

const round = (number: number): number => Math.round(number * 100) / 100;
