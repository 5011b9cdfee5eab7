import { attribute, htmlTokens, readEntities, type HtmlToken } from "./htmlTokens.ts";

/** What no reader sees. */
const UNSEEN = new Set(["script", "style", "noscript", "template", "svg", "iframe", "head", "object"]);
/** They begin and end a paragraph. */
const BLOCKS = new Set(
  "address article aside body details dialog div dl dt dd fieldset figcaption figure footer form header main nav p section summary table ul ol".split(
    " ",
  ),
);
const MARKS: Readonly<Record<string, string>> = {
  strong: "**",
  b: "**",
  em: "*",
  i: "*",
  del: "~~",
  s: "~~",
};

export interface PageText {
  title: string | undefined;
  markdown: string;
}

/** A page as its readers see it: headings, lists, tables, code and links; `base` completes the links. */
export function toMarkdown(html: string, base: string): PageText {
  const page = new Page(base);
  for (const token of htmlTokens(html)) page.add(token);
  return page.text();
}

/** Deeper lists and quotations are drawn at this depth: no page means more, and indentation must not outgrow the text. */
const DEEPEST = 8;
const LONGEST_LINE = 4_000;

class Page {
  readonly #base: string;
  readonly #lines: string[] = [];
  #line = "";
  #title: string | undefined;
  #inTitle = false;
  /** Name of the unseen element that is open, and how often. */
  #unseen: { name: string; depth: number } | undefined;
  #pre = 0;
  #quotes = 0;
  readonly #lists: { ordered: boolean; count: number }[] = [];
  readonly #links: { href: string | undefined; from: number; line: number }[] = [];
  #cells: string[] | undefined;
  #isFirstRow = true;

  constructor(base: string) {
    this.#base = base;
  }

