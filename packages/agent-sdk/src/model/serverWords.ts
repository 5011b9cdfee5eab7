import { SHORTEST_SECRET } from "../utils/maskSecrets.ts";
import { asRecord, asText, parseJson, type JsonRecord } from "./json.ts";

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

/** Everything a failure says that a program may look for: codes, the field it is about, and all of the words. */
export function serverText(body: string): string {
  const error = errorIn(body);
  const codes = [error?.["code"], error?.["type"], error?.["status"], error?.["param"]]
    .filter(isWord)
    .map(String);
  return [...codes, find(body).slice(0, LONGEST_LOOKED_AT)].join(" ");
}

const LONGEST_LOOKED_AT = 4_000;

const isWord = (value: unknown) => typeof value === "number" || (typeof value === "string" && value !== "");

export function looksLikeHtml(body: string): boolean {
  return /^\s*<(!doctype|html|head|body)/i.test(body);
}

function find(body: string): string {
  if (looksLikeHtml(body)) return /<title>([^<]*)<\/title>/i.exec(body)?.[1] ?? "";
  const error = errorIn(body);
  if (!error) return asText(asRecord(parseJson(body))?.["error"]) || body;
  const known = [error["message"], error["detail"], error["msg"], error["details"]];
  return known.map(wordsOf).find((text) => text !== undefined && text !== "") ?? body;
}

/** The object that describes the failure. Routers put it, as text, into one of their own. */
function errorIn(body: string): JsonRecord | undefined {
  const parsed = parseJson(body);
  // A list of one error is how Gemini answers.
  const record = asRecord(Array.isArray(parsed) ? parsed[0] : parsed);
  const error = record && (asRecord(record["error"]) ?? (asText(record["error"]) ? undefined : record));
  const routed = asText(asRecord(error?.["metadata"])?.["raw"]);
  return routed === undefined ? error : (errorIn(routed) ?? { ...error, message: routed });
}

/** Text, or the list of misfits that FastAPI and its like give: where, and what about it. */
function wordsOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const misfits = Array.isArray(value) ? value : asRecord(value)?.["detail"];
  if (!Array.isArray(misfits)) return asRecord(value) && JSON.stringify(value);
  return misfits.map(misfitText).join("; ");
}

function misfitText(misfit: unknown): string {
  const record = asRecord(misfit);
  const words = asText(record?.["msg"]);
  if (words === undefined) return JSON.stringify(misfit);
  const place = record?.["loc"];
  return Array.isArray(place) ? `${place.join(".")}: ${words}` : words;
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
