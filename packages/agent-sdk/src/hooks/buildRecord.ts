import { createHash } from "node:crypto";
import type { HookEvent } from "./events.ts";
import { combine } from "./combine.ts";
import type { HookDefinition } from "./definition.ts";
import { identityOf } from "./definition.ts";
import { HOOK_EVENTS } from "./events.ts";
import type { DecisionRecord } from "./record.ts";
import type { HookExecutionResult } from "./result.ts";
import type { Verdict } from "./verdict.ts";

interface Judged {
  pass: 1 | 2;
  results: readonly HookExecutionResult[];
  verdicts: readonly Verdict[];
  skipped: readonly { hook: HookDefinition; why: string }[];
  durationMs: number;
}

type Rest = Partial<Omit<DecisionRecord, "event" | "mode" | "hooks" | "skipped" | "durationMs">>;

/** The line that explains an event afterwards. Without `rest.decision` it says what the hooks alone decided. */
export function buildRecord(
  event: HookEvent,
  mode: string,
  judged: readonly Judged[],
  rest: Rest = {},
): DecisionRecord {
  const last = judged.at(-1);
  const combined = combine(last?.verdicts ?? []);
  const decider = combined.halts[0] ?? combined.deciders[0];
  return {
    event,
    mode,
    hooks: judged.flatMap((one) =>
      one.verdicts.map((verdict, index) => hookEntry(one, verdict, one.results[index])),
    ),
    skipped: (last?.skipped ?? []).map(({ hook, why }) => ({ ...identityOf(hook), why })),
    decision: outcomeOf(event, combined),
    decidedBy: decider ? `hook ${decider.hook.name}` : "no hook objected",
    ...(combined.reason ? { reason: combined.reason } : {}),
    durationMs: judged.reduce((sum, one) => sum + one.durationMs, 0),
    ...rest,
  };
}

export const hashOf = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("hex");

function hookEntry(
  judged: Judged,
  verdict: Verdict,
  result: HookExecutionResult | undefined,
): DecisionRecord["hooks"][number] {
  const cut = (result?.truncated?.stdout ?? 0) + (result?.truncated?.stderr ?? 0);
  const { rewrite, failure } = verdict;
  return {
    name: verdict.hook.name,
    source: verdict.hook.source,
    pass: judged.pass,
    ended: verdict.ended,
    durationMs: result?.duration ?? 0,
    verdict:
      verdict.halt !== undefined
        ? "halt"
        : failure && verdict.decision === "none"
          ? "could not decide"
          : verdict.decision,
    ...(verdict.reason
      ? { reason: verdict.reason.text }
      : verdict.halt !== undefined
        ? { reason: verdict.halt }
        : {}),
    ...(rewrite && "to" in rewrite ? { rewrote: Object.keys(rewrite.to) } : {}),
    stdoutBytes: Buffer.byteLength(result?.stdout ?? ""),
    stderrBytes: Buffer.byteLength(result?.stderr ?? ""),
    ...(cut > 0 ? { cutBytes: cut } : {}),
    ...(failure ? { failure: `${failure.kind}: ${failure.message}`, failedOpen: failure.failedOpen } : {}),
    ...(verdict.unknownFields.length > 0 ? { unknownFields: verdict.unknownFields } : {}),
  };
}

function outcomeOf(event: HookEvent, combined: ReturnType<typeof combine>): DecisionRecord["decision"] {
  if (combined.halts.length > 0) return "halted";
  if (combined.decision !== "deny") return "pass";
  const { onBlock } = HOOK_EVENTS[event];
  if (onBlock === "keep-going") return "continued";
  return onBlock === "tell-user" ? "pass" : "blocked";
}
