import { z } from "zod";
import { once } from "../utils/once.ts";
import {
  blockDecision,
  commonInput,
  context,
  ofSubAgent,
  outputOf,
  PROMPT_SOURCES,
  stopFacts,
  TEN_MINUTES,
} from "./eventFields.ts";
import type { HookEventRow } from "./eventRow.ts";
import * as model from "./modelEvents.ts";
import * as other from "./otherEvents.ts";
import * as server from "./serverEvents.ts";
import { postToolUse, postToolUseFailure, preToolUse } from "./toolEvents.ts";

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

/**
 * One row per event (FR-015). Types, runtime checks, JSON Schemas, matchers, arguments, the effects of an exit code
 * and the reference tables all come from here; an event is added by adding its row.
 */
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
  PreToolUse: preToolUse,
  PostToolUse: postToolUse,
  PostToolUseFailure: postToolUseFailure,
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
    setsVariables: true,
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
  PermissionRequest: other.permissionRequest,
  PermissionDenied: other.permissionDenied,
  PostToolBatch: other.postToolBatch,
  StopFailure: other.stopFailure,
  Interrupt: other.interrupt,
  Notification: other.notification,
  PreCompact: other.preCompact,
  PostCompact: other.postCompact,
  InstructionsLoaded: other.instructionsLoaded,
  TaskCreated: other.taskCreated,
  TaskCompleted: other.taskCompleted,
  CwdChanged: other.cwdChanged,
  UserPromptExpansion: other.userPromptExpansion,
  PreModelRequest: model.preModelRequest,
  PostModelRequest: model.postModelRequest,
  PostModelSwitch: model.postModelSwitch,
  Elicitation: server.elicitation,
  ElicitationResult: server.elicitationResult,
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
