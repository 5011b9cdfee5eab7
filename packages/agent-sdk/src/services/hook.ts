import { type HookDefinition, identityOf } from "../hooks/definition.ts";
import type { HookDialect } from "../hooks/dialect.ts";
import type { HookEventRow } from "../hooks/eventRow.ts";
import { HOOK_EVENTS, type HookEvent } from "../hooks/events.ts";
import { inputThere, resultHere, shapesOf } from "../hooks/dialects/index.ts";
import { encodeHookInput, encodeLine } from "../hooks/input.ts";
import { isRecord } from "../hooks/outputFields.ts";
import type { HookExecutionResult } from "../hooks/result.ts";
import { mapAtMost } from "../utils/atMost.ts";
import { readPlainFile } from "../workspace/files/plainFile.ts";
import { didNotRun, type HookCall, type HookSurroundings } from "../hooks/kinds/call.ts";
import type { HookRunners } from "../hooks/kinds/runners.ts";

export type { HookExecutionResult } from "../hooks/result.ts";

export interface HookRunContext extends HookSurroundings {
  /** The fields of the event's input schema, snake_case, without `hook_event_name`. */
  input: Record<string, unknown>;
  /** The transcript of the session or of the sub-agent, for hooks that were written for another agent; asked only when one is about to run. */
  transcriptFor?: (dialect: HookDialect, whose: "session" | "agent") => string | undefined;
  /** What stays of hooks between two runs. */
  runners: HookRunners;
  /** Of a hook in a sequential group, when its turn comes: why the input as it is then is not for it. */
  whyNotAsked?: (hook: HookDefinition, input: Record<string, unknown>) => string | undefined;
  /** After each hook of a sequential group: what the next one is asked about, or why it is not. */
  nextInSequence?: (
    hook: HookDefinition,
    result: HookExecutionResult,
  ) => { input: Record<string, unknown> } | { stop: string } | undefined;
  /** A hook that nobody waited for has ended. */
  onLater?: (hook: HookDefinition, result: HookExecutionResult) => void;
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
  const lines = new Lines(event, context);
  const { time }: HookEventRow = HOOK_EVENTS[event];
  const sharedUntil = performance.now() + time.seconds * 1_000;
  const results: HookExecutionResult[] = [];

  const ask = async (hook: HookDefinition, about: Asked): Promise<HookExecutionResult> => {
    context.onStarted?.(hook);
    const timeoutMs = hook.sharesTime
      ? Math.min(hook.timeoutMs, sharedUntil - performance.now())
      : hook.timeoutMs;
    const encoded = lines.of(about.input, hook);
    const finished = (result: HookExecutionResult) => {
      const said = resultHere(result, { hook, event, fields: about.input, now: new Date(), contentOf });
      const named = { ...said, hook: identityOf(hook) };
      context.onFinished?.(hook, named);
      return named;
    };
    if ("problem" in encoded) return finished(encoded.problem);
    const { runners } = context;
    const surroundings = { ...context, input: about.input };
    const call = { event, hook, context: surroundings, timeoutMs, line: encoded.line };
    if (!hook.inBackground) return finished(await runHook(call, runners));
    // It outlives the turn, so what interrupts the turn does not end it.
    const later = { ...call, context: { ...surroundings, signal: runners.signal } };
    runners.inBackground(runHook(later, runners).then((result) => context.onLater?.(hook, finished(result))));
    return { ...BEGUN, hook: identityOf(hook) };
  };

  await mapAtMost(AT_A_TIME, rowsOf(hooks), async (row) => {
    let about: Asked = { input: context.input };
    let stopped: string | undefined;
    for (const { hook, index } of row) {
      const notAsked = stopped ?? (hook.sequence && context.whyNotAsked?.(hook, about.input));
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
        const input = { ...context.input, ...next.input };
        const saw = input["tool_input"];
        about = { input, ...(isRecord(saw) && { saw }) };
      }
    }
  });
  return results;
}

/** What a hook is asked about. */
interface Asked {
  input: Record<string, unknown>;
  /** The tool's input, when hooks before it had changed it. */
  saw?: Record<string, unknown>;
}

const BEGUN = { success: true, exitCode: 0, duration: 0, timedOut: false, background: true } as const;

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

/** For agents that tell a hook what is in a file, as far as somebody would read it. */
function contentOf(path: string): string | undefined {
  try {
    return readPlainFile(path, MOST_CONTENT).toString("utf8");
  } catch {
    // Not there, no plain file, or larger than that: the tool says so when it is called.
    return undefined;
  }
}

const MOST_CONTENT = 1024 * 1024;

type Encoded = { line: string } | { problem: HookExecutionResult };

/** The bytes that hooks read. Made once for all that read the same: a tool's result can be megabytes. */
class Lines {
  readonly #event: HookEvent;
  readonly #context: HookRunContext;
  readonly #made = new Map<Record<string, unknown>, Map<string, Encoded>>();

  constructor(event: HookEvent, context: HookRunContext) {
    this.#event = event;
    this.#context = context;
  }

  of(input: Record<string, unknown>, hook: HookDefinition): Encoded {
    const ofInput = this.#made.get(input) ?? new Map<string, Encoded>();
    this.#made.set(input, ofInput);
    const reads = `${hook.dialect} ${shapesOf(hook)}`;
    const encoded = ofInput.get(reads) ?? this.#encode(input, hook);
    ofInput.set(reads, encoded);
    return encoded;
  }

  #encode(input: Record<string, unknown>, hook: HookDefinition): Encoded {
    const event = this.#event;
    const { dialect } = hook;
    try {
      const of = (whose: "session" | "agent") => dialect && this.#context.transcriptFor?.(dialect, whose);
      const transcript = of("session");
      const ofAgent = input["agent_transcript_path"] === undefined ? undefined : of("agent");
      const fields = {
        ...input,
        ...(transcript === undefined ? {} : { transcript_path: transcript }),
        ...(ofAgent === undefined ? {} : { agent_transcript_path: ofAgent }),
      };
      const there = inputThere({ hook, event, fields, now: new Date(), contentOf });
      return { line: there ? encodeLine(there) : encodeHookInput(event, fields) };
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
}
