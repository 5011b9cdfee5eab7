import type { ParseError } from "unbash";
import { shortened } from "../utils/quoted.ts";
import { withinSharedTime } from "../utils/withinTime.ts";
import { UnknownSyntax } from "./shellGrammar.ts";

/** What Linux hands to a program as one argument. A longer line could not run, and reading it would hold up everything else. */
const MAX_LENGTH = 131_072;
/** Lines with more places that begin something of their own take the parser seconds, and nobody writes them. */
const MOST_BEGINNINGS = 2_000;
const BEGINNINGS = /\$\(|\$\{|`|[<>]\(|<</g;

export const CONTROL_CHARACTERS = "it contains control characters";

/** Why a line is not even looked at by whoever wants to know more about it. */
export function whyUnreadable(line: string): string | undefined {
  return whyTooMuch(line) ?? (hasControlCharacters(line) ? CONTROL_CHARACTERS : undefined);
}

export function whyTooMuch(line: string): string | undefined {
  if (line.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`;
  const beginnings = line.match(BEGINNINGS)?.length ?? 0;
  return beginnings > MOST_BEGINNINGS ? `it has more than ${MOST_BEGINNINGS} substitutions` : undefined;
}

export function hasControlCharacters(line: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\u0000-\u0008\u000b-\u001f\u007f]/.test(line);
}

/** Whoever wrote the line can mend it by this. bash may be of another mind: it reads some things in more ways than one. */
export function syntaxProblem(text: string, { message, pos }: ParseError): string {
  const before = text.slice(0, pos).split("\n");
  const rest = text.slice(pos).trim();
  const near = rest === "" ? "its end" : shortened(rest, 40);
  return `it does not read as a valid shell command: ${message} (line ${before.length}, column ${(before.at(-1) ?? "").length + 1}, at ${near})`;
}

/** Reads a line as far as it can be read; otherwise why not. */
export function whyBeyond(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof UnknownSyntax) return error.message;
    // The parser calls itself for what is nested, and some nesting no person writes is more than the stack holds.
    if (error instanceof RangeError) return "it is nested too deeply";
    throw error;
  }
}

/** What a line may take to be read or judged, in milliseconds: one can be made to take minutes. */
const READING_MS = 600;

/** Lines that could not be read, and why, so that nobody tries them again: each is looked at several times on its way. */
const unread = new Map<string, string>();
const MOST_UNREAD = 20;
/** Whoever reads a part of a line, for somebody who reads all of it, has the time that is left to that one. */
let isTimed = false;

/** Reads a line, or judges it; otherwise why that did not come to its end. */
export function readInTime<T>(line: string, read: () => T): { value: T } | { why: string } {
  const known = unread.get(line);
  if (known !== undefined) return { why: known };
  let why = "it takes too long to read";
  try {
    const done = isTimed ? { value: read() } : timed(read);
    if (done) return done;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    why = "it is nested too deeply";
  }
  if (unread.size >= MOST_UNREAD) unread.clear();
  unread.set(line, why);
  return { why };
}

function timed<T>(read: () => T): { value: T } | undefined {
  isTimed = true;
  try {
    return withinSharedTime(READING_MS, read);
  } finally {
    isTimed = false;
  }
}

/** Judges a line; where that takes too long, once more as one that nobody can read. */
export function judgeInTime<T>(line: string, judge: () => T): T {
  const done = readInTime(line, judge);
  return "value" in done ? done.value : judge();
}
