import type { FailedHook } from "../permissions/request.ts";
import type { Combined } from "./combine.ts";
import { hookIdOf, identityOf, type HookDefinition, type HookIdentity } from "./definition.ts";
import type { BrokenGuard } from "./record.ts";
import type { HookFailure } from "./readFailure.ts";
import type { Verdict } from "./verdict.ts";

/** The failure that holds something back, when nothing else of this hook does. */
export function heldByFailure({ decision, decidedBy, failure }: Verdict): HookFailure | undefined {
  const holds = decidedBy === "failure" && (decision === "ask" || decision === "deny");
  return holds && failure && failure.kind !== "interrupted" ? failure : undefined;
}

/** A reason with the sentences of failed hooks in it, as the model reads it. */
export function withoutAdvice(reason: string, verdicts: readonly Verdict[]): string {
  return verdicts
    .flatMap((verdict) => heldByFailure(verdict) ?? [])
    .reduce((text, { message, facts }) => text.replaceAll(message, () => facts), reason);
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

export function timesAskedAgain(guards: readonly BrokenGuard[], hook: HookIdentity): number {
  return guards.filter(
    ({ name, source, did }) => did === "retried" && name === hook.name && source === hook.source,
  ).length;
}

/** `planned` has the hook of each verdict, by its index; `guards` is what a person has done about them so far. */
export function failedHooksOf(
  verdicts: readonly Verdict[],
  planned: readonly HookDefinition[],
  guards: readonly BrokenGuard[],
): FailedHook[] {
  return verdicts.flatMap((verdict, index) => {
    const failure = heldByFailure(verdict);
    const hook = planned[index];
    if (!failure || !hook || failure.did === "continue") return [];
    const { kind, did: onError } = failure;
    const identity = identityOf(hook);
    const passing = mayPass(hook, onError);
    const message = passing === "never" ? failure.message : failure.question;
    const attempt = 1 + timesAskedAgain(guards, identity);
    return [{ id: hookIdOf(hook), ...identity, kind, onError, message, mayPass: passing, attempt }];
  });
}

/** Hooks that failed and hold nothing back: whoever is asked anyway should know that they have not judged it. */
export function failedOpenIn(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ failure }) =>
    failure && failure.kind !== "interrupted" && failure.did === "continue" ? [failure.message] : [],
  );
}

/**
 * A managed hook cannot be switched off by whoever sits at the machine. Told to block when it fails, it cannot be passed
 * even once: that is what its owner decided. Told to ask, it leaves the decision to a person, each time.
 */
function mayPass({ source }: HookDefinition, onError: "ask" | "block"): FailedHook["mayPass"] {
  if (source.scope !== "managed") return "session";
  return onError === "ask" ? "once" : "never";
}
