import { z } from "zod";
import { once } from "../utils/once.ts";
import {
  blockDecision,
  commonInput,
  context,
  outputOf,
  TEN_MINUTES,
  toolCall,
  toolDecision,
} from "./eventFields.ts";
import type { HookEventRow } from "./eventRow.ts";

const compact = (value: unknown) => JSON.stringify(value) ?? "";

// The rows of the events around a call, for the table in `events.ts`.

export const preToolUse = {
  matchOn: "tool_name",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("PreToolUse"),
      ...toolCall(),
      pass: z.union([z.literal(1), z.literal(2)]).describe("2 when hooks judge an input that hooks rewrote"),
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
} as const satisfies HookEventRow;

const hasFailureEvent =
  (agent: string) =>
  ({ tool_success }: Readonly<Record<string, unknown>>) =>
    tool_success === false ? `the tool failed, and ${agent} has an event of its own for that` : undefined;

/** Of a call that was made. */
const ranCall = () => ({
  ...toolCall(),
  original_tool_input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("the model's input, when a hook rewrote it"),
  duration_ms: z.number().describe("how long the tool ran"),
});

const afterCall = {
  stdout: "not-used",
  onBlock: "tell-model",
  onError: ["block"],
  time: TEN_MINUTES,
  tellsModelAfterCalls: true,
} as const;

export const postToolUse = {
  matchOn: "tool_name",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("PostToolUse"),
      ...ranCall(),
      tool_success: z.boolean().describe("whether the tool did what it was asked"),
      tool_response: z.unknown().describe("the result in the tool's own shape"),
      result_text: z.string().describe("the result as the model sees it"),
    }),
  ),
  output: once(() =>
    outputOf("PostToolUse", blockDecision(), { ...blockDecision(), additionalContext: context() }),
  ),
  args: (input) => [String(input["tool_name"]), String(input["result_text"])],
  ...afterCall,
  notIn: {
    "claude-code": hasFailureEvent("Claude Code"),
    cursor: hasFailureEvent("Cursor"),
    copilot: hasFailureEvent("Copilot CLI"),
  },
} as const satisfies HookEventRow;

export const postToolUseFailure = {
  matchOn: "tool_name",
  input: once(() =>
    commonInput().extend({
      hook_event_name: z.literal("PostToolUseFailure"),
      ...ranCall(),
      error: z.string().describe("why the tool failed, as the model sees it"),
      is_interrupt: z.boolean().describe("whether a person stopped the tool"),
    }),
  ),
  output: once(() =>
    outputOf("PostToolUseFailure", blockDecision(), { ...blockDecision(), additionalContext: context() }),
  ),
  args: (input) => [String(input["tool_name"]), String(input["error"])],
  ...afterCall,
  onlyPlanned: true,
} as const satisfies HookEventRow;
