import { z } from "zod";
import { once } from "../utils/once.ts";
import { blockDecision, commonInput, context, outputOf, TEN_MINUTES } from "./eventFields.ts";
import type { HookEventRow } from "./eventRow.ts";

// The rows of events at which most hooks only look on, for the table in `events.ts`.

/** What such a row says where its own does not say otherwise. */
export const LOOKS_ON = {
  args: () => [],
  stdout: "not-used",
  onBlock: "tell-user",
  onError: [],
  time: TEN_MINUTES,
  onlyPlanned: true,
  silentWithoutHooks: true,
} as const satisfies Partial<HookEventRow>;

/** It happens while something else goes on, which it cannot end. */
export const ASIDE = { withinOther: true, endsNothing: true } as const;

const call = () => ({
  tool_name: z.string().describe("the tool"),
  tool_input: z
    .record(z.string(), z.unknown())
    .describe("what the tool would be called with; paths are absolute"),
  tool_use_id: z.string().optional().describe("this call, the same before and after it"),
});

export const permissionRequest = {
  ...LOOKS_ON,
  matchOn: "tool_name",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("PermissionRequest"),
      ...call(),
      reason: z.string().describe("why a person has to be asked"),
    }),
  ),
  output: once(() =>
    outputOf(
      "PermissionRequest",
      {},
      {
        decision: z
          .object({
            behavior: z.enum(["allow", "deny"]),
            message: z.string().optional(),
            interrupt: z.boolean().optional(),
            updatedInput: z.record(z.string(), z.unknown()).optional(),
            updatedPermissions: z.array(z.unknown()).optional(),
          })
          .optional()
          .describe(
            "behavior allow spares the question, unless a hook, a rule or a protected file asks; deny refuses the call with message, and with interrupt ends the turn",
          ),
      },
    ),
  ),
  args: (input) => [String(input["tool_name"]), JSON.stringify(input["tool_input"]) ?? ""],
  onBlock: "deny-tool",
  onError: ["block"],
} as const satisfies HookEventRow;

export const userPromptExpansion = {
  ...LOOKS_ON,
  matchOn: "command_name",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("UserPromptExpansion"),
      expansion_type: z.enum(["slash_command", "mcp_prompt"]).describe("what was typed"),
      command_name: z.string().describe("its name, without the slash"),
      command_args: z.string().describe("what was typed behind it"),
      command_source: z.string().describe("the file that says what it stands for; mcp: a server does"),
      prompt: z.string().describe("what it becomes"),
    }),
  ),
  output: once(() =>
    outputOf("UserPromptExpansion", blockDecision(), { ...blockDecision(), additionalContext: context() }),
  ),
  args: (input) => [String(input["command_name"]), String(input["command_args"])],
  stdout: "hook-block",
  onBlock: "refuse-change",
} as const satisfies HookEventRow;

export const permissionDenied = {
  ...LOOKS_ON,
  matchOn: "tool_name",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("PermissionDenied"),
      ...call(),
      reason: z.string().describe("why the call does not run, as the model reads it"),
      denied_by: z.string().describe("who refused it: a hook, a rule, the mode, a person"),
    }),
  ),
  output: once(() =>
    outputOf(
      "PermissionDenied",
      {},
      {
        retry: z.boolean().optional().describe("true: the model is told that it may try again"),
        additionalContext: context(),
      },
    ),
  ),
  args: (input) => [String(input["tool_name"]), String(input["reason"])],
  tellsModelAfterCalls: true,
} as const satisfies HookEventRow;

export const postToolBatch = {
  ...LOOKS_ON,
  matchOn: undefined,
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("PostToolBatch"),
      tool_calls: z
        .array(
          z.object({
            tool_name: z.string(),
            tool_input: z.record(z.string(), z.unknown()),
            tool_use_id: z.string(),
            tool_response: z.string(),
          }),
        )
        .describe(
          "the calls of one answer, as the model made them, each with its result as the model sees it",
        ),
    }),
  ),
  output: once(() =>
    outputOf("PostToolBatch", blockDecision(), { ...blockDecision(), additionalContext: context() }),
  ),
  onBlock: "end-turn",
} as const satisfies HookEventRow;

