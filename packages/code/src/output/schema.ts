import { FAILURE_KINDS } from "wave-agent-sdk";
import { z } from "zod";

/*
 * What print mode writes on stdout, one schema per shape. The code takes its types from here and the tests parse
 * every line with it. snake_case lives in these shapes and nowhere else.
 */

const usage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cached_input_tokens: z.number(),
});

/** How often hooks ended in which way. Each hook counts once, by what it said itself; `ran` is the sum. */
export const hookCountsSchema = z.object({
  ran: z.number(),
  allow: z.number(),
  ask: z.number(),
  deny: z.number(),
  none: z.number(),
  halt: z.number(),
  /** Also those whose `onError` then blocked or asked: that was not their word. */
  could_not_decide: z.number(),
  /** The turn ended while they ran. */
  interrupted: z.number(),
  /** How often something went on although a hook could not decide about it; `failed_open` of the result lists them. Not part of the sum. */
  failed_open: z.number(),
  /** How many hooks settings name that cannot run and hold nothing back: their entry is wrong, or wants what Wave does not have. */
  left_out: z.number(),
});

const permissionDenial = z.object({
  tool_name: z.string(),
  tool_use_id: z.string(),
  tool_input: z.record(z.string(), z.unknown()),
  reason: z.string(),
  /** "hook …", "rule …", "mode …", "nobody could answer". */
  by: z.string(),
  /** An allow rule with which the same call runs. */
  allowed_by: z.string().optional(),
});

export const RESULT_SUBTYPES = [
  "success",
  /** Done, but only because the cap on blocked stops was reached. */
  "stop_cap",
  "interrupted",
  "prompt_blocked",
  "halted",
  "denied",
  "error_max_turns",
  "error_context_full",
  "error_model",
  "error_settings",
  "error_session",
] as const;

/** `--output-format json` prints this and nothing else; it is also the last line of stream-json. */
export const resultSchema = z.object({
  type: z.literal("result"),
  subtype: z.enum(RESULT_SUBTYPES),
  /** There is no finished answer. */
  is_error: z.boolean(),
  /** The final answer, after stop hooks. */
  result: z.string(),
  /** Why it ended; absent after a plain success. */
  reason: z.string().optional(),
  /** Why the model did not answer; absent unless that is how it ended. */
  error: z
    .object({
      kind: z.string(),
      detail: z.string().optional(),
      status: z.number().optional(),
      can_retry: z.boolean(),
      retry_after_ms: z.number().optional(),
    })
    .optional(),
  exit_status: z.number(),
  /** Empty when no session came to be. */
  session_id: z.string(),
  /** Whether `--resume` finds all of it. False with a status of 0 where nothing could be written from the start. */
  session_saved: z.boolean(),
  /** Why not, in words; absent when it is saved, and when no session came to be. */
  not_saved: z.string().optional(),
  num_turns: z.number(),
  usage,
  /** In US dollars by the providers' lists of `prices_as_of`; absent where a model has no price there. */
  total_cost_usd: z.number().optional(),
  prices_as_of: z.string().optional(),
  /** How many of the tokens have no price, and are no part of `total_cost_usd`. */
  unpriced_tokens: z.number().optional(),
  permission_denials: z.array(permissionDenial),
  hooks: hookCountsSchema,
  /** What went on although a hook failed, because its `onError` says continue: one entry per hook, event and kind of failure. */
  failed_open: z.array(
    z.object({
      event: z.string(),
      hook: z.string(),
      source: z.string(),
      kind: z.enum(FAILURE_KINDS),
      count: z.number(),
    }),
  ),
  /** Answers that a Stop hook sent back, oldest first, with what it said. */
  answers: z.array(z.object({ text: z.string(), sent_back_by: z.string(), reason: z.string() })),
});

const hookIdentity = z.object({ name: z.string(), source: z.string() });
const input = z.record(z.string(), z.unknown());

