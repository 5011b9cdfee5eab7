import { stricter, type Decision } from "./readObject.ts";
import type { Verdict } from "./verdict.ts";

/** What all hooks of one event say together. */
export interface Combined {
  decision: Decision;
  /** The hooks whose decision it is, in declared order. */
  deciders: Verdict[];
  /** Their reasons joined with line breaks; "" when none gave one. */
  reason: string;
  /** Hooks that printed `continue: false`. Beats the decision. */
  halts: Verdict[];
}

/**
 * The strictest decision wins, deny over ask over allow over nothing, whatever the order in which hooks finished;
 * reasons come in declared order; `continue: false` of any hook ends the turn.
 */
export function combine(verdicts: readonly Verdict[]): Combined {
  const decision = verdicts.map((verdict) => verdict.decision).reduce(stricter, "none");
  const deciders = decision === "none" ? [] : verdicts.filter((verdict) => verdict.decision === decision);
  return {
    decision,
    deciders,
    reason: deciders.flatMap((verdict) => verdict.reason?.text ?? []).join("\n"),
    halts: verdicts.filter((verdict) => verdict.halt !== undefined),
  };
}

/** As if one hook allowed it, and none said anything else. */
export const ALLOWED: Combined = { decision: "allow", deciders: [], reason: "", halts: [] };
