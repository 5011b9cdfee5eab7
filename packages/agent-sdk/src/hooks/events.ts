import { z } from "zod";
import { once } from "../utils/once.ts";
import type { HookDialect } from "./dialect.ts";
import {
  blockDecision,
  commonInput,
  context,
  ofSubAgent,
  outputOf,
  PROMPT_SOURCES,
  stopFacts,
  toolCall,
  toolDecision,
} from "./eventFields.ts";

/**
 * One row per event (FR-015). Types, runtime checks, JSON Schemas, matchers, arguments, the effects of an exit code
 * and the reference tables all come from here; an event is added by adding its row.
 */
export interface HookEventRow {
  /** The input field a matcher is compared with; undefined where a matcher means nothing. */
  matchOn: "tool_name" | "source" | "reason" | "agent_type" | undefined;
  /** One line of JSON on the hook's stdin. snake_case lives in these schemas and nowhere else. */
  input: () => z.ZodObject;
  /** What a hook may print. Read leniently by `readOutput`, documented strictly here. */
  output: () => z.ZodObject;
  /** `$1`, `$2`, … for scripts that read arguments. */
  args: (input: Record<string, unknown>) => string[];
  /** Plain text on stdout with exit code 0. */
  stdout: "second-user-message" | "hook-block" | "not-used";
  /** Exit code 2, or a decision to block. */
  onBlock: "deny-tool" | "drop-prompt" | "tell-model" | "keep-going" | "tell-user" | "refuse-change";
  /** Which values of `onError` other than "continue" act here; the others are reported when settings are loaded. */
  onError: readonly ("ask" | "block")[];
  /**
   * How long a hook without a `timeout` of its own may take. Shared: all of them together, because somebody waits for Wave to
   * be gone.
   */
  time: { seconds: number; shared?: true };
  /** Calls of one answer are made together: what hooks tell the model waits for the results of all of them. */
  tellsModelAfterCalls?: true;
  /**
   * Results count only for hooks that were planned. For prompts, tools and stops every result counts, so that a program that
   * stands in for the hook service needs no settings.
   */
  onlyPlanned?: true;
  /** It happens in the course of another event, which does the ending of a turn. */
  withinOther?: true;
  /** Why hooks that were written for another agent are not asked, where that agent would not ask them. */
  notIn?: Readonly<Record<HookDialect, (input: Readonly<Record<string, unknown>>) => string | undefined>>;
  /** Rules and a person decide, too: there is a record also when no hook was asked. */
  alwaysRecorded?: true;
}

/** As in Claude Code: a gate that runs the tests at Stop takes longer than a minute. */
const TEN_MINUTES = { seconds: 600 } as const;

/** Files whose change is an event, as Claude Code names them, and the scripts of hooks. */
export const CONFIG_SOURCES = [
  "policy_settings",
  "user_settings",
  "project_settings",
  "local_settings",
  "flag_settings",
  "hook_script",
] as const;

/** After a compaction the hooks of SessionStart are asked again, because what they said before may be gone or old. */
const START_SOURCES = ["startup", "resume", "clear", "compact", "fork"] as const;

const compact = (value: unknown) => JSON.stringify(value) ?? "";

