import { misspeltName, nearestName } from "../utils/nearestName.ts";
import { quoted } from "../utils/quoted.ts";
import { isToolOfClaudeCode, namesOfTool } from "./toolNames.ts";
import { wildcardMatches } from "../utils/wildcard.ts";
import { withinSharedTime } from "../utils/withinTime.ts";

export type MatcherKind = "all" | "names" | "globs" | "regex";

export interface Matcher {
  kind: MatcherKind;
  /** `known` lists the names a value can have: an item that matches none of them exactly is compared without case. */
  test(value: string, known?: readonly string[]): boolean;
}

type Compare = (item: string, value: string) => boolean;

const ONLY_NAMES = /^[A-Za-z0-9_\- ,|]+$/;
const ONLY_GLOBS = /^[A-Za-z0-9_\- ,|*?]+$/;
const equal: Compare = (item, value) => item === value;

/** Reads a matcher. A tool that has several names is matched by each of them that stands in it. */
export function compileMatcher(text: string | undefined): Matcher | { problem: string } {
  const matcher = matcherOf(text);
  if ("problem" in matcher) return matcher;
  const { kind } = matcher;
  const test: Matcher["test"] = (value, known) => matcher.test(value, known);
  const written = new Set(wordsOf(text ?? ""));
  const byOtherName = (value: string, known?: readonly string[]) =>
    namesOfTool(value).some((name) => written.has(name) && test(name, known));
  return { kind, test: (value, known) => test(value, known) || byOtherName(value, known) };
}

/** Which of the four kinds it is depends on its characters alone. */
function matcherOf(text: string | undefined): Matcher | { problem: string } {
  if (text === undefined || text === "" || text === "*") return { kind: "all", test: () => true };
  if (ONLY_NAMES.test(text)) return listMatcher("names", text, equal);
  if (ONLY_GLOBS.test(text)) return listMatcher("globs", text, wildcardMatches);
  try {
    const regex = new RegExp(text);
    return { kind: "regex", test: (value) => regexMatches(text, regex, value) };
  } catch (error) {
    return {
      problem: `the matcher ${quoted(text)} is not a valid regular expression (${syntaxError(error)})`,
    };
  }
}

/** What was compared before, by expression and value; "too slow" for an expression of which one value was enough. */
const compared = new Map<string, Map<string, boolean> | "too slow">();
const MOST_COMPARED = 1_000;
/** In milliseconds. Somebody else may have written the expression, and the model may name a tool as it likes. */
const MATCHING_MS = 300;

/** An expression that takes too long matches everything: a guard that is asked too often is no hole. */
function regexMatches(text: string, regex: RegExp, value: string): boolean {
  const known = compared.get(text) ?? new Map<string, boolean>();
  if (known === "too slow") return true;
  const before = known.get(value);
  if (before !== undefined) return before;
  const matches = testInTime(regex, value);
  if (compared.size + known.size >= MOST_COMPARED) compared.clear();
  compared.set(text, matches === undefined ? "too slow" : known.set(value, matches));
  return matches ?? true;
}

function testInTime(regex: RegExp, value: string): boolean | undefined {
  try {
    return withinSharedTime(MATCHING_MS, () => regex.test(value))?.value;
  } catch {
    // SyntaxError, RangeError: only now the engine finds that the expression is too large for it.
    return undefined;
  }
}

/** One sentence about all mistakes of a matcher. */
export function checkMatcher(
  text: string | undefined,
  known: readonly string[],
  what = "tool",
): string | undefined {
  const mistakes = matcherMistakes(text, known, what).map(({ message }) => message);
  return mistakes.length > 0 ? mistakes.join("; ") : undefined;
}

export interface MatcherMistake {
  message: string;
  /** The name that was probably meant. */
  nearest?: string | undefined;
  /** It matches what was probably meant all the same. */
  works?: true;
}

/**
 * Where a matcher cannot do what it seems to ask for, given the values it is compared with. `what` names them: "tool", or the
 * input field of an event that matches on something else.
 */
export function matcherMistakes(
  text: string | undefined,
  known: readonly string[],
  what = "tool",
): MatcherMistake[] {
  if (text === undefined) return [];
  const filter = argumentFilterIn(text, known);
  if (filter !== undefined) return [{ message: belongsInIf(filter), nearest: filter.tool }];
  const matcher = compileMatcher(text);
  if ("problem" in matcher) return [{ message: matcher.problem }];
  // Where anything may stand, such as the name of a sub-agent, nothing is misspelt.
  if (matcher.kind === "all" || known.length === 0) return [];

  const dead = !known.some((name) => matcher.test(name, known));
  if (matcher.kind === "regex") {
    if (compared.get(text) === "too slow") return [{ message: tooSlow(text, what), works: true }];
    return dead && !text.includes("mcp_") ? [unmatched(text, longestWord(text), known, what)] : [];
  }
  const compare = matcher.kind === "names" ? equal : wildcardMatches;
  return itemsOf(text).flatMap((item) => checkItem(item, { compare, known, what, dead }) ?? []);
}

/** Whether a matcher matches nothing although it has one of the names in it, or almost: somebody meant to guard that. */
export function isMisspelt(text: string | undefined, known: readonly string[]): boolean {
  const matcher = compileMatcher(text);
  if (text === undefined || "problem" in matcher || known.some((name) => matcher.test(name, known)))
    return false;
  // `*__write` is for tools of servers that are not connected yet.
  return wordsOf(text).some(
    (word) => !word.includes("__") && !isToolOfClaudeCode(word) && misspeltName(word, known) !== undefined,
  );
}

