import { misspeltName } from "../utils/nearestName.ts";
import { quoted } from "../utils/quoted.ts";
import type { RuleBehavior } from "./matchRules.ts";
import { parseRule } from "./rules.ts";

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
          said: { severity: "warning", message: `${problem}; it allows nothing until it is mended` },
        };

  const trimmed = text.trim();
  const [name = ""] = /^[^\s()]+/u.exec(trimmed) ?? [];
  const asks = (tool: string, severity: "error" | "warning", why: string): UnderstoodRule => ({
    rule: { rule: tool, behavior: "ask", unread: trimmed },
    said: { severity, message: `${why}; until it is mended every call of ${tool} is asked about` },
  });
  const meant = meantTool(name, knownTools);
  if (meant?.is === "other-case") {
    const written = `${meant.tool}${trimmed.slice(name.length)}`;
    const again = parseRule(written);
    if ("problem" in again) return asks(meant.tool, "error", again.problem.replace(/\.$/, ""));
    const message = `the rule ${quoted(trimmed)} is read as ${quoted(written)}; write it that way`;
    return { rule: { rule: written, behavior }, said: { severity: "warning", message } };
  }
  if (meant?.is === "typo")
    return asks(
      meant.tool,
      "warning",
      `the rule ${quoted(trimmed)} names no tool of Wave (did you mean ${meant.tool}?)`,
    );
  if (problem === undefined) return { rule: { rule: text, behavior }, said: undefined };
  if (name !== "" && !("problem" in parseRule(name))) return asks(name, "error", problem);
  return { rule: undefined, said: { severity: "error", message: `${problem}; it ${NOTHING[behavior]}` } };
}

const NOTHING = {
  ask: "asks about nothing until it is mended",
  deny: "denies nothing until it is mended",
};

/** The tool behind a name that no tool has exactly. Names of MCP and names with a star are what they are. */
function meantTool(
  name: string,
  knownTools: readonly string[],
): { is: "other-case" | "typo"; tool: string } | undefined {
  if (name === "" || knownTools.includes(name) || name.startsWith("mcp__") || name.includes("*"))
    return undefined;
  const other = knownTools.find((tool) => tool.toLowerCase() === name.toLowerCase());
  if (other !== undefined) return { is: "other-case", tool: other };
  const near = misspeltName(name, knownTools);
  return near === undefined ? undefined : { is: "typo", tool: near };
}