export const HOOK_EVENTS = {
  UserPromptSubmit: {
    matchOn: undefined,
    input: once(() =>
      commonInput().extend({
        hook_event_name: z.literal("UserPromptSubmit"),
        prompt: z.string().describe("what the user wrote"),
        prompt_source: z
          .enum(PROMPT_SOURCES)
          .describe(
            "typed; queued: typed during a turn and sent after it; steered: told within the running turn; print: of wave -p; sdk: of a program",
          ),
      }),
    ),
    output: once(() =>
      outputOf("UserPromptSubmit", blockDecision(), { ...blockDecision(), additionalContext: context() }),
    ),
    args: (input) => [String(input["prompt"])],
    stdout: "second-user-message",
    onBlock: "drop-prompt",
    onError: ["ask", "block"],
    time: { seconds: 30 },
  },
  PreToolUse: {
    matchOn: "tool_name",
    input: once(() =>
      commonInput().extend({
        hook_event_name: z.literal("PreToolUse"),
        ...toolCall(),
        pass: z
          .union([z.literal(1), z.literal(2)])
          .describe("2 when hooks judge an input that hooks rewrote"),
        tool_input_error: z
          .string()
          .optional()
          .describe("why the model's arguments could not be read; tool_input is then {}"),
        tool_input_raw: z.string().optional().describe("those arguments as the model wrote them"),
        previous_denials: z
          .array(
            z.object({
              path: z.string(),
              tool_name: z.string(),
              tool_use_id: z.string(),
              by: z.string(),
              reason: z.string(),
            }),
          )
          .optional()
          .describe(
            "calls of this turn that were denied and touched one of these files, or one in a folder that this call changes",
          ),
      }),
    ),
    output: once(() =>
      outputOf(
        "PreToolUse",
        {
          decision: z
            .enum(["approve", "block", "allow", "deny", "ask"])
            .optional()
            .describe("approve is allow, block is deny"),
          reason: z.string().optional().describe("why"),
          ...toolDecision(),
        },
        {
          ...toolDecision(),
          updatedInput: z
            .record(z.string(), z.unknown())
            .optional()
            .describe("the tool runs with this instead"),
          additionalContext: context(),
        },
      ),
    ),
    args: (input) => [String(input["tool_name"]), compact(input["tool_input"])],
    stdout: "not-used",
    onBlock: "deny-tool",
    onError: ["ask", "block"],
    time: TEN_MINUTES,
    tellsModelAfterCalls: true,
    alwaysRecorded: true,
  },
  PostToolUse: {
    matchOn: "tool_name",
    input: once(() =>
      commonInput().extend({
        hook_event_name: z.literal("PostToolUse"),
        ...toolCall(),
        original_tool_input: z
          .record(z.string(), z.unknown())
          .optional()
          .describe("the model's input, when a hook rewrote it"),
        tool_success: z.boolean().describe("whether the tool did what it was asked"),
        tool_response: z.unknown().describe("the result in the tool's own shape"),
        result_text: z.string().describe("the result as the model sees it"),
        duration_ms: z.number().describe("how long the tool ran"),
      }),
    ),
    output: once(() =>
      outputOf("PostToolUse", blockDecision(), { ...blockDecision(), additionalContext: context() }),
    ),
    args: (input) => [String(input["tool_name"]), String(input["result_text"])],
    stdout: "not-used",
    onBlock: "tell-model",
    onError: ["block"],
    time: TEN_MINUTES,
    tellsModelAfterCalls: true,
    notIn: {
      "claude-code": ({ tool_success }) =>
        tool_success === false
          ? "the tool failed, and Claude Code has PostToolUseFailure for that"
          : undefined,
    },
  },
  PostToolUseFailure: {
    matchOn: "tool_name",
    input: once(() =>
      commonInput().extend({
        hook_event_name: z.literal("PostToolUseFailure"),
        ...toolCall(),
        original_tool_input: z
          .record(z.string(), z.unknown())
          .optional()
          .describe("the model's input, when a hook rewrote it"),
        error: z.string().describe("why the tool failed, as the model sees it"),
        is_interrupt: z.boolean().describe("whether a person stopped the tool"),
        duration_ms: z.number().describe("how long the tool ran"),
      }),
    ),
    output: once(() =>
      outputOf("PostToolUseFailure", blockDecision(), { ...blockDecision(), additionalContext: context() }),
    ),
    args: (input) => [String(input["tool_name"]), String(input["error"])],
    stdout: "not-used",
    onBlock: "tell-model",
    onError: ["block"],
    time: TEN_MINUTES,
    tellsModelAfterCalls: true,
    onlyPlanned: true,
  },
  Stop: {
    matchOn: undefined,
    input: once(() => commonInput().extend({ hook_event_name: z.literal("Stop"), ...stopFacts() })),
    output: once(() => outputOf("Stop", blockDecision(), blockDecision())),
    args: () => [],
    stdout: "not-used",
    onBlock: "keep-going",
    onError: [],
    time: TEN_MINUTES,
  },
  SubagentStart: {
    matchOn: "agent_type",
    input: once(() => commonInput().extend({ hook_event_name: z.literal("SubagentStart"), ...ofSubAgent() })),
    output: once(() => outputOf("SubagentStart", {}, { additionalContext: context() })),
    args: (input) => [String(input["agent_type"])],
    stdout: "hook-block",
    onBlock: "tell-user",
    onError: [],
    time: TEN_MINUTES,
    onlyPlanned: true,
  },
  SubagentStop: {
    matchOn: "agent_type",
    input: once(() =>
      commonInput().extend({
        hook_event_name: z.literal("SubagentStop"),
        ...ofSubAgent(),
        agent_transcript_path: z
          .string()
          .describe("the sub-agent's own file, readable and complete up to this event"),
        ...stopFacts(),
      }),
    ),
    output: once(() => outputOf("SubagentStop", blockDecision(), blockDecision())),
    args: (input) => [String(input["agent_type"])],
    stdout: "not-used",
    onBlock: "keep-going",
    onError: [],
    time: TEN_MINUTES,
  },
  SessionStart: {
    matchOn: "source",
    input: once(() =>
      commonInput().extend({
        hook_event_name: z.literal("SessionStart"),
        source: z
          .enum(START_SOURCES)
          .describe(
            "how the session began; compact: it goes on with a summary; fork: as a copy of an earlier one",
          ),
      }),
    ),
    output: once(() => outputOf("SessionStart", {}, { additionalContext: context() })),
    args: (input) => [String(input["source"])],
    stdout: "hook-block",
    onBlock: "tell-user",
    onError: [],
    time: TEN_MINUTES,
    onlyPlanned: true,
  },
  SessionEnd: {
    matchOn: "reason",
    input: once(() =>
      commonInput().extend({
        hook_event_name: z.literal("SessionEnd"),
        reason: z
          .enum(["clear", "resume", "prompt_input_exit", "interrupted", "terminated", "other"])
          .describe("why the session ends; clear and resume: another one begins in its place"),
      }),
    ),
    output: once(() => outputOf("SessionEnd", {}, {})),
    args: (input) => [String(input["reason"])],
    stdout: "not-used",
    onBlock: "tell-user",
    onError: [],
    time: { seconds: 5, shared: true },
    onlyPlanned: true,
  },
  ConfigChange: {
    matchOn: "source",
    input: once(() =>
      commonInput().extend({
        hook_event_name: z.literal("ConfigChange"),
        source: z.enum(CONFIG_SOURCES).describe("what kind of file it is"),
        file_path: z.string().describe("the file"),
        change: z.enum(["changed", "created", "removed"]).describe("what happened to it"),
        difference: z.string().describe("lines that are gone (-) and new (+), at most 16 KiB"),
        moment: z
          .enum(["noticed", "reload"])
          .describe(
            "noticed: it was found on disk and is not in force; reload: a person wants it in force now",
          ),
      }),
    ),
    output: once(() => outputOf("ConfigChange", blockDecision(), blockDecision())),
    args: (input) => [String(input["source"]), String(input["file_path"])],
    stdout: "not-used",
    onBlock: "refuse-change",
    onError: [],
    time: TEN_MINUTES,
    withinOther: true,
  },
} as const satisfies Record<string, HookEventRow>;

