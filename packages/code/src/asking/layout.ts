import stringWidth from "string-width";
import { wrapSpans } from "../view/wrap.ts";
import type { ShownChange } from "./change.ts";
import type { Description, Section } from "./describe.ts";
import { count } from "./sizes.ts";
import type { Piece, VisibleLine } from "./visibleText.ts";

export interface Row {
  tone: "input" | "before" | "after" | "heading" | "plain";
  /** What stands before the text. A line that goes on in the next row gets another one, so a break cannot be faked. */
  gutter: string;
  pieces: readonly Piece[];
}

/** The body of the dialog, as rows that fit the width. */
export interface Body {
  notKept: readonly Row[];
  /** What would run, and what was changed. */
  input: readonly Row[];
  askedBy: readonly Row[];
  attempts: readonly Row[];
  because: readonly Row[];
  folder: readonly Row[];
  next: readonly Row[];
  noRule: readonly Row[];
}

/** Where the folder stands: beside the title, where both fit, or in a row of its own. */
export type FolderPlace = "in-title" | "own-row";

export function layOut(description: Description, width: number, place: FolderPlace = "own-row"): Body {
  const { input, change, changes, attempts, folder, next, notKept, whyNoRule } = description;
  const own = folder !== undefined && place === "own-row" ? [`in ${folder}`] : [];
  return {
    notKept: prose(notKept, width),
    input: [
      ...input.flatMap((section) => sectionRows(section, width)),
      ...(change ? changeRows(change, width) : []),
      ...changes.flatMap((section) => sectionRows(section, width)),
    ],
    ...whyRows(description, width),
    attempts: prose(attempts.map(line), width),
    folder: prose(own.map(line), width),
    next: prose(next === undefined ? [] : [line(next)], width),
    noRule: prose(whyNoRule === undefined ? [] : [line(whyNoRule)], width),
  };
}

/** Who asks and why, in one row where that fits. */
function whyRows({ askedBy, reason }: Description, width: number): Pick<Body, "askedBy" | "because"> {
  if (askedBy === undefined) return { askedBy: [], because: prose(reason, width) };
  const [first = [], ...others] = reason;
  const together = prose([[plain(`${askedBy}: `), ...first]], width);
  if (together.length === 1 && others.length === 0) return { askedBy: [], because: together };
  return { askedBy: prose([line(`asked by ${askedBy}`)], width), because: prose(reason, width) };
}

const GUTTERS = {
  input: { first: "│ ", next: "┊ " },
  before: { first: "- ", next: "┊ " },
  after: { first: "+ ", next: "┊ " },
} as const;

function sectionRows(section: Section, width: number): Row[] {
  const { first, next } = GUTTERS[section.tone];
  const rows = section.lines.flatMap((line) =>
    wrapLine(line, width - first.length).map((pieces, index): Row => ({
      tone: section.tone,
      gutter: index === 0 ? first : next,
      pieces,
    })),
  );
  const shown = section.length === 0 ? [] : rows;
  const title = titleOf(section, rows.length);
  return title === "" ? shown : [...heading(title, width), ...shown];
}

const SIGNS = { same: "  ", added: "+ ", removed: "- " } as const;
const TONES = { same: "plain", added: "after", removed: "before" } as const;

/** Number, sign, text. The sign is part of the text's colour, and says the same without it. */
function changeRows({ heading: title, rows }: ShownChange, width: number): Row[] {
  const digits = Math.max(...rows.map((row) => (row.is === "gap" ? 0 : String(row.number ?? "").length)), 0);
  const lines = rows.flatMap((row): Row[] => {
    if (row.is === "gap")
      return [{ tone: "heading", gutter: `${" ".repeat(digits)} `, pieces: [plain("⋯")] }];
    const sign = SIGNS[row.is];
    const [number, blank] = [String(row.number ?? "").padStart(digits), " ".repeat(digits)];
    return wrapLine(row.line, width - digits - 1 - sign.length).map((pieces, index): Row => ({
      tone: TONES[row.is],
      gutter: index === 0 ? `${number} ` : `${blank} ┊ `,
      pieces: index === 0 ? [plain(sign), ...pieces] : pieces,
    }));
  });
  return [...heading(title, width), ...lines];
}

/** A text that is seen whole needs no number; one that is not, or is not what it seems, says how long it is. */
function titleOf({ heading: name, length, hidden, lines }: Section, rows: number): string {
  const size = rows > lines.length || rows > 3 || hidden > 0 ? count(length, "character") : "";
  const sized = name.includes("character") ? "" : size;
  return [name, sized, hidden > 0 ? `${hidden} hidden` : ""].filter(Boolean).join(", ");
}

function heading(text: string, width: number): Row[] {
  return wrapProse([plain(text)], width).map((pieces) => ({ tone: "heading", gutter: "", pieces }));
}

function prose(lines: readonly VisibleLine[], width: number): Row[] {
  return lines
    .flatMap((one) => wrapProse(one, width))
    .map((pieces) => ({ tone: "plain", gutter: "", pieces }));
}

/** Sentences break at blanks, whatever letters they have. */
export function wrapProse(line: VisibleLine, width: number): Piece[][] {
  const spans = line.map(({ text, hidden }) => ({ text, inverse: hidden }));
  return wrapSpans(spans, width).map((row) =>
    row.map(({ text, inverse = false }) => ({ text, hidden: inverse })),
  );
}

/** Cuts a text between its words, or anywhere where that takes fewer rows: on the smallest screen there are none to spare. */
export function wrapWords(text: string, width: number): string[] {
  const whole = [{ text, hidden: false }];
  const [words, cut] = [wrapProse(whole, width), wrapLine(whole, width)];
  return (words.length > cut.length ? cut : words).map((row) => row.map((piece) => piece.text).join(""));
}

const line = (text: string): VisibleLine => [plain(text)];

const plain = (text: string): Piece => ({ text, hidden: false });

/** Cuts a line into rows. Not at blanks: a command is shown as it is, and a break there would look like one of its own. */
export function wrapLine(line: VisibleLine, width: number): Piece[][] {
  const room = Math.max(1, width);
  const rows: Piece[][] = [[]];
  let used = 0;
  for (const piece of line) {
    for (const { text, columns } of cut(piece.text, room, () => room - used)) {
      if (used + columns > room) {
        rows.push([]);
        used = 0;
      }
      rows.at(-1)?.push({ ...piece, text });
      used += columns;
    }
  }
  return rows;
}

interface Chunk {
  text: string;
  columns: number;
}

/** Pieces that fit what is left of the row, then whole rows. Plain ASCII, nearly everything, is cut by counting. */
function* cut(text: string, room: number, left: () => number): Generator<Chunk> {
  let rest = text;
  while (rest !== "") {
    const space = left() > 0 ? left() : room;
    const head = rest.slice(0, space);
    const chunk = /^[ -~]*$/.test(head) ? { text: head, columns: head.length } : measured(rest, space, room);
    yield chunk;
    rest = rest.slice(chunk.text.length);
  }
}

const letters = new Intl.Segmenter();

/** As many letters as fit; at least one, and then the row it goes to is a new one. */
function measured(rest: string, space: number, room: number): Chunk {
  let text = "";
  let columns = 0;
  // A letter takes at most a handful of code units; a window keeps a megabyte from being segmented for one row.
  for (const { segment } of letters.segment(rest.slice(0, space * 16 + 64))) {
    const width = Math.min(stringWidth(segment), room);
    if (text !== "" && columns + width > space) break;
    text += segment;
    columns += width;
    if (columns >= space) break;
  }
  return { text, columns };
}
