import type { Reading } from "wave-shell-reader";
import { HOST_RULE_TOOL, mightCoverHost } from "./hostRules.ts";
import { mightReach } from "./pathRules.ts";
import { isAccess, placesOf, ruleDoubt, ruleMatches, type PlacedRule, type RuleContext } from "./rules.ts";
import type { Touched } from "./touched.ts";

/** A call as hooks are told about it. */
export interface ToldCall {
  toolName: string;
  /** Of a command line. */
  reading: Reading | undefined;
  touched: readonly Touched[];
  /** The host of the address that it names. */
  host?: string | undefined;
  /** Everything that the call touches is known. */
  isClear: boolean;
}

/** Whether a rule may be about a call, for somebody who would rather look once too often: every doubt is a yes. */
export function mayConcern({ rule, base }: PlacedRule, call: ToldCall, context: RuleContext): boolean {
  const { toolName, reading, touched, isClear, host } = call;
  if (rule.about === "host")
    return host === undefined ? toolName === HOST_RULE_TOOL : mightCoverHost(rule.pattern, host);
  if (rule.about === "paths") {
    const places = placesOf(base, context);
    const names = touched.filter((one) => isAccess(one, rule.family) || one.access === "unknown");
    return (
      !isClear ||
      names.some((one) =>
        one.spellings.some((folder) =>
          mightReach(rule.pattern, { folder, names: one.names, below: one.below }, places),
        ),
      )
    );
  }
  if (reading === undefined) {
    const does = touched.some(({ access }) => access !== "read")
      ? "edit"
      : touched.length > 0
        ? "read"
        : "nothing";
    if (rule.about === "command") return false;
    return (
      ruleMatches(
        { rule, base },
        does === "nothing" ? { toolName, does } : { toolName, does, paths: [] },
        context,
      ) !== undefined
    );
  }
  const isUnseen =
    reading.unseenCode !== undefined ||
    reading.understood === "words" ||
    reading.understood === "nothing" ||
    touched.some(({ unread }) => unread !== undefined);
  if (rule.about === "command" && isUnseen) return true;
  const run = { toolName, does: "run", reading, touched } as const;
  const isDoubtful = rule.about === "command" && ruleDoubt({ rule, base }, run, context) !== undefined;
  return isDoubtful || ruleMatches({ rule, base }, run, context) !== undefined;
}
