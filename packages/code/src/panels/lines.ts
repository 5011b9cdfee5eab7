import { printableLine } from "../utils/printable.ts";
import { fitLine, lineWidth, span, textOf, widthOf, type Line, type Look, type Span } from "../view/span.ts";
import { wrapSpans } from "../view/wrap.ts";

/** What a piece of text in a panel means. */
export type Meaning = "plain" | "strong" | "dim" | "good" | "warn" | "bad" | "accent";

const LOOKS: Record<Meaning, Look> = {
  plain: {},
  strong: { bold: true },
  dim: { tone: "dim" },
  good: { tone: "added" },
  warn: { tone: "warning" },
  bad: { tone: "danger" },
  accent: { tone: "accent" },
};

/** The only way from somebody else's text into a panel: what could control the terminal becomes visible here. */
export const say = (meaning: Meaning, text: string): Span => span(printableLine(text), LOOKS[meaning]);

/** The beginning of a text that is too wide, with a mark where it was cut. */
export const cut = (text: string, width: number): string => textOf(fitLine([span(text)], width));

/** The end of a text that is too wide: of a path, the end is what tells files apart. */
export function cutStart(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width < 1) return "";
  let end = "";
  for (const letter of graphemes(text).toReversed()) {
    if (widthOf(letter + end) > width - 1) break;
    end = letter + end;
  }
  return `…${end}`;
}

export const pad = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - widthOf(text)));

/** Left and right with the space between them; where both do not fit, the left side is cut. */
export function spread(left: Line, right: Line, width: number): Line {
  if (right.length === 0) return fitLine(left, width);
  const end = fitLine(right, width);
  const room = width - lineWidth(end) - 1;
  if (room < 1) return end;
  const start = fitLine(left, room);
  return [...start, span(" ".repeat(width - lineWidth(start) - lineWidth(end))), ...end];
}

/** Breaks a line at blanks; what follows hangs under its first word. */
export function wrapLine(line: Line, width: number): Line[] {
  if (lineWidth(line) <= width) return [line];
  const blanks = /^ */.exec(textOf(line))?.[0].length ?? 0;
  const indent = Math.min(blanks, Math.floor(width / 2));
  return hanging(span(" ".repeat(indent)), withoutStart(line, blanks), width);
}

/** `label` before the first line, as many blanks before the others. */
export function hanging(label: Span, value: Line, width: number): Line[] {
  const indent = widthOf(label.text);
  return wrapSpans(value, Math.max(1, width - indent)).map((line, index) => [
    index === 0 ? label : span(" ".repeat(indent)),
    ...line,
  ]);
}

function withoutStart(line: Line, blanks: number): Line {
  let left = blanks;
  return line.map((one) => {
    const taken = Math.min(left, one.text.length);
    left -= taken;
    return { ...one, text: one.text.slice(taken) };
  });
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const graphemes = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);
