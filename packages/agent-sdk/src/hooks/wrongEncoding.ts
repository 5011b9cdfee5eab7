import { decides, isRecord, nearMiss } from "./outputFields.ts";

/** Why output that is no object for Wave is a decision all the same, written in a way in which nobody can read it. */
export function wronglyEncoded(text: string, looksDecided: (text: string) => boolean): string | undefined {
  if (text.includes("\0") && isWide(text, looksDecided)) return IN_UTF16;
  return text.includes('\\"') && linesInQuotes(text).some(isDecision) ? IN_A_TEXT : undefined;
}

const IN_A_TEXT =
  "it printed its JSON inside a text, as if encoded twice; print the object itself, without quotes around it";

const IN_UTF16 = "it printed what looks like JSON in UTF-16, which Wave does not read; print it in UTF-8";

/** Every other byte of plain letters in UTF-16 is zero, on whichever side. */
const isWide = (text: string, looksDecided: (text: string) => boolean) =>
  /\{\0|\0\{/.test(text) && looksDecided(text.replaceAll("\0", ""));

const linesInQuotes = (text: string): string[] =>
  text.match(/^[\uFEFF \t]*"\s*(?:\\[^\n]|[^"\\\n])*"[ \t\r]*$/gm) ?? [];

function isDecision(line: string): boolean {
  let value: unknown = line.replace(/^\uFEFF/, "");
  // Whoever encodes twice may do it once more.
  for (let times = 0; times < 4 && typeof value === "string"; times++) value = parsed(value);
  return isRecord(value) && Object.entries(value).some(([name, said]) => isDeciding(name, said));
}

const isDeciding = (name: string, said: unknown) => decides(name) || nearMiss(name, said)?.decides === true;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // SyntaxError: plain text in quotes.
    return undefined;
  }
}
