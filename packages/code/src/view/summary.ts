import type { SummaryBlock } from "wave-agent-sdk";
import { shortCount } from "../utils/shortCount.ts";
import { countOf, OPENS } from "./bound.ts";
import { screenText } from "./screenText.ts";
import { fitLine, indented, span, type Line } from "./span.ts";
import { wrapSpans } from "./wrap.ts";

/** A compaction: one line about it, and opened the summary itself. */
export function summaryLines(block: SummaryBlock, { width, open }: { width: number; open: boolean }): Line[] {
  const sign = span("≡ ", { tone: "accent" });
  const heading = `summary of ${countOf(block.covers, "message")}`;
  const facts = [
    ...sizes(block),
    ...(block.undone ? ["taken back"] : []),
    ...(open ? [] : [`${OPENS} opens it`]),
  ];
  const head = fitLine(
    [
      sign,
      span(heading, { tone: "accent", bold: true }),
      span(facts.map((fact) => ` · ${fact}`).join(""), { tone: "dim" }),
    ],
    width,
  );
  if (!open) return [head];
  const rows = wrapSpans([span(screenText(block.content.trim()))], width - 2);
  return [head, ...indented(rows, span("  "), span("  "))];
}

function sizes({ tokensBefore, tokensAfter }: SummaryBlock): string[] {
  if (tokensBefore === undefined || tokensAfter === undefined) return [];
  return [`${shortCount(tokensBefore)} → about ${shortCount(tokensAfter)} tokens`];
}
