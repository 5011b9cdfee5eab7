import type { ParseError } from "unbash";
import { shortened } from "../text.ts";
import { withinSteps } from "../steps.ts";
import { UnknownSyntax } from "./grammar.ts";

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
  if (beginnings > MOST_BEGINNINGS) return `it has more than ${MOST_BEGINNINGS} substitutions`;
  return lookedAhead(line) > MOST_LOOKED_AHEAD ? "it has too many brackets for its length" : undefined;
}

/** For each of these the parser may look for its end through all the rest of the line, so many take long in a long line. */
const LOOKS_AHEAD = /\{|[$<>]\(|\$\[/g;
/** What each costs for every character, measured. */
const COSTS: Readonly<Record<string, number>> = { "{": 1, "$(": 2, "<(": 2, ">(": 2, "$[": 4 };
const MOST_LOOKED_AHEAD = 100_000_000;

function lookedAhead(line: string): number {
  const openings = (line.match(LOOKS_AHEAD) ?? []).reduce((sum, opening) => sum + (COSTS[opening] ?? 0), 0);
  return openings * line.length;
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

/** What a line may take to be read: one can be made to take minutes. */
const READING_STEPS = 10_000_000;

/** Reads a line; otherwise why that did not come to its end. */
export function readWithinSteps<T>(read: () => T): { value: T } | { why: string } {
  try {
    return withinSteps(READING_STEPS, read) ?? { why: "it takes too many steps to read" };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { why: "it is nested too deeply" };
  }
}