/** One line of `--output-format stream-json`. */
export const streamEventSchema = z.discriminatedUnion("type", [
  /** The first line. */
  z.object({
    type: z.literal("session"),
    session_id: z.string(),
    session_file: z.string(),
    cwd: z.string(),
    version: z.string(),
  }),
  /** Without the prompt, which its hooks may still refuse: it follows as a block when they have let it pass. */
  z.object({ type: z.literal("turn_started") }),
  z.object({ type: z.literal("model_started"), call: z.number() }),
  z.object({ type: z.literal("text_delta"), text: z.string() }),
  z.object({ type: z.literal("reasoning_delta"), text: z.string() }),
  z.object({ type: z.literal("tool_call_streaming"), name: z.string() }),
  z.object({
    type: z.literal("model_retry"),
    /** The one that failed, from 1. */
    attempt: z.number(),
    attempts: z.number(),
    wait_ms: z.number(),
    why: z.string(),
    /** The deltas since model_started do not count any more: the answer comes again from its beginning. */
    restarts: z.literal(true).optional(),
  }),
  /** The conversation is summed up; the summary is a block of its own when it is whole. */
  z.object({ type: z.literal("compaction_started"), asked_by: z.enum(["person", "wave"]) }),
  z.object({ type: z.literal("compaction_delta"), text: z.string() }),
  z.object({ type: z.literal("compaction_ended"), compacted: z.boolean(), reason: z.string().optional() }),
  z.object({ type: z.literal("model_ended"), usage: usage.optional(), finish_reason: z.string().optional() }),
  /** A block entered the conversation. */
  z.object({
    type: z.literal("block"),
    message_id: z.string(),
    role: z.enum(["user", "assistant"]),
    /** The hook that wrote a message of role user. */
    origin: z.object({ hook_event: z.string(), hook: z.string(), source: z.string() }).optional(),
    block: z.looseObject({ type: z.string() }),
  }),
  z.object({ type: z.literal("message_removed"), message_id: z.string() }),
  z.object({ type: z.literal("tool_started"), tool_use_id: z.string(), name: z.string(), input }),
  z.object({ type: z.literal("tool_output"), tool_use_id: z.string(), text: z.string() }),
  z.object({
    type: z.literal("tool_ended"),
    tool_use_id: z.string(),
    name: z.string(),
    success: z.boolean(),
    result: z.string(),
  }),
  /** A sub-agent works for the call; in between are the calls that it makes. */
  z.object({
    type: z.literal("subagent_started"),
    agent_id: z.string(),
    agent_type: z.string(),
    description: z.string(),
    parent_agent_id: z.string().optional(),
    tool_use_id: z.string(),
  }),
  z.object({
    type: z.literal("subagent_event"),
    agent_id: z.string(),
    /** A line of its conversation: tool_started, tool_ended or model_ended. */
    event: z.looseObject({ type: z.string() }),
  }),
  z.object({
    type: z.literal("subagent_ended"),
    agent_id: z.string(),
    tool_use_id: z.string(),
    /** "done", or why it ended before that. */
    because: z.string(),
    usage,
  }),
  z.object({
    type: z.literal("permission_requested"),
    id: z.string(),
    /** The sub-agent that asks. */
    agent_id: z.string().optional(),
    tool_name: z.string(),
    tool_use_id: z.string().optional(),
    input,
    reason: z.string(),
    asked_by: z.array(z.string()),
  }),
  z.object({
    type: z.literal("permission_resolved"),
    id: z.string(),
    decision: z.enum(["allow", "deny", "retry"]),
    by: z.enum(["person", "cancelled"]),
  }),
  z.object({ type: z.literal("notice"), level: z.enum(["info", "warning", "error"]), text: z.string() }),
  /** The next three only with --include-hook-events. */
  z.object({
    type: z.literal("hook_started"),
    event: z.string(),
    hook: hookIdentity,
    tool_use_id: z.string().optional(),
    /** Of a sub-agent's event. */
    agent_id: z.string().optional(),
    run_id: z.number(),
  }),
  z.object({
    type: z.literal("hook_finished"),
    event: z.string(),
    hook: hookIdentity,
    tool_use_id: z.string().optional(),
    agent_id: z.string().optional(),
    run_id: z.number(),
    duration_ms: z.number(),
    ended: z.string(),
  }),
  /** The decision record of the session file, with its names in snake_case. */
  z.object({
    type: z.literal("hooks_decided"),
    record: z.looseObject({ event: z.string(), decision: z.string(), decided_by: z.string() }),
  }),
  resultSchema,
]);

export type HookCounts = z.infer<typeof hookCountsSchema>;
export type PrintResult = z.infer<typeof resultSchema>;
export type StreamEvent = z.infer<typeof streamEventSchema>;
export type ResultSubtype = (typeof RESULT_SUBTYPES)[number];
