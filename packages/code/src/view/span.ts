import stringWidth from "string-width";
import type { Tone } from "../theme.ts";
import { NARROW } from "./narrow.ts";

/** A piece of a line that looks the same throughout. Its text holds nothing a terminal would act on. */
export interface Span {
  readonly text: string;
  readonly tone?: Tone;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strikethrough?: boolean;
  readonly inverse?: boolean;
}

/** One row of the screen. */
export type Line = readonly Span[];

export type Look = Omit<Span, "text">;

export const span = (text: string, look: Look = {}): Span => ({ ...look, text });

export function widthOf(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

export function textOf(line: Line): string {
  return line.map(({ text }) => text).join("");
}

/** Cuts at line breaks. */
export function splitLines(spans: readonly Span[]): Line[] {
  const lines: Span[][] = [[]];
  for (const one of spans) {
    one.text.split("\n").forEach((text, index) => {
      if (index > 0) lines.push([]);
      if (text !== "") lines.at(-1)?.push({ ...one, text });
    });
  }
  return lines;
}

/** Puts `first` before the first line and `rest` before the others. */
export function indented(lines: readonly Line[], first: Span, rest: Span): Line[] {
  return lines.map((line, index) => [index === 0 ? first : rest, ...line]);
}

/** At most `width` columns, with a sign where something was cut. */
export function fitLine(line: Line, width: number): Line {
  if (lineWidth(line) <= width) return line;
  const fitting: Span[] = [];
  let left = width - 1;
  for (const one of line) {
    const text = headOf(one.text, left);
    left -= widthOf(text);
    if (text !== "") fitting.push({ ...one, text });
    if (text.length < one.text.length) break;
  }
  return width > 0 ? [...fitting, span("…", { tone: "dim" })] : [];
}

export function fitText(text: string, width: number): string {
  return textOf(fitLine([span(text)], width));
}

/** The longest beginning that has at most `width` columns; never half a character. */
export function headOf(text: string, width: number): string {
  if (NARROW.test(text)) return text.slice(0, Math.max(0, width));
  let head = "";
  let used = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += widthOf(segment);
    if (used > width) break;
    head += segment;
  }
  return head;
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
