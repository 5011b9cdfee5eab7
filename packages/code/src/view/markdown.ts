import { Lexer, type Token, type Tokens } from "marked";
import { withinTime } from "wave-agent-sdk";
import { codeLines, type Highlight } from "./code.ts";
import { inlineSpans } from "./inline.ts";
import { screenText } from "./screenText.ts";
import { indented, span, splitLines, type Line } from "./span.ts";
import { tableLines } from "./table.ts";
import { wrapSpans } from "./wrap.ts";

export interface MarkdownOptions {
  width: number;
  /** More is coming: what the last line will be is not known yet. */
  streaming?: boolean | undefined;
  highlight?: Highlight | undefined;
}

/** Markdown as rows of the screen. Also what is half written or broken gives rows: nothing of the text is lost. */
export function renderMarkdown(source: string, options: MarkdownOptions): Line[] {
  const text = screenText(options.streaming ? withoutHalfRule(source) : source);
  return (isTooSlow(text) ? undefined : drawn(text, options)) ?? wrapSpans([span(text)], options.width);
}

/** In milliseconds. Ten thousand stars take the lexer minutes, and nobody could press a key meanwhile. */
const DRAWING_MS = 300;

/** What took longer. While an answer streams in, the next text begins like the one before. */
let tooSlow: string | undefined;
const isTooSlow = (text: string) => tooSlow !== undefined && text.startsWith(tooSlow);

function drawn(text: string, options: MarkdownOptions): Line[] | undefined {
  try {
    const done = withinTime(DRAWING_MS, () => blocks(new Lexer({ gfm: true }).lex(text), options));
    if (!done) tooSlow = text;
    return done?.value;
  } catch (error) {
    // RangeError: a thousand nested quotes are more than the stack holds.
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** A last line of dashes makes a heading of the line before it, for the moment until the list item they begin is there. */
function withoutHalfRule(source: string): string {
  return source.replace(/\n[-=|: \t]+$/, "");
}

function blocks(tokens: readonly Token[], options: MarkdownOptions): Line[] {
  const lines: Line[] = [];
  for (const token of tokens) {
    const own = block(token, options);
    if (own.length === 0) continue;
    if (lines.length > 0) lines.push([]);
    lines.push(...own);
  }
  return lines;
}

function block(token: Token, options: MarkdownOptions): Line[] {
  const { width } = options;
  switch (token.type) {
    case "space":
      return [];
    case "heading": {
      const top = token.depth === 1 ? { underline: true } : {};
      return wrapSpans(inlineSpans(token.tokens, { bold: true, tone: "accent", ...top }), width);
    }
    case "code":
      return indented(
        codeLines(field(token, "text"), {
          language: field(token, "lang"),
          width: width - 2,
          highlight: options.highlight,
        }),
        span("  "),
        span("  "),
      );
    case "blockquote": {
      const bar = span("│ ", { tone: "dim" });
      return indented(blocks(token.tokens ?? [], narrower(options, 2)), bar, bar);
    }
    case "list":
      return isList(token) ? list(token, options) : [];
    case "table":
      return isTable(token) ? tableLines(token, width) : [];
    case "hr":
      return [[span("─".repeat(Math.min(width, 40)), { tone: "dim" })]];
    case "html":
    case "def":
      return wrapSpans([span(token.raw.trimEnd(), { tone: "dim" })], width);
    case "paragraph":
    case "text":
      return wrapSpans(token.tokens ? inlineSpans(token.tokens) : inlineSpans([token]), width);
    default:
      return splitLines([span(token.raw.trimEnd())]);
  }
}

function list(token: Tokens.List, options: MarkdownOptions): Line[] {
  const first = typeof token.start === "number" ? token.start : 1;
  const signWidth = token.ordered ? String(first + token.items.length - 1).length + 2 : 2;
  return token.items.flatMap((item, index) => {
    const sign = token.ordered ? `${first + index}. `.padStart(signWidth) : "• ";
    const task = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
    const indent = signWidth + task.length;
    const inner = narrower(options, indent);
    // In a tight list nothing stands between an item and the list below it.
    const parts = item.tokens.filter(({ type }) => type !== "checkbox");
    const lines = item.loose ? blocks(parts, inner) : parts.flatMap((part) => block(part, inner));
    const shown = lines.length === 0 ? [[]] : lines;
    const gap = token.loose && index > 0 ? [[]] : [];
    return [...gap, ...indented(shown, span(sign + task, { tone: "accent" }), span(" ".repeat(indent)))];
  });
}

/** Deep nesting must not leave a column of single letters. */
function narrower(options: MarkdownOptions, by: number): MarkdownOptions {
  return { ...options, width: Math.max(16, options.width - by) };
}

function field(token: Token, name: "text" | "lang"): string {
  const value: unknown = name in token ? Reflect.get(token, name) : undefined;
  return typeof value === "string" ? screenText(value) : "";
}

const isList = (token: Token): token is Tokens.List => token.type === "list";
const isTable = (token: Token): token is Tokens.Table => token.type === "table";
