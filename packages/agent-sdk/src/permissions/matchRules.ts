import type { SettingsScope } from "../hooks/definition.ts";
import { shortened } from "../utils/quoted.ts";
import {
  allowedByRules,
  readCall,
  ruleDoubt,
  ruleMatches,
  type PlacedRule,
  type ReadCall,
  type RuleCall,
  type RuleContext,
} from "./rules.ts";

export const RULE_BEHAVIORS = ["allow", "ask", "deny"] as const;

export type RuleBehavior = (typeof RULE_BEHAVIORS)[number];

/** Where a rule is kept. "session": as long as the session, resumed or not. */
export type RulePlace = { scope: SettingsScope; file: string } | { scope: "session" };

export interface RuleInForce extends PlacedRule {
  behavior: RuleBehavior;
  /** The file it stands in, or whatever else a person would call its place. */
  source: string;
  /** Where a person would change it; undefined for one that a program or a flag gave. */
  place?: RulePlace | undefined;
  /** Managed settings: nothing the user or the project says comes before it. */
  managed: boolean;
  /** It stands for a rule that cannot be read, whose text it has. */
  unread?: true;
}

export interface MatchedRule {
  rule: string;
  source: string;
  /** Why it speaks about this call. */
  because: string;
  /** "paths": it keeps files back, or keeps them as they are. */
  about?: "paths";
}

export interface RuleMatches {
  managedDeny: MatchedRule[];
  deny: MatchedRule[];
  ask: MatchedRule[];
  /** Several allow rules may be needed for one command line; together they allow it. */
  allow: MatchedRule[];
  /** Deny and ask rules that may speak about a command line: a person has to look. */
  doubtful: MatchedRule[];
}

/**
 * Which rules speak about a call. Deny and ask rules judge what the model asked for and what would run after hooks changed
 * it; allow rules only what would run.
 */
export function matchRules(
  rules: readonly RuleInForce[],
  calls: { final: RuleCall; original?: RuleCall },
  context: RuleContext,
): RuleMatches {
  const final = readCall(calls.final);
  const judged = calls.original ? [final, readCall(calls.original)] : [final];
  const holdingBack = (behavior: RuleBehavior, managed: boolean[]) =>
    rules.flatMap((placed) => {
      if (placed.behavior !== behavior || !managed.includes(placed.managed)) return [];
      const because = judged
        .map((call) => ruleMatches(placed, call, context))
        .find((why) => why !== undefined);
      return because === undefined ? [] : [matched(placed, because)];
    });
  const doubtful = rules.flatMap((placed) => {
    if (placed.behavior === "allow" || judged.some((call) => ruleMatches(placed, call, context))) return [];
    const because = judged.map((call) => ruleDoubt(placed, call, context)).find((why) => why !== undefined);
    return because === undefined ? [] : [matched(placed, because)];
  });
  const allows = rules.filter(({ behavior }) => behavior === "allow");
  return {
    managedDeny: holdingBack("deny", [true]),
    deny: holdingBack("deny", [false]),
    ask: holdingBack("ask", [true, false]),
    allow: (allowedByRules(allows, final, context) ?? []).map((placed) =>
      matched(placed, isOneOfSeveral(final) ? COVERS_A_PART : "it covers this call"),
    ),
    doubtful,
  };
}

/** A rule that may be about a file under another name: not everything that it is about could be looked at. */
export interface NameDoubt {
  placed: RuleInForce;
  path: string;
}

/** The same with rules that may be about a file which has several names. */
export function withNameDoubts(matches: RuleMatches, doubts: readonly NameDoubt[]): RuleMatches {
  const spoken = [...matches.managedDeny, ...matches.deny, ...matches.ask, ...matches.doubtful];
  const first = new Map(doubts.map(({ placed, path }) => [placed, path]));
  const more = [...first]
    .map(([placed, path]) =>
      matched(placed, `${shortened(path, 200)} has several names, and it may know another`),
    )
    .filter(({ rule, source }) => !spoken.some((one) => one.rule === rule && one.source === source));
  return { ...matches, doubtful: [...matches.doubtful, ...more] };
}

/** Said where a command may come across files that rules keep back, and runs where they are not there. */
export function unseenFiles({ doubtful }: RuleMatches): { unseen?: string } {
  const rules = doubtful.map(({ rule, source }) => `rule ${rule} in ${source}`).join(", ");
  return rules === "" ? {} : { unseen: `Files that ${rules} keeps back were not there for this command.` };
}

const COVERS_A_PART = "it covers a command of this line, and every other one has a rule or only reads";

const isOneOfSeveral = (call: ReadCall) => call.does === "run" && call.reading.commands.length > 1;

function matched({ rule, source, unread }: RuleInForce, because: string): MatchedRule {
  const why = unread ? `it cannot be read, so all that it may be about is asked; ${because}` : because;
  const about = rule.about === "paths" ? { about: rule.about } : {};
  return { rule: shortened(rule.text, 200), source, because: why, ...about };
}
