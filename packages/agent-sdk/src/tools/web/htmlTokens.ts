/** One piece of a page, in its order. */
export type HtmlToken =
  | { is: "text"; text: string }
  | { is: "open"; name: string; attributes: string }
  | { is: "close"; name: string };

/** What stands in them is no HTML. */
const RAW = new Set(["script", "style", "textarea", "title", "noscript", "iframe", "xmp"]);

/**
 * Cuts a page into pieces, in one pass: whatever a page brings, each character is looked at a fixed number of times.
 * Broken pages are read as browsers read them, roughly: a `<` that begins no tag is text.
 */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf("<", at);
    if (tag === -1) return yield { is: "text", text: html.slice(at) };
    if (tag > at) yield { is: "text", text: html.slice(at, tag) };
    if (html.startsWith("<!--", tag)) {
      at = behind(html, "-->", tag + 4);
      continue;
    }
    const next = html[tag + 1] ?? "";
    if (next === "!" || next === "?") {
      at = behind(html, ">", tag);
      continue;
    }
    const name = nameAt(html, next === "/" ? tag + 2 : tag + 1);
    if (name === "") {
      yield { is: "text", text: "<" };
      at = tag + 1;
      continue;
    }
    const end = tagEnd(html, tag + 1);
    const lower = name.toLowerCase();
    if (next === "/") yield { is: "close", name: lower };
    else yield { is: "open", name: lower, attributes: html.slice(tag + 1 + name.length, end) };
    at = end + 1;
    if (next !== "/" && RAW.has(lower)) {
      const close = closingTag(html, lower, at);
      yield { is: "text", text: html.slice(at, close) };
      at = close;
    }
  }
}

/** The value of an attribute, with its entities read. */
export function attribute(attributes: string, name: string): string | undefined {
  for (const [, key, double, single, bare] of attributes.matchAll(
    /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
  )) {
    if (key?.toLowerCase() === name) return readEntities(double ?? single ?? bare ?? "").trim();
  }
  return undefined;
}

function behind(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from);
  return found === -1 ? html.length : found + text.length;
}

const NAME = /[a-z][^\s/>]*/iy;

function nameAt(html: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(html)?.[0] ?? "";
}

/** The `>` that ends a tag: one in quotes belongs to a value. */
function tagEnd(html: string, from: number): number {
  let quote = "";
  for (let at = from; at < html.length; at++) {
    const char = html.charAt(at);
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === ">") return at;
    else if ((char === '"' || char === "'") && html.charAt(at - 1) === "=") quote = char;
  }
  return html.length;
}

function closingTag(html: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}[\\s/>]`, "gi");
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}

/** The named ones that pages use for more than decoration. Others stay as they are written, which a reader still understands. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  copy: "©",
  reg: "®",
  trade: "™",
  times: "×",
  larr: "←",
  rarr: "→",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
  eacute: "é",
  egrave: "è",
  agrave: "à",
  ccedil: "ç",
  euro: "€",
  pound: "£",
  sect: "§",
  deg: "°",
  para: "¶",
  shy: "",
  zwnj: "",
};

export function readEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));?/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return (Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)
      ? String.fromCodePoint(code)
      : "\u{fffd}";
  });
}
