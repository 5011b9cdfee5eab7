import type { FailedHook } from "../permissions/request.ts";
import type { Combined } from "./combine.ts";
import { hookIdOf, identityOf, type HookDefinition } from "./definition.ts";
import type { HookFailure } from "./readFailure.ts";
import type { Verdict } from "./verdict.ts";

/** The failure that holds something back, when nothing else of this hook does. */
export function heldByFailure({ decision, decidedBy, failure }: Verdict): HookFailure | undefined {
  const holds = decidedBy === "failure" && (decision === "ask" || decision === "deny");
  return holds && failure && failure.kind !== "interrupted" ? failure : undefined;
}

/** No hook said no: those that deny do so only because they failed. A person may then decide; a real no is final (G1). */
export function deniedByFailureAlone({ decision, deciders, halts }: Combined): boolean {
  return decision === "deny" && halts.length === 0 && deciders.every((verdict) => heldByFailure(verdict));
}

/** What the hooks say when those that deny because they failed are left out of account. */
export function withoutBrokenGuards(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.map((verdict) =>
    verdict.decision === "deny" && heldByFailure(verdict)
      ? { ...verdict, decision: "none", reason: undefined }
      : verdict,
  );
}

/** `planned` has the hook of each verdict, by its index. */
export function failedHooksOf(
  verdicts: readonly Verdict[],
  planned: readonly HookDefinition[],
): FailedHook[] {
  return verdicts.flatMap((verdict, index) => {
    const failure = heldByFailure(verdict);
    const hook = planned[index];
    if (!failure || !hook || failure.did === "continue") return [];
    const { kind, did: onError, message } = failure;
    return [
      { id: hookIdOf(hook), ...identityOf(hook), kind, onError, message, mayPass: mayPass(hook, onError) },
    ];
  });
}

/**
 * A managed hook cannot be switched off by whoever sits at the machine. Told to block when it fails, it cannot be passed
 * even once: that is what its owner decided. Told to ask, it leaves the decision to a person, each time.
 */
function mayPass({ source }: HookDefinition, onError: "ask" | "block"): FailedHook["mayPass"] {
  if (source.scope !== "managed") return "session";
  return onError === "ask" ? "once" : "never";
}
