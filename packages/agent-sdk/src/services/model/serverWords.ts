import { SHORTEST_SECRET } from "../../utils/maskSecrets.ts";
import { asRecord, asText, parseJson } from "./json.ts";

const LONGEST = 300;

/** What a server said about its failure: one line, bounded, safe to print on a terminal, and never with the key in it. */
export function serverWords(body: string, apiKey: string | undefined): string {
  const clean = withoutKey(find(body), apiKey)
    // Escape sequences from a server would otherwise be obeyed by the user's terminal.
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .replace(/[.;:]+$/, "");
  return clean.length <= LONGEST ? clean : `${clean.slice(0, LONGEST)}…`;
}

/** Machine-readable codes, which say more than the sentence beside them. */
export function errorCodes(body: string): string {
  const record = asRecord(parseJson(body));
  const error = asRecord(record?.["error"]) ?? record;
  return [error?.["code"], error?.["type"]].map((value) => asText(value) ?? "").join(" ");
}

export function looksLikeHtml(body: string): boolean {
  return /^\s*<(!doctype|html|head|body)/i.test(body);
}

function find(body: string): string {
  if (looksLikeHtml(body)) return /<title>([^<]*)<\/title>/i.exec(body)?.[1] ?? "";
  const parsed = parseJson(body);
  // A list of one error is how Gemini answers.
  const record = asRecord(Array.isArray(parsed) ? parsed[0] : parsed);
  if (!record) return body;
  const error = asRecord(record["error"]);
  const known = [error?.["message"], record["error"], record["message"], record["detail"]];
  return known.map(asText).find((text) => text !== undefined && text !== "") ?? body;
}

/**
 * Servers of one's own are often given a word for a key ("x", "ollama"). So short a key is hidden only where it stands alone:
 * nobody could keep it secret, and hidden everywhere it would make the server's words unreadable.
 */
function withoutKey(text: string, apiKey: string | undefined): string {
  if (!apiKey) return text;
  if (apiKey.length >= SHORTEST_SECRET) return text.replaceAll(apiKey, "[key]");
  return text.replaceAll(new RegExp(`(?<![\\w-])${RegExp.escape(apiKey)}(?![\\w-])`, "g"), "[key]");
}
