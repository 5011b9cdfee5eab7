import type { RuleInForce } from "./matchRules.ts";
import { coverageOf, type Coverage } from "./pathRules.ts";
import { readCall, ruleMatches, type RuleCall, type RuleContext } from "./rules.ts";
import { shortened } from "../utils/quoted.ts";

/** Why a file that a search comes across must stay out of its result; undefined when it may be shown. */
export type SearchFilter = (path: string) => string | undefined;

/**
 * The `Read(…)` rules that may still hold back single files of a call that was let in: a search over a folder reads files
 * that its input does not name. An ask rule about the call itself is not among them, because it has been answered.
 */
export function rulesOnFiles(
  rules: readonly RuleInForce[],
  call: RuleCall,
  context: RuleContext,
): RuleInForce[] {
  const letIn = readCall(call);
  if (letIn.does !== "read") return [];
  return rules.filter((placed) => {
    if (placed.rule.about !== "paths" || placed.rule.family !== "read") return false;
    if (placed.behavior === "ask") return ruleMatches(placed, letIn, context) === undefined;
    return placed.behavior === "deny";
  });
}

/** The places on the disk of which `Read(…)` rules that hold back speak. */
export function filteredPlaces(
  rules: readonly RuleInForce[],
  context: RuleContext,
): { folder: string; coverage: Coverage }[] {
  return rules.flatMap(({ rule, base, behavior }) => {
    if (behavior === "allow" || rule.about !== "paths" || rule.family !== "read") return [];
    const places = { base, home: context.home, caseInsensitive: context.caseInsensitive ?? false };
    return coverageOf(rule.pattern, places);
  });
}

/** `spellings` are all names of one file: where it was met, and where links lead. */
export function whyFiltered(
  rules: readonly RuleInForce[],
  spellings: readonly string[],
  context: RuleContext,
): string | undefined {
  const read = { toolName: "Read", does: "read", paths: spellings } as const;
  const speaking = rules.filter((placed) => ruleMatches(placed, read, context) !== undefined);
  const strictest = speaking.find(({ behavior }) => behavior === "deny") ?? speaking[0];
  if (strictest === undefined) return undefined;
  const { rule, source, behavior } = strictest;
  return `rule ${shortened(rule.text, 200)} in ${source}, ${WHAT_IT_DOES[behavior]}`;
}

const WHAT_IT_DOES: Record<RuleInForce["behavior"], string> = {
  deny: "which denies reading",
  ask: "which asks before reading; use Read on one file, and the question is asked",
  allow: "which allows reading",
};
