import { boundLines } from "./bound.ts";
import type { Notice } from "./notice.ts";
import { indented, lineWidth, span, splitLines, widthOf, type Line, type Span } from "./span.ts";
import { wrapLine } from "../panels/lines.ts";

/** On one line where it fits; a short heading begins the text, a long one stands above it. */
export function noticeLines(notice: Notice, options: { width: number; open: boolean }): Line[] {
  const { width } = options;
  const sign = span(`${notice.sign} `, { tone: notice.tone });
  const heading = span(notice.heading, { tone: notice.tone, bold: true });
  const colon = span(":", { tone: notice.tone, bold: true });
  const rest = span("  ");
  const bounded = (lines: readonly Line[]) => (options.open ? lines : boundLines(lines, notice.folded));

  if (notice.text === "") return indented(wrapped([heading], width - 2), sign, rest);
  const whole = [heading, colon, span(` ${notice.text}`)];
  const fits = !notice.text.includes("\n") && lineWidth(whole) + 2 <= width;
  if (fits || widthOf(notice.heading) * 3 <= width)
    return indented(bounded(wrapped(whole, width - 2)), sign, rest);
  return [
    ...indented(wrapped([heading, colon], width - 2), sign, rest),
    ...indented(bounded(wrapped([span(notice.text)], width - 2)), rest, rest),
  ];
}

/** A line that is too wide goes on under its first word. */
const wrapped = (spans: readonly Span[], width: number): Line[] =>
  splitLines(spans).flatMap((line) => wrapLine(line, Math.max(1, width)));
