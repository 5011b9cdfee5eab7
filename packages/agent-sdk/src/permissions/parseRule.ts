import { covers, readLine } from "wave-shell-reader";
import { quoted } from "../utils/quoted.ts";
import { HOST_RULE_TOOL, parseHostPattern, type HostPattern } from "./hostRules.ts";
import { parsePathPattern, type PathPattern } from "./pathRules.ts";

/** One rule as a person wrote it, and what it is about. */
export type Rule = { text: string } & (
  | { about: "tool"; name: string; family: Family | undefined }
  | { about: "server"; prefix: string }
  | { about: "paths"; family: "read" | "edit"; pattern: PathPattern }
  /** `pattern`: what stands in `Bash(…)`. */
  | { about: "command"; pattern: string }
  | { about: "host"; pattern: HostPattern }
);

/** Tools with one effect share their rules: a `Read` rule also holds for Grep, Glob and LS, `Edit` and `Write` for every editing tool. */
export type Family = "read" | "edit" | "run";

const FAMILIES = new Map<string, Family>([
  ["Bash", "run"],
  ["Read", "read"],
  ["Edit", "edit"],
  ["Write", "edit"],
]);

/** Tools whose rules may have (…). */
export const RULE_TOOLS: readonly string[] = [...FAMILIES.keys(), HOST_RULE_TOOL];

/** Longer than any rule a person writes, shorter than what makes pattern libraries throw. */
const LONGEST_RULE = 32_768;

export function parseRule(text: string): Rule | { problem: string } {
  const trimmed = text.trim();
  const [, name = "", content] = /^([^\s()]+)(?:\((.*)\))?$/su.exec(trimmed) ?? [];
  const shown = quoted(trimmed);
  // A bracket or colon behind a name would be part of a name that no tool has, and the rule would speak about nothing.
  if (name === "" || leadingName(name) !== name)
    return { problem: `The rule ${shown} is not a tool name, optionally with (…) behind it.` };
  if (trimmed.length > LONGEST_RULE)
    return { problem: `The rule ${shown} is longer than ${LONGEST_RULE} characters.` };
  const family = FAMILIES.get(name);
  const meant = RULE_TOOLS.find((known) => known !== name && known.toLowerCase() === name.toLowerCase());
  if (meant) return { problem: `The rule ${shown} names no tool of Wave; did you mean ${meant}?` };
  if (content === undefined) return parseToolRule(trimmed, name, family);
  if (!RULE_TOOLS.includes(name)) {
    const tools = `${RULE_TOOLS.slice(0, -1).join(", ")} and ${RULE_TOOLS.at(-1)}`;
    return { problem: `The rule ${shown} has (…), which Wave knows only for ${tools}; leave it out.` };
  }
  if (content.trim() === "")
    return { problem: `The rule ${shown} has nothing in (…); write ${name} alone to mean all.` };
  if (!family) {
    const pattern = parseHostPattern(content);
    if ("problem" in pattern) return { problem: `The rule ${shown} cannot be used: ${pattern.problem}.` };
    return { text: trimmed, about: "host", pattern };
  }
  if (family === "run") {
    const covering = covers(content, NO_LINE);
    if ("problem" in covering) return { problem: `The rule ${shown} cannot be used: ${covering.problem}.` };
    return { text: trimmed, about: "command", pattern: content };
  }
  const pattern = parsePathPattern(content);
  if ("problem" in pattern) return { problem: `The rule ${shown} cannot be used: ${pattern.problem}.` };
  return { text: trimmed, about: "paths", family, pattern };
}

function parseToolRule(text: string, name: string, family: Family | undefined): Rule {
  const server = /^mcp__(?:(?!__).)+$/su.test(name) && !name.includes("*");
  if (server) return { text, about: "server", prefix: `${name}__` };
  return { text, about: "tool", name, family };
}

/** To ask whether a pattern can be used at all. */
const NO_LINE = readLine("", { folder: "/", variables: {} });

/** The name that a rule begins with; the names of MCP may have anything in them. */
export const leadingName = (text: string): string =>
  /^(?:mcp__[^\s()]+|(?:[\w*-]|(?!\s)\P{ASCII})+)/u.exec(text)?.[0] ?? "";
