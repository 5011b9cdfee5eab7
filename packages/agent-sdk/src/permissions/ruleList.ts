import { z } from "zod";
import type { SettingsScope } from "../hooks/definition.ts";
import type { DecisionRecord } from "../hooks/record.ts";
import { once } from "../utils/once.ts";
import { shortened } from "../utils/quoted.ts";
import { RULE_BEHAVIORS, type RuleBehavior, type RulePlace } from "./matchRules.ts";

/** A rule as a person sees it in a list. */
export interface ListedRule {
  rule: string;
  behavior: RuleBehavior;
  scope: SettingsScope | "session";
  /** Undefined: it was given for this run or this session, and stands in no file. */
  file?: string;
  /** "not approved": an allow rule of the project that does not count before somebody approves it. "unreadable": asks instead. */
  state: "active" | "not approved" | "unreadable";
  /** Why `changeRule` refuses to change it. */
  fixed?: string;
}

/** A rule in a file, or in "session". */
export interface RuleAt {
  rule: string;
  behavior: RuleBehavior;
  file: string;
}

/** Without `from` a rule is added, without `to` it is removed; with both it is edited or moved. */
export interface RuleChange {
  from?: RuleAt;
  to?: RuleAt;
}

const ruleAtSchema = once(() =>
  z.strictObject({
    rule: z.string({ error: "must be a text" }).min(1, "must not be empty"),
    behavior: z.enum(RULE_BEHAVIORS, { error: `must be one of ${RULE_BEHAVIORS.join(", ")}` }),
    file: z.string({ error: 'must be the path of a settings file, or "session"' }),
  }),
);

export const ruleChangeSchema = once(() =>
  z.strictObject({ from: ruleAtSchema().optional(), to: ruleAtSchema().optional() }),
);

export function listedRule(
  given: Pick<ListedRule, "rule" | "behavior" | "state"> & { place: RulePlace | undefined },
  own: readonly string[],
): ListedRule {
  const { rule, behavior, state, place } = given;
  const fixed = whyFixed(place, own);
  return {
    rule,
    behavior,
    scope: place?.scope ?? "sdk",
    ...(place && "file" in place ? { file: place.file } : {}),
    state,
    ...(fixed === undefined ? {} : { fixed }),
  };
}

/** Why a rule there cannot be changed with Wave; undefined when it can. `own`: the settings files that are Wave's. */
export function whyFixed(place: RulePlace | undefined, own: readonly string[]): string | undefined {
  if (place === undefined) return "it was given for this run: change the flag or the program that gave it";
  if (place.scope === "managed") return "it is a managed rule: only whoever manages this machine changes it";
  if (place.scope !== "session" && !own.includes(place.file))
    return "it stands in the settings of another program: change it there";
  return undefined;
}

/** How often a rule spoke about a call, and about which one last. */
export interface RuleUse {
  times: number;
  last?: { at: string; decision: DecisionRecord };
}

type Dated = DecisionRecord & { ts: string };

/** What a rule matched in these decisions, oldest first. Lines move, so a file is enough to know a rule by. */
export function ruleUse({ rule, behavior, file }: ListedRule, decisions: readonly Dated[]): RuleUse {
  const isThis = (one: { rule: string; behavior: string; source: string }) =>
    one.rule === shortened(rule, 200) &&
    (one.behavior === behavior || (behavior === "deny" && one.behavior === "managedDeny")) &&
    (file === undefined || one.source === file || one.source.replace(/:\d+$/, "") === file);
  const spoken = decisions.filter(({ rules = [] }) => rules.some(isThis));
  const last = spoken.at(-1);
  return { times: spoken.length, ...(last && { last: { at: last.ts, decision: last } }) };
}

/** The calls that were denied, the newest first. */
export const deniedCalls = (decisions: readonly Dated[]): Dated[] =>
  decisions.filter(({ toolName, decision }) => toolName !== undefined && decision === "deny").toReversed();
