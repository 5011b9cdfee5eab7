import type { FetchedPage } from "./fetchPage.ts";
import { toMarkdown } from "./markdown.ts";

type Page = Extract<FetchedPage, { is: "page" }>;

/** What a page says, for a model; or why it says nothing that could be read. */
export function readPageText({ url, type, body }: Page): {
  text: string;
  title?: string | undefined;
  problem?: string;
} {
  const [kind = ""] = type.toLowerCase().split(";");
  const mime = kind.trim();
  const isHtml =
    /^(?:text\/html|application\/xhtml\+xml)$/.test(mime) || (mime === "" && looksLikeHtml(body));
  if (!isHtml && !isText(mime, body))
    return {
      text: "",
      problem: `${url.href} is ${mime || "no text"}, ${body.length} bytes, which WebFetch cannot show; use Bash to download it.`,
    };
  const text = decode(body, charsetOf(type, isHtml ? body : undefined));
  if (!isHtml) return { text };
  const { markdown, title } = toMarkdown(text, url.href);
  return { text: markdown, title };
}

const isText = (mime: string, body: Buffer) =>
  /^text\/|[/+](?:json|xml|javascript|yaml|toml|x-ndjson|x-sh)$/.test(mime) ||
  (mime === "" && !body.includes(0));

const looksLikeHtml = (body: Buffer) =>
  /^\s*<(?:!doctype html|html|head|body)/i.test(body.toString("latin1", 0, 1_000));

/** The header's word counts more than the page's own. */
function charsetOf(type: string, html: Buffer | undefined): string {
  const said = /charset="?([\w-]+)/i.exec(type)?.[1];
  return (
    said ??
    /<meta[^>]{0,200}charset=["']?([\w-]+)/i.exec(html?.toString("latin1", 0, 4_000) ?? "")?.[1] ??
    "utf-8"
  );
}

function decode(body: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // A name that nobody knows: most such pages are UTF-8 after all.
    return new TextDecoder().decode(body);
  }
}
