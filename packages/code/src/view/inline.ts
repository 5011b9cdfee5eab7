import type { Token, Tokens } from "marked";
import { screenText } from "./screenText.ts";
import { span, type Look, type Span } from "./span.ts";

/**
 * The tokens inside a paragraph, heading or cell. Line breaks stay. Made printable here once more, though the source was
 * already: `&#27;` becomes an escape character only when it is decoded, by the lexer in addresses and names, below in text.
 */
export function inlineSpans(tokens: readonly Token[] | undefined, look: Look = {}): Span[] {
  return (tokens ?? [])
    .flatMap((token) => inlineSpan(token, look))
    .map((one) => ({ ...one, text: screenText(one.text) }));
}

function inlineSpan(token: Token, look: Look): Span[] {
  switch (token.type) {
    case "strong":
      return inlineSpans(token.tokens, { ...look, bold: true });
    case "em":
      return inlineSpans(token.tokens, { ...look, italic: true });
    case "del":
      return inlineSpans(token.tokens, { ...look, strikethrough: true });
    case "codespan":
      return [span(textField(token), { ...look, tone: "accent" })];
    case "br":
      return [span("\n")];
    case "link":
      return link(token, look);
    case "image":
      return [span(imageName(token), { ...look, tone: "dim" })];
    case "checkbox":
      return [];
    case "html":
      // A tag means nothing here; shown, so that nothing hides in one.
      return /^<br\s*\/?>$/i.test(token.raw) ? [span("\n")] : [span(token.raw, { ...look, tone: "dim" })];
    case "escape":
      return [span(textField(token), look)];
    default:
      return "tokens" in token && token.tokens
        ? inlineSpans(token.tokens, look)
        : [span(decodeEntities(textField(token)), look)];
  }
}

/** The text, and the address where it leads, unless they are the same. */
function link(token: Tokens.Link | Tokens.Generic, look: Look): Span[] {
  const text = inlineSpans(token.tokens, { ...look, underline: true });
  const shown = text.map((one) => one.text).join("");
  const address: unknown = token["href"];
  if (typeof address !== "string" || address === "") return text;
  const same = [address, address.replace(/^mailto:/, ""), address.replace(/^https?:\/\//, "")].includes(
    shown,
  );
  return same ? text : [...text, span(` (${address})`, { ...look, tone: "dim" })];
}

function imageName(token: Tokens.Image | Tokens.Generic): string {
  const alt = textField(token);
  const address: unknown = token["href"];
  return `[image${alt ? `: ${alt}` : ""}]${typeof address === "string" ? ` (${address})` : ""}`;
}

function textField(token: Token): string {
  return "text" in token && typeof token.text === "string" ? token.text : token.raw;
}

const NAMED: Readonly<Record<string, string | undefined>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (raw, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? String(raw);
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : String(raw);
  });
}