const tooSlow = (text: string, what: string) =>
  `the matcher ${quoted(text)} takes too long to compare, so its hooks run for every ${what}; write a simpler one`;

function listMatcher(kind: "names" | "globs", text: string, compare: Compare): Matcher | { problem: string } {
  const items = itemsOf(text);
  if (items.length === 0) {
    return { problem: `the matcher ${quoted(text)} has no name in it; leave it out to match everything` };
  }
  return {
    kind,
    test: (value, known = []) =>
      items.some((item) => {
        if (compare(item, value)) return true;
        const isExact = known.some((name) => compare(item, name));
        return !isExact && compare(item.toLowerCase(), value.toLowerCase());
      }),
  };
}

function itemsOf(text: string): string[] {
  return text
    .split(/[|,]/)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

interface ItemCheck {
  compare: Compare;
  known: readonly string[];
  what: string;
  /** No item of the whole matcher matches anything. */
  dead: boolean;
}

function checkItem(item: string, { compare, known, what, dead }: ItemCheck): MatcherMistake | undefined {
  if (known.some((name) => namesOfTool(name).some((one) => compare(item, one)))) return undefined;
  if (what === "tool" && isToolOfClaudeCode(item)) return dead ? notHere(item) : undefined;
  if (item.startsWith("mcp__")) return checkMcpName(item);
  // A glob such as `*__write` may be meant for tools of servers that are not connected yet.
  if (compare === wildcardMatches && item.includes("__")) return undefined;

  const otherCase = known.find((name) => compare(item.toLowerCase(), name.toLowerCase()));
  if (otherCase !== undefined) {
    if (compare === wildcardMatches) return undefined;
    const message = `${quoted(item)} is compared without case because no ${what} has exactly this name; did you mean ${quoted(otherCase)}?`;
    return { message, nearest: otherCase, works: true };
  }
  const words = item.split(" ").filter((word) => known.includes(word));
  if (words.length > 1) {
    const nearest = words.join("|");
    return {
      message: `${quoted(item)} is one name with spaces in it; did you mean ${quoted(nearest)}?`,
      nearest,
    };
  }
  // In a list whose other items match, a name of another program's tool is no mistake; a near miss is.
  const word = item.replaceAll(/[*?]/g, "");
  const isNear = nearestName(word, known) !== undefined;
  return dead || isNear ? unmatched(item, word, known, what) : undefined;
}

const notHere = (tool: string): MatcherMistake => ({
  message: `${quoted(tool)} is a tool of Claude Code that Wave does not have, so nothing is matched yet`,
});

function checkMcpName(item: string): MatcherMistake | undefined {
  const namesOnlyServer = !/[*?]/.test(item) && !item.slice("mcp__".length).includes("__");
  if (!namesOnlyServer) return undefined;
  const nearest = `${item}__*`;
  return {
    message: `${quoted(item)} names a server and no tool; write ${quoted(nearest)} for all of its tools`,
    nearest,
  };
}

function unmatched(matcher: string, word: string, known: readonly string[], what: string): MatcherMistake {
  const nearest = nearestName(word, known);
  const message =
    nearest === undefined
      ? `${quoted(matcher)} matches no ${what} that Wave has (${known.join(", ")})`
      : `${quoted(matcher)} matches no ${what}; did you mean ${quoted(nearest)}?`;
  return { message, nearest };
}

/** An item such as `Bash(git push*)`: a permission rule by its looks, but as a matcher a regular expression. */
function argumentFilterIn(
  text: string,
  known: readonly string[],
): { item: string; tool: string } | undefined {
  if (!text.includes("(")) return undefined;
  for (const item of alternativesOf(text)) {
    const [, tool, inside] = /^([A-Za-z_][\w-]*)\((.*)\)$/s.exec(item) ?? [];
    if (tool === undefined || inside === undefined || tool.startsWith("mcp_")) continue;
    const isTool = known.some((name) => name.toLowerCase() === tool.toLowerCase());
    const isAlternation = /^[\w|?:]+$/.test(inside);
    if (isAlternation && !isTool) continue;
    const asRegex = compileMatcher(item);
    if ("problem" in asRegex || !known.some((name) => asRegex.test(name))) return { item, tool };
  }
  return undefined;
}

function belongsInIf({ item, tool }: { item: string; tool: string }): string {
  return (
    `${quoted(item)} filters arguments and matches no tool: this belongs in \`if\`, not in the matcher. ` +
    `Match ${quoted(tool)}, and write "if": ${quoted(item)} in the hook`
  );
}

/** The parts between `|` and `,` outside parentheses. */
function alternativesOf(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const sign of text) {
    if (sign === "(") depth++;
    if (sign === ")") depth--;
    if (depth === 0 && (sign === "|" || sign === ",")) parts.push("");
    else parts.push((parts.pop() ?? "") + sign);
  }
  return parts.map((part) => part.trim());
}

function longestWord(text: string): string {
  return wordsOf(text).toSorted((a, b) => b.length - a.length)[0] ?? "";
}

const wordsOf = (text: string): string[] => text.match(/[A-Za-z0-9_]+/g) ?? [];

/** The engine's own words, without the expression that the sentence already quotes. */
function syntaxError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.slice(message.lastIndexOf(": ") + 2).toLowerCase();
}
