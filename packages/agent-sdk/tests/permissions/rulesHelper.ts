import { readLine } from "wave-shell-reader";
import { parseRule, type Rule } from "@/permissions/parseRule.ts";
import type { PlacedRule } from "@/permissions/rules.ts";

export function ruleOf(text: string): Rule {
  const rule = parseRule(text);
  if ("problem" in rule) throw new Error(rule.problem);
  return rule;
}

export function placed(text: string, base = "/proj"): PlacedRule {
  return { rule: ruleOf(text), base };
}

export const CONTEXT = { home: "/home/ada" };

/** The effect of a command line, read once for all rules. */
export const runs = (command: string) => ({
  does: "run" as const,
  command,
  reading: readLine(command, { folder: "/proj", variables: { HOME: CONTEXT.home } }),
});