export const stopFailure = {
  ...LOOKS_ON,
  ...ASIDE,
  matchOn: "error",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("StopFailure"),
      error: z
        .enum([
          "authentication_failed",
          "rate_limit",
          "overloaded",
          "invalid_request",
          "server_error",
          "unknown",
        ])
        .describe("what kind of failure ended the turn"),
      error_details: z.string().describe("the whole message"),
      last_assistant_message: z.string().describe("what the model had answered"),
    }),
  ),
  output: once(() => outputOf("StopFailure", {}, {})),
  args: (input) => [String(input["error"]), String(input["error_details"])],
} as const satisfies HookEventRow;

export const interrupt = {
  ...LOOKS_ON,
  ...ASIDE,
  matchOn: undefined,
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("Interrupt"),
      last_assistant_message: z.string().describe("what the model had answered"),
    }),
  ),
  output: once(() => outputOf("Interrupt", {}, {})),
} as const satisfies HookEventRow;

export const notification = {
  ...LOOKS_ON,
  ...ASIDE,
  matchOn: "notification_type",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("Notification"),
      message: z.string().describe("what the person is told"),
      title: z.string().describe("a few words for the head of a notification"),
      notification_type: z
        .enum(["permission_prompt", "idle_prompt"])
        .describe(
          "permission_prompt: a question waits for an answer; idle_prompt: nothing was typed for a minute",
        ),
    }),
  ),
  output: once(() => outputOf("Notification", {}, {})),
  args: (input) => [String(input["message"])],
} as const satisfies HookEventRow;

const TRIGGER = () =>
  z.enum(["manual", "auto"]).describe("manual: a person wants it; auto: the conversation fills the context");

export const preCompact = {
  ...LOOKS_ON,
  ...ASIDE,
  matchOn: "trigger",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("PreCompact"),
      trigger: TRIGGER(),
      custom_instructions: z.string().nullable().describe("what the person said about the summary"),
    }),
  ),
  output: once(() => outputOf("PreCompact", blockDecision(), blockDecision())),
  args: (input) => [String(input["trigger"])],
  onBlock: "refuse-change",
} as const satisfies HookEventRow;

export const postCompact = {
  ...LOOKS_ON,
  ...ASIDE,
  matchOn: "trigger",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("PostCompact"),
      trigger: TRIGGER(),
      compact_summary: z.string().describe("the summary with which the conversation goes on"),
    }),
  ),
  output: once(() => outputOf("PostCompact", {}, {})),
  args: (input) => [String(input["trigger"])],
} as const satisfies HookEventRow;

export const instructionsLoaded = {
  ...LOOKS_ON,
  ...ASIDE,
  matchOn: "load_reason",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("InstructionsLoaded"),
      file_path: z.string().describe("the file"),
      memory_type: z.enum(["Project"]).describe("whose instructions they are"),
      load_reason: z.enum(["session_start"]).describe("why they are read"),
    }),
  ),
  output: once(() => outputOf("InstructionsLoaded", {}, {})),
  args: (input) => [String(input["file_path"])],
} as const satisfies HookEventRow;

const TASK = () => ({
  task_id: z.string().describe("its place in the list"),
  task_subject: z.string().describe("what is to be done"),
});

export const taskCreated = {
  ...LOOKS_ON,
  matchOn: undefined,
  input: once(() => commonInput().extend({ hook_event_name: z.literal("TaskCreated"), ...TASK() })),
  output: once(() => outputOf("TaskCreated", blockDecision(), blockDecision())),
  args: (input) => [String(input["task_subject"])],
  onBlock: "deny-tool",
} as const satisfies HookEventRow;

export const taskCompleted = {
  ...LOOKS_ON,
  matchOn: undefined,
  input: once(() => commonInput().extend({ hook_event_name: z.literal("TaskCompleted"), ...TASK() })),
  output: once(() => outputOf("TaskCompleted", blockDecision(), blockDecision())),
  args: (input) => [String(input["task_subject"])],
  onBlock: "deny-tool",
} as const satisfies HookEventRow;

export const cwdChanged = {
  ...LOOKS_ON,
  ...ASIDE,
  matchOn: undefined,
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("CwdChanged"),
      old_cwd: z.string().describe("the folder in which tools worked before"),
      new_cwd: z.string().describe("the folder in which they work now"),
    }),
  ),
  output: once(() => outputOf("CwdChanged", {}, {})),
  args: (input) => [String(input["new_cwd"])],
  setsVariables: true,
} as const satisfies HookEventRow;
