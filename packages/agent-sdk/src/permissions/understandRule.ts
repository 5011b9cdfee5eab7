import { lettersOf, misspeltName } from "../utils/nearestName.ts";
import { quoted } from "../utils/quoted.ts";
import { starMatches } from "../utils/wildcard.ts";
import type { RuleBehavior } from "./matchRules.ts";
import { leadingName, parseRule } from "./parseRule.ts";

/** A rule as it counts, and what has to be said about how it is written. */
export interface UnderstoodRule {
  /** Absent: nothing comes of it. */
  rule: { rule: string; behavior: RuleBehavior; unread?: string } | undefined;
  said: { severity: "error" | "warning"; message: string } | undefined;
}

/**
 * A rule as a person wrote it. An allow rule that is not quite right costs a question and counts for nothing. A deny or ask
 * rule like that must not let through what it was written against: as long as one can tell which tool it is about, every
 * call of that tool is asked about.
 */
export function understandRule(
  text: string,
  behavior: RuleBehavior,
  knownTools: readonly string[],
): UnderstoodRule {
  const parsed = parseRule(text);
  const problem = "problem" in parsed ? parsed.problem.replace(/\.$/, "") : undefined;
  if (behavior === "allow")
    return problem === undefined
      ? { rule: { rule: text, behavior }, said: undefined }
      : {
          rule: undefined,
          said: { severity: "warning", message: `${problem}; it is ignored until you fix it` },
        };

  const trimmed = text.trim();
  const name = leadingName(trimmed);
  const asks = (tool: string, severity: "error" | "warning", why: string): UnderstoodRule => ({
    rule: { rule: tool, behavior: "ask", unread: trimmed },
    said: { severity, message: `${why}; until you fix it, Wave asks before every ${tool} call` },
  });
  const meant = meantTool(trimmed, name, knownTools);
  switch (meant.is) {
    case "other-name": {
      const written = `${meant.tool}${trimmed.slice(name.length)}`;
      const again = parseRule(written);
      if ("problem" in again) return asks(meant.tool, "error", again.problem.replace(/\.$/, ""));
      const message = `the rule ${quoted(trimmed)} is read as ${quoted(written)}; write it that way`;
      return { rule: { rule: written, behavior }, said: { severity: "warning", message } };
    }
    case "typo": {
      const why = `the rule ${quoted(trimmed)} names no tool of Wave (did you mean ${meant.tool}?)`;
      return asks(meant.tool, "warning", why);
    }
    case "command":
      return asks(SHELL_TOOL, "error", noSuchTool(trimmed, meant.command, knownTools));
    case "unknown": {
      const message = noSuchTool(trimmed, name, knownTools);
      // A program may still bring such a tool; then the rule holds.
      const rule =
        problem === undefined
          ? { rule: text, behavior }
          : { rule: name, behavior: "ask" as const, unread: trimmed };
      return { rule, said: { severity: "warning", message } };
    }
    case "as-written":
      if (problem === undefined) return { rule: { rule: text, behavior }, said: undefined };
      return asks(name, "error", problem);
    case "nothing":
      return {
        rule: undefined,
        said: { severity: "error", message: `${problem ?? "no rule"}; it ${NOTHING[behavior]}` },
      };
  }
}

/**
 * What is wrong with a rule, for a program that can mend it at once; undefined for one that can be read, and for one about a
 * tool that may still come.
 */
export function ruleMistake(
  text: string,
  behavior: RuleBehavior,
  knownTools: readonly string[],
): { message: string; nearest?: string } | undefined {
  const trimmed = text.trim();
  const name = leadingName(trimmed);
  const parsed = parseRule(text);
  const problem = "problem" in parsed ? { message: parsed.problem.replace(/\.$/, "") } : undefined;
  const meant = meantTool(trimmed, name, knownTools);
  switch (meant.is) {
    case "other-name": {
      const nearest = `${meant.tool}${trimmed.slice(name.length)}`;
      const again = parseRule(nearest);
      if ("problem" in again) return { message: again.problem.replace(/\.$/, "") };
      // What holds back is read in other words, too; what lets through is not.
      return behavior === "allow"
        ? { message: `${quoted(trimmed)} names no tool of Wave`, nearest }
        : undefined;
    }
    case "typo": {
      const nearest = `${meant.tool}${trimmed.slice(name.length)}`;
      return { message: `${quoted(trimmed)} names no tool of Wave`, nearest };
    }
    case "command":
      return { message: noSuchTool(trimmed, meant.command, knownTools) };
    default:
      return problem;
  }
}

function noSuchTool(rule: string, name: string, knownTools: readonly string[]): string {
  const command = looksLikeCommand(name) && /^[\w./~-]{1,40}$/.test(name) ? name : "touch";
  const tools = knownTools.join(", ");
  return `the rule ${quoted(rule)}: there is no tool ${quoted(name)}; the tools are ${tools}; for a shell command write ${SHELL_TOOL}(${command}:*)`;
}

const NOTHING = {
  ask: "is ignored until you fix it",
  deny: "is ignored until you fix it",
};

const SHELL_TOOL = "Bash";

/** What other agents call tools that Wave has; letters only, as in `lettersOf`. */
const NAMES_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["shell", SHELL_TOOL],
  ["terminal", SHELL_TOOL],
  ["command", SHELL_TOOL],
  ["runshellcommand", SHELL_TOOL],
  ["readfile", "Read"],
  ["writefile", "Write"],
  ["replace", "Edit"],
  ["fetch", "WebFetch"],
]);

type Meant =
  | { is: "as-written" | "unknown" | "nothing" }
  | { is: "other-name" | "typo"; tool: string }
  /** A command line where the name of a tool belongs. */
  | { is: "command"; command: string };

/** What a rule is about whose name need not be one that a tool has. Names of MCP are what they are. */
function meantTool(rule: string, name: string, knownTools: readonly string[]): Meant {
  const [first = ""] = /^[^\s()]+/u.exec(rule) ?? [];
  const isCommand = looksLikeCommand(first) && knownTools.includes(SHELL_TOOL);
  if (name === "") return isCommand ? { is: "command", command: first } : { is: "nothing" };
  if (knownTools.includes(name) || name.startsWith("mcp__") || mayFit(name, knownTools))
    return { is: "as-written" };
  const other = knownTools.find((tool) => tool.toLowerCase() === name.toLowerCase());
  if (other !== undefined) return { is: "other-name", tool: other };
  const elsewhere = NAMES_ELSEWHERE.get(lettersOf(name));
  if (elsewhere !== undefined && knownTools.includes(elsewhere)) return { is: "other-name", tool: elsewhere };
  // Words behind it leave no doubt: `head *` is no misspelt Read.
  if (isCommand && /\s/.test(rule)) return { is: "command", command: first };
  const near = misspeltName(name, knownTools);
  if (near !== undefined) return { is: "typo", tool: near };
  return isCommand ? { is: "command", command: first } : { is: "unknown" };
}

/** Whether a name with stars fits a tool, or one of a server that is not there yet. */
function mayFit(name: string, knownTools: readonly string[]): boolean {
  const [start = "", ...gaps] = name.split("*");
  if (gaps.length === 0) return false;
  return (
    start.startsWith("mcp__") ||
    "mcp__".startsWith(start) ||
    knownTools.some((tool) => starMatches(name, tool))
  );
}

/** Tools begin with a capital letter, programs hardly ever do. */
const looksLikeCommand = (name: string) => /^[\p{Ll}./~]/u.test(name);
