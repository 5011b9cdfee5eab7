import type { RuleContext } from "../permissions/rules.ts";
import { whyLeftOut } from "./condition.ts";
import { hookIdOf, type HookDefinition } from "./definition.ts";
import type { PlanOptions } from "./plan.ts";

/** What a plan goes by, in a session and ahead of one: approvals, and what each `if` says of the facts as far as they are known. */
export function planningFor(
  facts: Readonly<Record<string, unknown>> | undefined,
  given: {
    knownTools: readonly string[];
    /** Ids of hooks that nobody approved. */
    unreviewed: ReadonlySet<string>;
    context: RuleContext & { base: string };
  },
): Required<Pick<PlanOptions, "knownTools" | "whyNot" | "facts" | "isUnreviewed">> {
  const { knownTools, unreviewed, context } = given;
  const isUnreviewed = (hook: HookDefinition) => unreviewed.has(hookIdOf(hook));
  return {
    knownTools,
    facts,
    isUnreviewed,
    // In a sequential group it is looked at when its turn comes: those before it may change the input.
    whyNot: (hook) =>
      facts === undefined || (hook.sequence && !isUnreviewed(hook))
        ? undefined
        : whyLeftOut(hook, facts, context),
  };
}