  add(token: HtmlToken): void {
    if (token.is === "text") return this.#addText(token.text);
    const { name } = token;
    if (name === "title" && this.#title === undefined) {
      this.#inTitle = token.is === "open";
      return;
    }
    if (this.#unseen) {
      if (this.#unseen.name !== name) return;
      this.#unseen.depth += token.is === "open" ? 1 : -1;
      if (this.#unseen.depth === 0) this.#unseen = undefined;
      return;
    }
    if (token.is === "open") this.#open(name, token.attributes);
    else this.#close(name);
  }

  text(): PageText {
    this.#endRow();
    this.#endLine();
    const markdown = this.#lines
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim();
    return { title: this.#title, markdown };
  }

  #addText(text: string): void {
    if (this.#inTitle) {
      this.#title = oneLine(readEntities(text)) || undefined;
      this.#inTitle = false;
      return;
    }
    if (this.#unseen) return;
    const read = readEntities(text);
    if (this.#pre > 0) {
      const [first = "", ...others] = read.split("\n");
      this.#write(first);
      for (const line of others) {
        this.#endLine();
        this.#write(line);
      }
      return;
    }
    const words = read.replaceAll(/\s+/g, " ");
    this.#write(this.#line === "" || this.#line.endsWith(" ") ? words.trimStart() : words);
  }

  /** What closes a link or a mark looks at the line so far, so no line may grow with the page. */
  #write(text: string): void {
    this.#line += text;
    if (this.#line.length > LONGEST_LINE) this.#endLine();
  }

  #open(name: string, attributes: string): void {
    if (UNSEEN.has(name)) {
      if (!attributes.endsWith("/")) this.#unseen = { name, depth: 1 };
      return;
    }
    const heading = /^h([1-6])$/.exec(name);
    if (heading) {
      this.#blank();
      return this.#write(`${"#".repeat(Number(heading[1]))} `);
    }
    if (BLOCKS.has(name)) this.#blankBefore(name);
    switch (name) {
      case "br":
        return this.#endLine();
      case "hr":
        this.#blank();
        this.#write("---");
        return this.#blank();
      case "ul":
      case "ol":
        this.#lists.push({ ordered: name === "ol", count: 0 });
        return;
      case "li":
        return this.#beginItem();
      case "blockquote":
        this.#blank();
        this.#quotes++;
        return;
      case "pre":
        this.#blank();
        if (this.#pre++ === 0) this.#push("```");
        return;
      case "code":
      case "kbd":
        return this.#pre === 0 ? this.#write("`") : undefined;
      case "a":
        this.#links.push({
          href: this.#address(attributes, "href"),
          from: this.#line.length,
          line: this.#lines.length,
        });
        return;
      case "img": {
        const [alt, src] = [attribute(attributes, "alt") ?? "", this.#address(attributes, "src")];
        return alt !== "" && src !== undefined ? this.#write(`![${oneLine(alt)}](${src})`) : undefined;
      }
      case "table":
        this.#isFirstRow = true;
        return;
      case "tr":
        this.#endRow();
        this.#endLine();
        this.#cells = [];
        return;
      case "td":
      case "th":
        return this.#endCell();
      default:
        if (this.#pre === 0) this.#write(MARKS[name] ?? "");
    }
  }

  #close(name: string): void {
    if (/^h[1-6]$/.test(name)) return this.#blank();
    switch (name) {
      case "ul":
      case "ol":
        this.#endLine();
        this.#lists.pop();
        break;
      case "li":
        return this.#endLine();
      case "blockquote":
        this.#endLine();
        this.#quotes = Math.max(0, this.#quotes - 1);
        return this.#blank();
      case "pre":
        if (this.#pre === 0) return;
        this.#pre--;
        if (this.#pre > 0) return;
        this.#endLine();
        this.#push("```");
        return this.#blank();
      case "code":
      case "kbd":
        return this.#pre === 0 ? this.#write("`") : undefined;
      case "a":
        return this.#endLink();
      case "td":
      case "th":
        return;
      case "tr":
        return this.#endRow();
      default:
        if (this.#pre === 0 && MARKS[name] !== undefined) return this.#endMark(MARKS[name]);
    }
    if (BLOCKS.has(name)) this.#blankBefore(name);
  }

  /** A blank before the closing stars would make them plain stars. */
  #endMark(mark: string): void {
    const text = this.#line.trimEnd();
    this.#line = `${text}${mark}${this.#line.slice(text.length)}`;
  }

  /** Lists inside of lists and paragraphs inside of items stand close. */
  #blankBefore(name: string): void {
    if (this.#lists.length > 0 && (name === "ul" || name === "ol" || name === "p" || name === "div")) {
      if (/^\s*(?:-|\d+\.) $/.test(this.#line)) return;
      this.#endLine();
    } else this.#blank();
  }

  #beginItem(): void {
    this.#endLine();
    const list = this.#lists.at(-1) ?? { ordered: false, count: 0 };
    list.count++;
    const depth = Math.min(DEEPEST, Math.max(0, this.#lists.length - 1));
    this.#write(`${"  ".repeat(depth)}${list.ordered ? `${list.count}.` : "-"} `);
  }

  #endLink(): void {
    const link = this.#links.pop();
    if (!link || link.href === undefined || link.line !== this.#lines.length) return;
    const words = this.#line.slice(link.from).trim();
    // A link without words is a picture or a button.
    if (words === "" || words.includes("](")) return;
    this.#line = `${this.#line.slice(0, link.from)}[${words}](${link.href})`;
  }

  /** Undefined for places of the page itself and for scripts. */
  #address(attributes: string, name: string): string | undefined {
    const written = attribute(attributes, name);
    if (written === undefined || written === "" || /^(?:#|javascript:|data:)/i.test(written))
      return undefined;
    return URL.canParse(written, this.#base) ? new URL(written, this.#base).href : undefined;
  }

  /** The first "cell" of a row is what stands before it: nothing, in a page that is right. */
  #endCell(): void {
    if (this.#cells === undefined) return;
    this.#cells.push(oneLine(this.#line));
    this.#line = "";
  }

  #endRow(): void {
    if (this.#cells === undefined) return;
    this.#endCell();
    const [before = "", ...rest] = this.#cells;
    const cells = before === "" ? rest : [before, ...rest];
    this.#cells = undefined;
    if (cells.length === 0) return;
    this.#push(`| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
    if (this.#isFirstRow) this.#push(`|${" --- |".repeat(cells.length)}`);
    this.#isFirstRow = false;
  }

  #blank(): void {
    this.#endLine();
    if (this.#cells === undefined && /[^> ]/.test(this.#lines.at(-1) ?? ">")) this.#push("");
  }

  /** A cell has one line. */
  #endLine(): void {
    if (this.#cells !== undefined) {
      if (this.#line.length > LONGEST_LINE) this.#endCell();
      else if (!this.#line.endsWith(" ")) this.#line += " ";
      return;
    }
    const line = this.#pre > 0 ? this.#line : this.#line.trimEnd();
    this.#line = "";
    if (line !== "" || this.#pre > 0) this.#push(line);
  }

  #push(line: string): void {
    this.#lines.push(`${"> ".repeat(Math.min(DEEPEST, this.#quotes))}${line}`.trimEnd());
  }
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
