import { timesAskedAgain } from "../hooks/brokenGuards.ts";
import type { Effect } from "../hooks/effects.ts";
import type { HookEvent } from "../hooks/events.ts";
import type { BrokenGuard } from "../hooks/record.ts";
import type { FailedHook, PermissionDecision } from "../permissions/request.ts";

/** What an answer does about the hooks that failed, for the record. */
export function guardsAfter(failed: readonly FailedHook[], answer: PermissionDecision): BrokenGuard[] {
  if (answer.decision === "deny") return [];
  return failed.map(({ id, name, source, kind }) => {
    const isOff = answer.forSession === true && answer.without?.includes(id) === true;
    const did = answer.decision === "retry" ? "retried" : isOff ? "switched-off" : "passed-once";
    return { name, source, kind, did };
  });
}

/** What went on without its guard, or only when the guard was asked again, is said in the conversation, and not only in the record. */
export function passedEffects(event: HookEvent, guards: readonly BrokenGuard[]): Effect[] {
  // The last that was done about a hook is how it went on.
  const last = new Map(guards.map((guard) => [`${guard.source}\n${guard.name}`, guard]));
  return [...last.values()].map((guard) => ({
    do: "tell-user",
    as: "warning",
    text: howItWentOn(guard, guards),
    origin: { hookEvent: event, hook: guard.name, source: guard.source },
  }));
}

function howItWentOn(guard: BrokenGuard, guards: readonly BrokenGuard[]): string {
  const { name, kind, did } = guard;
  if (did === "retried")
    return `hook ${name}, which had failed (${kind}), judged this at attempt ${1 + timesAskedAgain(guards, guard)}`;
  const off = did === "switched-off" ? ", and switched it off for this session" : "";
  return `you let this go on without hook ${name}, which failed (${kind})${off}`;
}
