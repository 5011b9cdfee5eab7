import type { SummaryBlock } from "wave-agent-sdk";
import { shortCount } from "../utils/shortCount.ts";
import { boundLines, countOf, IN_SESSION } from "./bound.ts";
import { screenText } from "./screenText.ts";
import { fitLine, indented, span, type Line } from "./span.ts";
import { wrapSpans } from "./wrap.ts";

const OPEN_LINES = 400;

/** A compaction: one line about it, and opened the summary itself. */
export function summaryLines(
  block: SummaryBlock,
  { width, open, maxRows = OPEN_LINES }: { width: number; open: boolean; maxRows?: number | undefined },
): Line[] {
  const sign = span("≡ ", { tone: "accent" });
  const heading = `summary of ${countOf(block.covers, "message")}`;
  const facts = [
    ...sizes(block),
    ...(block.undone ? ["taken back"] : []),
    open ? "Ctrl-O folds it" : "Ctrl-O opens it",
  ];
  const head = fitLine(
    [sign, span(heading, { tone: "accent", bold: true }), span(` · ${facts.join(" · ")}`, { tone: "dim" })],
    width,
  );
  if (!open) return [head];
  const rows = wrapSpans([span(screenText(block.content.trim()))], width - 2);
  return [
    head,
    ...indented(boundLines(rows, Math.min(OPEN_LINES, maxRows), IN_SESSION), span("  "), span("  ")),
  ];
}

function sizes({ tokensBefore, tokensAfter }: SummaryBlock): string[] {
  if (tokensBefore === undefined || tokensAfter === undefined) return [];
  return [`${shortCount(tokensBefore)} → about ${shortCount(tokensAfter)} tokens`];
}
