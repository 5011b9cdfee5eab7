import { decidePermission, type PermissionFacts } from "./decide.ts";
import { matchRules, type RuleInForce } from "./matchRules.ts";
import { narrowRules } from "./narrowRules.ts";
import { parseRule, type RuleCall, type RuleContext } from "./rules.ts";

/** A rule that would have spared a person the question, or why there is none. */
export type OfferedRule =
  | {
      offered: true;
      rule: string;
      /** One that also covers the same with other arguments; it holds as well. */
      wider?: string;
    }
  | { offered: false; why: string };

/** A question, with everything it was decided from. */
export interface AskedCall {
  facts: PermissionFacts;
  rules: readonly RuleInForce[];
  calls: { final: RuleCall; original?: RuleCall };
  context: RuleContext;
  /** What a relative path in the rule would be relative to. */
  base: string;
}

/**
 * The rule is tried before it is offered: with it the same call would be decided as allow. So nothing is offered that would
 * not hold (T34): an allow rule lifts no hook's question and no ask rule.
 */
export function offerRule(asked: AskedCall): OfferedRule {
  const { facts, calls, base } = asked;
  const covered = {
    ...facts.rules,
    allow: [{ rule: "any", source: "nowhere", because: "it covers this call" }],
  };
  if (decidePermission({ ...facts, rules: covered }).decision !== "allow") return no(whyNoRuleHelps(facts));
  const narrow = narrowRules(calls.final, base);
  if ("why" in narrow) return no(narrow.why);
  const rule = narrow.rules.find((text) => isEnough(text, asked));
  if (rule === undefined) return no("no single rule covers it");
  const { wider } = narrow;
  return { offered: true, rule, ...(wider !== undefined && isEnough(wider, asked) ? { wider } : {}) };
}

function isEnough(text: string, { facts, rules, calls, context, base }: AskedCall): boolean {
  const rule = parseRule(text);
  if ("problem" in rule) return false;
  const added: RuleInForce = { rule, base, behavior: "allow", source: "nowhere", managed: false };
  return (
    decidePermission({ ...facts, rules: matchRules([...rules, added], calls, context) }).decision === "allow"
  );
}

function whyNoRuleHelps({ hook, rules, protectedHits }: PermissionFacts): string {
  if (hook.decision === "ask") return "a hook asked, and no rule can skip a hook";
  if (rules.ask.length > 0) return "an ask rule asked, and an allow rule does not lift it";
  if (rules.doubtful.length > 0) return "another rule may be about it, and an allow rule does not lift that";
  if (protectedHits.length > 0) return "it would write a protected file, which is always asked about";
  return "it is asked about whatever the rules say";
}

const no = (why: string): OfferedRule => ({ offered: false, why });
