import { decidePermission, type PermissionFacts } from "./decide.ts";
import { matchRules, type RuleInForce } from "./matchRules.ts";
import type { RuleChoice, RuleOffer } from "./request.ts";
import { usefulChoices } from "./usefulRules.ts";
import { parseRule } from "./parseRule.ts";
import type { RuleCall, RuleContext } from "./rules.ts";

/** As a question offers it, but for the file. */
export type OfferedRules =
  | Omit<Extract<RuleOffer, { offered: true }>, "file">
  | Extract<RuleOffer, { offered: false }>;

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
 * Rules are tried before they are offered: with them the same call would be decided as allow. So nothing is offered that would
 * not hold (T34): an allow rule lifts no hook's question and no ask rule.
 */
export function offerRule(asked: AskedCall): OfferedRules {
  const { facts, calls, base } = asked;
  const covered = {
    ...facts.rules,
    allow: [{ rule: "any", source: "nowhere", because: "it covers this call" }],
  };
  if (decidePermission({ ...facts, rules: covered }).decision !== "allow") return no(whyNoRuleHelps(facts));
  const mode = isEdit(facts) ? { mode: "acceptEdits" as const } : {};
  const useful = usefulChoices(calls.final, base);
  if ("why" in useful) return { ...no(useful.why), ...mode };
  const enough = (choices: readonly (readonly string[])[]) =>
    unique(choices.filter((rules) => isEnough(rules, asked)).map((rules) => needed(rules, asked)));
  const [first, ...others] = enough(useful.choices);
  const choices = first ? [first, ...others] : enough(useful.exactly ? [useful.exactly] : []);
  if (choices.length === 0) return { ...no(useful.otherwise), ...mode };
  return { offered: true, choices, ...mode };
}

function isEdit(facts: PermissionFacts): boolean {
  // Whoever likes the plan may not want to be asked about each edit of it.
  if (facts.effect.does === "leave-plan") return facts.mode === "plan";
  return facts.mode === "default" && decidePermission({ ...facts, mode: "acceptEdits" }).decision === "allow";
}

function isEnough(texts: readonly string[], { facts, rules, calls, context, base }: AskedCall): boolean {
  const added = texts.flatMap((text): RuleInForce[] => {
    const rule = parseRule(text);
    return "problem" in rule ? [] : [{ rule, base, behavior: "allow", source: "nowhere", managed: false }];
  });
  const matched = matchRules([...rules, ...added], calls, context);
  return decidePermission({ ...facts, rules: matched }).decision === "allow";
}

/** Without those for commands that are allowed anyway. */
function needed(rules: readonly string[], asked: AskedCall): readonly string[] {
  return rules.reduce((kept, rule) => {
    const fewer = kept.filter((one) => one !== rule);
    return fewer.length > 0 && isEnough(fewer, asked) ? fewer : kept;
  }, rules);
}

function unique(all: readonly (readonly string[])[]): RuleChoice[] {
  const seen = new Map(all.map((rules) => [rules.join("\n"), { rules }]));
  return [...seen.values()];
}

function whyNoRuleHelps({ hook, rules, protectedHits }: PermissionFacts): string {
  if (hook.decision === "ask") return "a hook asked, and no rule can skip a hook";
  if (rules.ask.length > 0) return "an ask rule asked, and an allow rule does not lift it";
  if (rules.doubtful.length > 0) return "another rule may be about it, and an allow rule does not lift that";
  if (protectedHits.length > 0) return "it would write a protected file, which is always asked about";
  return "it is asked about whatever the rules say";
}

const no = (why: string) => ({ offered: false as const, why });
