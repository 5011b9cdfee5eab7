import { boundLines } from "./bound.ts";
import type { Notice } from "./notice.ts";
import { indented, lineWidth, span, widthOf, type Line } from "./span.ts";
import { wrapSpans } from "./wrap.ts";

/** On one line where it fits; a short heading begins the text, a long one stands above it. */
export function noticeLines(notice: Notice, options: { width: number; open: boolean }): Line[] {
  const { width } = options;
  const sign = span(`${notice.sign} `, { tone: notice.tone });
  const heading = span(notice.heading, { tone: notice.tone, bold: true });
  const colon = span(":", { tone: notice.tone, bold: true });
  const rest = span("  ");
  const bounded = (lines: readonly Line[]) => (options.open ? lines : boundLines(lines, notice.folded));

  if (notice.text === "") return indented(wrapSpans([heading], width - 2), sign, rest);
  const whole = [heading, colon, span(` ${notice.text}`)];
  const fits = !notice.text.includes("\n") && lineWidth(whole) + 2 <= width;
  if (fits || widthOf(notice.heading) * 3 <= width)
    return indented(bounded(wrapSpans(whole, width - 2)), sign, rest);
  return [
    ...indented(wrapSpans([heading, colon], width - 2), sign, rest),
    ...indented(bounded(wrapSpans([span(notice.text)], width - 2)), rest, rest),
  ];
}
