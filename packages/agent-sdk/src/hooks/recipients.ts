import { isDeepStrictEqual } from "node:util";
import { buildRecord } from "./buildRecord.ts";
import { effectsOf, type Effect } from "./effects.ts";
import { HOOK_EVENTS, type HookEvent } from "./events.ts";
import type { HookExecutionResult } from "./result.ts";
import { readVerdict, type Verdict } from "./verdict.ts";

/** How a text of a hook's is shown. What the model is told stands in the conversation, for both to read. */
export type Shown = "error" | "warning" | "question" | "conversation";

/** Who gets to see a text that a hook gives. */
export interface Recipients {
  user: Shown[];
  model: boolean;
  /** The decision record: `/hooks`, `wave hooks explain`. */
  record: boolean;
}

/** One thing a hook can give: how it ends, or a field of its JSON. */
export interface Given {
  what: string;
  result: (event: HookEvent, text: string) => HookExecutionResult;
  /** What it prints, when that is JSON. */
  printed?: (event: HookEvent, text: string) => Record<string, unknown>;
}

const ended = (exitCode: number, output: Partial<HookExecutionResult>): HookExecutionResult => ({
  success: exitCode === 0,
  exitCode,
  duration: 0,
  timedOut: false,
  ...output,
});

const byExit = (what: string, exitCode: number, stream: "stdout" | "stderr"): Given => ({
  what,
  result: (_event, text) => ended(exitCode, { [stream]: text }),
});

const byJson = (what: string, printed: NonNullable<Given["printed"]>): Given => ({
  what,
  printed,
  result: (event, text) => ended(0, { stdout: JSON.stringify(printed(event, text)) }),
});

const specific = (what: string, fields: (text: string) => Record<string, unknown>): Given =>
  byJson(what, (event, text) => ({ hookSpecificOutput: { hookEventName: event, ...fields(text) } }));

const permission = (decision: string) =>
  specific(`\`permissionDecisionReason\` of ${decision}`, (text) => ({
    permissionDecision: decision,
    permissionDecisionReason: text,
  }));

/** Everything in which a hook can say something, in the order of the reference. */
export const GIVEN: readonly Given[] = [
  byExit("stdout, exit code 0", 0, "stdout"),
  byExit("stdout, exit code 2", 2, "stdout"),
  byExit("stdout, any other exit code", 1, "stdout"),
  byExit("stderr, exit code 0", 0, "stderr"),
  byExit("stderr, exit code 2", 2, "stderr"),
  byExit("stderr, any other exit code", 1, "stderr"),
  byJson("`systemMessage`", (_event, text) => ({ systemMessage: text })),
  byJson("`stopReason`", (_event, text) => ({ continue: false, stopReason: text })),
  byJson("`reason` of a block", (_event, text) => ({ decision: "block", reason: text })),
  permission("deny"),
  permission("ask"),
  permission("allow"),
  specific("`additionalContext`", (text) => ({ additionalContext: text })),
  specific("`updatedInput`", (text) => ({ updatedInput: { command: text } })),
];

/** Whether the event has such a field. */
export function canGive(event: HookEvent, { printed }: Given): boolean {
  if (!printed) return true;
  const object = printed(event, "text");
  const parsed = HOOK_EVENTS[event].output().safeParse(object);
  return parsed.success && isDeepStrictEqual(parsed.data, object);
}

/** Found out by asking what decides in a session: verdict, effects and record of such a hook. */
export function recipientsOf(event: HookEvent, result: HookExecutionResult, text: string): Recipients {
  const verdict = readVerdict(event, result, { name: "hook", source: "settings", onError: "continue" });
  const told = effectsOf(event, [verdict]).filter((effect) => JSON.stringify(effect).includes(text));
  const judged = { pass: 1 as const, results: [result], verdicts: [verdict], skipped: [], durationMs: 0 };
  const rewritten = JSON.stringify(verdict.rewrite ?? "").includes(text);
  const model = told.some((effect) => reachesModel(event, effect));
  return {
    user: [
      ...new Set([
        ...told.flatMap(shownAs),
        ...(isAsked(verdict, text) ? ["question" as const] : []),
        ...(model || rewritten ? ["conversation" as const] : []),
      ]),
    ],
    model,
    // The record of a call has the input that ran.
    record: rewritten || JSON.stringify(buildRecord(event, "default", [judged])).includes(text),
  };
}

function shownAs(effect: Effect): Shown[] {
  if (effect.do === "tell-user") return [effect.as];
  return effect.do === "end-turn" ? ["warning"] : [];
}

/** A call that does not run is answered with the reason, also when it is the turn that ends. */
const reachesModel = (event: HookEvent, effect: Effect) =>
  effect.do === "tell-model" ||
  effect.do === "deny-tool" ||
  (effect.do === "end-turn" && HOOK_EVENTS[event].onBlock === "deny-tool");

const isAsked = ({ decision, reason }: Verdict, text: string) =>
  decision === "ask" && reason?.text.includes(text) === true;
