import type { ImageBlock } from "wave-agent-sdk";
import { printableLine } from "../utils/printable.ts";
import { shortenPaths } from "../utils/shortPath.ts";
import { sizeOf } from "../utils/sizeOf.ts";
import { boundLines, countOf, OPENS, tailLines } from "./bound.ts";
import { renderMarkdown } from "./markdown.ts";
import { screenText } from "./screenText.ts";
import { fitLine, indented, span, textOf, type Line } from "./span.ts";
import { wrapSpans } from "./wrap.ts";

const PROMPT_LINES = 30;
const THINKING_LINES = 4;

/** What a person typed, as it was typed. A pasted megabyte shows its beginning. */
export function promptLines(content: string, options: { width: number; open: boolean }): Line[] {
  const rows = wrapSpans([span(screenText(content.trimEnd()), { bold: true })], options.width - 2);
  const shown = options.open ? rows : boundLines(rows, PROMPT_LINES);
  return indented(shown, span("> ", { tone: "accent", bold: true }), span("  "));
}

/** Folded to its beginning; while it streams in, its end. */
export function reasoningLines(
  content: string,
  { width, form }: { width: number; form: "folded" | "open" | "streaming" },
): Line[] {
  const look = { tone: "dim", italic: true } as const;
  const sign = span("∴ ", { tone: "dim" });
  const drawn = renderMarkdown(content.trim(), { width: width - 2, streaming: form === "streaming" });
  const rows = drawn.map((line) => line.map((one) => ({ ...one, ...look })));
  if (form === "streaming") return indented(tailLines(rows, THINKING_LINES, OPENS), sign, span("  "));
  if (form === "open") return indented(rows, sign, span("  "));
  if (rows.length === 1) return [[sign, ...(rows[0] ?? [])]];
  const rest = ` (${countOf(rows.length, "line")}, ${OPENS})`;
  return [
    [
      sign,
      ...fitLine([span(rows.map(textOf).join(" ").replaceAll(/\s+/g, " "), look)], width - 2 - rest.length),
      span(rest, { tone: "dim" }),
    ],
  ];
}

/** "── back to before: fix the tests ──" */
export function markLine(content: string, width: number): Line {
  const [before, after] = ["── ", " ──"].map((text) => span(text, { tone: "dim" }));
  const text = fitLine(
    [span(printableLine(content), { tone: "accent", bold: true })],
    Math.max(1, width - 6),
  );
  return before && after ? [before, ...text, after] : text;
}

export function imageLine(block: ImageBlock, options: { width: number; folder: string }): Line {
  const name = block.path === undefined ? "image" : `image ${shortenPaths(block.path, options.folder)}`;
  const bytes = Math.floor((block.data.replace(/=+$/, "").length * 3) / 4);
  const text = printableLine(`${name} (${block.mediaType}, ${sizeOf(bytes)})`);
  return fitLine([span("▣ ", { tone: "accent" }), span(text)], options.width);
}
