import { type HookDefinition, identityOf } from "../hooks/definition.ts";
import { HOOK_EVENTS, type HookEvent, type HookEventRow } from "../hooks/events.ts";
import { encodeHookInput } from "../hooks/input.ts";
import { isRecord } from "../hooks/outputFields.ts";
import type { HookExecutionResult } from "../hooks/result.ts";
import { mapAtMost } from "../utils/atMost.ts";
import { didNotRun, type HookCall, type HookSurroundings } from "../hooks/kinds/call.ts";
import type { HookRunners } from "../hooks/kinds/runners.ts";

export type { HookExecutionResult } from "../hooks/result.ts";

export interface HookRunContext extends HookSurroundings {
  /** The fields of the event's input schema, snake_case, without `hook_event_name`. */
  input: Record<string, unknown>;
  /** What stays of hooks between two runs. */
  runners: HookRunners;
  /** Of a hook in a sequential group, when its turn comes: why the input as it is then is not for it. */
  whyNotAsked?: (hook: HookDefinition, input: Record<string, unknown>) => string | undefined;
  /** After each hook of a sequential group: what the next one is asked about, or why it is not. */
  nextInSequence?: (
    hook: HookDefinition,
    result: HookExecutionResult,
  ) => { input: Record<string, unknown> } | { stop: string } | undefined;
  onStarted?: (hook: HookDefinition) => void;
  onFinished?: (hook: HookDefinition, result: HookExecutionResult) => void;
}

/** More at once only make each other slow. */
const AT_A_TIME = 8;

/** Resolves to one result per hook, in the order given. Never rejects: a hook cannot crash Wave. */
export async function executeHooks(
  event: HookEvent,
  context: HookRunContext,
  hooks: readonly HookDefinition[],
): Promise<HookExecutionResult[]> {
  if (hooks.length === 0) return [];
  const encoded = encode(event, context);
  const { time }: HookEventRow = HOOK_EVENTS[event];
  const sharedUntil = performance.now() + time.seconds * 1_000;
  const results: HookExecutionResult[] = [];

  const ask = async (hook: HookDefinition, about: Asked): Promise<HookExecutionResult> => {
    context.onStarted?.(hook);
    const timeoutMs = hook.sharesTime
      ? Math.min(hook.timeoutMs, sharedUntil - performance.now())
      : hook.timeoutMs;
    const result =
      "problem" in about.encoded
        ? about.encoded.problem
        : await runHook(
            { event, hook, context: about.context, timeoutMs, line: about.encoded.line },
            context.runners,
          );
    const named = { ...result, hook: identityOf(hook) };
    context.onFinished?.(hook, named);
    return named;
  };

  await mapAtMost(AT_A_TIME, rowsOf(hooks), async (row) => {
    let about: Asked = { context, encoded };
    let stopped: string | undefined;
    for (const { hook, index } of row) {
      const notAsked = stopped ?? (hook.sequence && context.whyNotAsked?.(hook, about.context.input));
      if (notAsked !== undefined) {
        results[index] = { ...NEVER_ASKED, notAsked, hook: identityOf(hook) };
        continue;
      }
      const result = await ask(hook, about);
      results[index] = about.saw ? { ...result, saw: about.saw } : result;
      const next = hook.sequence && context.nextInSequence?.(hook, result);
      if (!next) continue;
      if ("stop" in next) stopped = next.stop;
      else {
        const changed = { ...context, input: { ...context.input, ...next.input } };
        const saw = changed.input["tool_input"];
        about = { context: changed, encoded: encode(event, changed), ...(isRecord(saw) && { saw }) };
      }
    }
  });
  return results;
}

/** What a hook is asked about, and the same as the bytes it reads. */
interface Asked {
  context: HookRunContext;
  /** The tool's input, when hooks before it had changed it. */
  saw?: Record<string, unknown>;
  encoded: ReturnType<typeof encode>;
}

const NEVER_ASKED = { success: false, duration: 0, timedOut: false };

/** Hooks that wait for each other, and each other hook alone. */
function rowsOf(hooks: readonly HookDefinition[]): { hook: HookDefinition; index: number }[][] {
  const placed = hooks.map((hook, index) => ({ hook, index }));
  return [...Map.groupBy(placed, ({ hook, index }) => hook.sequence?.group ?? index).values()];
}

async function runHook(call: HookCall, runners: HookRunners): Promise<HookExecutionResult> {
  if (call.context.signal?.aborted) return { success: false, duration: 0, timedOut: false, aborted: true };
  // The hooks before it used up the time they share.
  if (call.timeoutMs <= 0) return { success: false, duration: 0, timedOut: true };
  return runners.runnerOf(call.hook.action).run(call);
}

/** Once per event: a tool's result can be megabytes, and all hooks must judge the same bytes. */
function encode(
  event: HookEvent,
  context: HookRunContext,
): { line: string } | { problem: HookExecutionResult } {
  try {
    return { line: encodeHookInput(event, context.input) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      problem: didNotRun(
        "no-input",
        `was not asked: the input of ${event} cannot be written as JSON (${why})`,
      ),
    };
  }
}
