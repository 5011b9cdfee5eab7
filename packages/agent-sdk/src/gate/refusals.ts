import type { PermissionDenial } from "../events.ts";
import { deniedByFailureAlone, withoutAdvice } from "../hooks/brokenGuards.ts";
import type { Combined } from "../hooks/combine.ts";
import { labelOf } from "../hooks/definition.ts";
import { adviceOn, cutForModel, type Effect } from "../hooks/effects.ts";
import { HOOK_FAILED } from "../hooks/failures.ts";
import type { Verdict } from "../hooks/verdict.ts";
import type { HookOpinion } from "../permissions/decide.ts";
import type { RuleOffer } from "../permissions/request.ts";
import type { Ending } from "../conversation/turn/nextStep.ts";
import type { PersonSays } from "../session/person.ts";
import type { PolicyDecision } from "./seams.ts";

/** Why a call does not run: what the model is told, what the user is told, and what follows from it. */
export interface Refused {
  /** The tool result. */
  result: string;
  /** A few words for the user. */
  error: string;
  decidedBy: string;
  kind: "denied" | "halted" | "interrupted" | "cannot-run" | "unanswered";
  /** For the user alone. */
  advice?: Effect[];
  ending?: Ending & { words?: string };
}

/** What a turn needs to know about a call that did not run. */
export interface Refusal {
  /** Set when it was a decision, and not a call that could not have run. */
  denial?: PermissionDenial;
  /** Nobody could be asked (PD-3). */
  unanswered: boolean;
  ending: (Ending & { words?: string }) | undefined;
}

export const INTERRUPTED: Refused = {
  result: "Not run: the turn was interrupted before this call started.",
  error: "interrupted",
  decidedBy: "an interrupt",
  kind: "interrupted",
};

/** What hooks say, as rules and mode hear it. */
export function opinionOf(combined: Combined): HookOpinion {
  const { decision, deciders } = combined;
  return {
    decision,
    reasons:
      decision === "deny"
        ? boundedReasons(combined).map(({ text }) => text)
        : deciders.flatMap(({ reason }) => reason?.text ?? []),
    names: deciders.map(({ hook }) => hook.name),
    labels: deciders.map(({ hook }) => labelOf(hook)),
  };
}

/** `continue: false` beats every decision; a deny of any hook is final (G1). */
export function refusedByHooks(combined: Combined): Refused | undefined {
  if (combined.halts.length > 0) {
    const reason = combined.halts.flatMap((verdict) => verdict.halt ?? []).join("\n");
    const decidedBy = combined.halts.map((verdict) => `hook ${verdict.hook.name}`).join(", ");
    const result = `Not run: ${decidedBy} ended the turn: ${reason}`;
    return {
      result,
      error: "a hook ended the turn",
      decidedBy,
      kind: "halted",
      ending: { because: "halted", reason },
    };
  }
  if (combined.decision !== "deny") return undefined;
  const { deciders } = combined;
  const names = deciders.map((verdict) => verdict.hook.name);
  const reasons = boundedReasons(combined);
  return {
    result: reasons.map(({ text }) => text).join("\n"),
    // A hook that broke blocks nothing of its own (T124).
    error: deniedByFailureAlone(combined)
      ? `${HOOK_FAILED}${names.join(", ")}`
      : `blocked by ${deciders.map((verdict) => labelOf(verdict.hook)).join(", ")}`,
    decidedBy: names.map((name) => `hook ${name}`).join(", "),
    kind: "denied",
    advice: [...reasons.flatMap(({ notice }) => notice ?? []), ...adviceOn("PreToolUse", deciders)],
  };
}

/** A deny, of whoever spoke: rules, hooks, or the mode. */
export function refusedByPolicy(policy: PolicyDecision, combined: Combined): Refused {
  const byHooks = refusedByHooks(combined);
  if (byHooks && (byHooks.kind === "halted" || byHooks.decidedBy === policy.by)) return byHooks;
  return {
    kind: "denied",
    ...byHooks,
    result: policy.reason,
    error: `denied by ${policy.by}`,
    decidedBy: policy.by,
  };
}

/** Undefined when the answer was yes. `refused`: hooks deny the call, and only because they failed. */
export function refusedByAnswer(
  answer: Exclude<PersonSays, { said: "again" }>,
  {
    policy,
    refused,
    judged: { verdicts },
  }: { policy: PolicyDecision; refused: Refused | undefined; judged: { verdicts: readonly Verdict[] } },
): Refused | undefined {
  switch (answer.said) {
    case "yes":
      return undefined;
    case "interrupted":
      return INTERRUPTED;
    case "refused": {
      const { by: decidedBy, reason, ends } = answer;
      if (!ends) return { result: reason, error: `denied by ${decidedBy}`, decidedBy, kind: "denied" };
      const result = `Not run: ${decidedBy} ended the turn: ${reason}`;
      const ending = { because: "halted", reason } as const;
      return { result, error: "a hook ended the turn", decidedBy, kind: "halted", ending };
    }
    case "nothing": {
      if (refused) return refused;
      const reason = withoutAdvice(policy.reason, verdicts);
      const result = `Not run: this needs approval, and ${answer.why}. Asked by ${policy.by}: ${reason}`;
      const by = "nobody could answer";
      const advice = adviceOn("PreToolUse", verdicts);
      return { result, error: by, decidedBy: by, kind: "unanswered", advice };
    }
    case "yes-to-nothing":
      return refused && { ...refused, result: `${refused.result}\n${answer.why}` };
    case "no": {
      const words = answer.words?.trim();
      const ending = { because: "denied", reason: "you said no", ...(words ? { words } : {}) } as const;
      return {
        result: words ? `The user said no: ${words}` : "The user said no.",
        error: "denied by the user",
        decidedBy: "person",
        kind: "denied",
        ...(answer.goesOn ? {} : { ending }),
      };
    }
  }
}

/** One hook's text is bounded like everything a hook says to the model; the user is told of the cut. */
function boundedReasons({ deciders }: Combined): { text: string; notice: Effect | undefined }[] {
  return deciders.flatMap((verdict) => {
    if (!verdict.reason) return [];
    const { text, notice } = cutForModel(verdict, withoutAdvice(verdict.reason.text, [verdict]));
    const origin = { hookEvent: "PreToolUse", hook: verdict.hook.name, source: verdict.hook.source };
    const cut: Effect | undefined =
      notice === undefined ? undefined : { do: "tell-user", as: "warning", text: notice, origin };
    return [{ text, notice: cut }];
  });
}

/** For whoever starts the next run: the widest of what is offered, since the next call may have other arguments. */
export function allowedBy(offer: RuleOffer): { allowedBy?: string } {
  return offer.offered ? { allowedBy: offer.choices.at(-1)?.rules.join(",") ?? "" } : {};
}