export type HookEvent = keyof typeof HOOK_EVENTS;

export type HookInput<E extends HookEvent> = z.infer<ReturnType<(typeof HOOK_EVENTS)[E]["input"]>>;
export type HookOutput<E extends HookEvent> = z.infer<ReturnType<(typeof HOOK_EVENTS)[E]["output"]>>;

export const HOOK_EVENT_NAMES = Object.keys(HOOK_EVENTS) as HookEvent[];
export const isHookEvent = (name: string): name is HookEvent => Object.hasOwn(HOOK_EVENTS, name);

/** What the event itself knows; the common fields are added by whoever knows the session. */
export type HookFacts<E extends HookEvent> = Omit<
  HookInput<E>,
  keyof z.infer<ReturnType<typeof commonInput>> | "hook_event_name"
>;

/** What a hook is told, without what is the same for the whole session: the facts, where tools work, and the mode. */
export type HookContext<E extends HookEvent> = HookFacts<E> &
  Pick<
    z.infer<ReturnType<typeof commonInput>>,
    "cwd" | "permission_mode" | "prompt_id" | "agent_id" | "agent_type" | "parent_agent_id"
  >;

/** These come first, in this order, so that a person who reads a hook's input finds his way. */
export const commonFields = once((): readonly string[] => Object.keys(commonInput().shape));
