import type { HookDefinition } from "../hooks/definition.ts";
import { HOOK_EVENTS, type HookEvent } from "../hooks/events.ts";
import { HookRunners } from "../hooks/kinds/runners.ts";
import type { HookEventRow } from "../hooks/eventRow.ts";
import { planHooks } from "../hooks/plan.ts";
import { planningFor } from "../hooks/planning.ts";
import { readVerdict } from "../hooks/verdict.ts";
import { executeHooks } from "../services/hook.ts";
import { childEnvironment } from "../utils/environment.ts";
import { builtInToolNames } from "../tools/index.ts";
import { readHooks } from "../workspace/settings/hookEvents.ts";
import { nodeOfValue } from "../workspace/settings/node.ts";

/** A hook to try out: a command, or an entry as in settings, with the matcher of its group. */
export interface HookToRun {
  event: HookEvent;
  hook: string | Readonly<Record<string, unknown>>;
  matcher?: string | undefined;
  /** Commands start here. Default: the current folder. */
  projectDir?: string;
  /** Default: that of this process, without the model's keys. */
  env?: Record<string, string | undefined>;
}

/** What Wave would make of what the hook did. */
export interface HookRan {
  /** False: its matcher or its `if` is not about this input. */
  ran: boolean;
  decision: "none" | "allow" | "ask" | "deny";
  reason: string | undefined;
  /** What the model would be told beside that. */
  context: string | undefined;
  /** The input that the tool would be called with. */
  updatedInput: Record<string, unknown> | undefined;
  /** Why the turn would end. */
  halt: string | undefined;
  /** Why it could not decide, and so its `onError` did. */
  failure: string | undefined;
  /** What the person would be shown. */
  messages: readonly string[];
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
}

/** Runs a hook through the engine that runs it in a session. Rejects with a sentence for an entry that cannot be read. */
export async function runHook(
  { event, hook, matcher, projectDir = process.cwd(), env = process.env }: HookToRun,
  input: Readonly<Record<string, unknown>>,
): Promise<HookRan> {
  const definition = definitionOf(
    event,
    typeof hook === "string" ? { type: "command", command: hook } : hook,
    matcher,
  );
  const fields: Readonly<Record<string, unknown>> = { cwd: projectDir, permission_mode: "default", ...input };
  const { matchOn }: HookEventRow = HOOK_EVENTS[event];
  const named = matchOn === undefined ? undefined : fields[matchOn];
  const value = typeof named === "string" ? named : undefined;
  const about = { base: projectDir, home: env["HOME"] ?? projectDir };
  const given = { knownTools: builtInToolNames(), unreviewed: new Set<string>(), context: about };
  const plan = planHooks(event, value, [definition], planningFor(fields, given));
  if (plan.run.length === 0) return NOT_RUN;
  const runners = new HookRunners();
  try {
    const context = {
      ...childEnvironment(env),
      input: {
        session_id: "session",
        transcript_path: "/dev/null",
        interactive: true,
        entrypoint: "sdk",
        ...fields,
      },
      projectDir,
      sessionId: "session",
      runners,
    };
    const [result] = await executeHooks(event, context, [definition]);
    if (!result) return NOT_RUN;
    const { name } = definition;
    const verdict = readVerdict(event, result, { name, source: name, onError: definition.onError });
    const { rewrite, failure } = verdict;
    return {
      ran: true,
      decision: verdict.decision,
      reason: verdict.reason?.text,
      context: verdict.context?.text,
      updatedInput: rewrite && "to" in rewrite ? rewrite.to : undefined,
      halt: verdict.halt,
      failure: failure && ("message" in failure ? failure.message : failure.kind),
      messages: [...verdict.errors.map(({ text }) => text), ...verdict.warnings],
      exitCode: result.exitCode,
      stdout: result.stdout ?? "",
      stderr: result.stderr ?? "",
    };
  } finally {
    await runners.close();
  }
}

const NOT_RUN: HookRan = {
  ran: false,
  decision: "none",
  reason: undefined,
  context: undefined,
  updatedInput: undefined,
  halt: undefined,
  failure: undefined,
  messages: [],
  exitCode: undefined,
  stdout: "",
  stderr: "",
};

function definitionOf(
  event: HookEvent,
  entry: Readonly<Record<string, unknown>>,
  matcher: string | undefined,
): HookDefinition {
  if (!Object.hasOwn(HOOK_EVENTS, event)) throw new Error(`there is no event ${JSON.stringify(event)}`);
  const group = { ...(matcher !== undefined && { matcher }), hooks: [entry] };
  const said: string[] = [];
  const place = { scope: "user", file: undefined, defaults: [] } as const;
  const { hooks } = readHooks(
    nodeOfValue({ [event]: [group] }, "hooks"),
    place,
    (severity, _place, message) => {
      if (severity !== "warning") said.push(message);
    },
  );
  const [hook] = hooks;
  if (!hook || said.length > 0) throw new Error(said.join("; ") || "there is no hook in this entry");
  return hook;
}
