import { describe, expect, it } from "vitest";
import { describeFailedOpen, type AgentEvent } from "wave-agent-sdk";
import { resultOf, resultWithoutTurn } from "../src/output/result.ts";
import { resultSchema, streamEventSchema, type StreamEvent } from "../src/output/schema.ts";
import { streamEvents } from "../src/output/streamEvents.ts";
import { count, emptyTally } from "../src/output/tally.ts";
import { changed, decided, ended, hookEntry, turnEnd } from "./support/events.ts";

describe("stream-json", () => {
  const lines = (events: AgentEvent[], includeHookEvents = true): StreamEvent[] => {
    const told = events.flatMap(streamEvents({ includeHookEvents }));
    for (const line of told) expect(streamEventSchema.parse(line)).toEqual(line);
    return told;
  };
  const text = (content: string) => ({ type: "text" as const, content });

  it("tells a streamed answer once, when it is whole", () => {
    const told = lines([
      { type: "model_started", call: 1 },
      { type: "text_delta", text: "He" },
      changed({ blocks: [text("He")] }),
      { type: "text_delta", text: "llo" },
      changed({ blocks: [text("Hello")] }),
      { type: "model_ended", usage: undefined, finishReason: "stop" },
      changed({ blocks: [text("Hello")] }),
      ended(),
    ]);
    expect(told.map(({ type }) => type)).toEqual([
      "model_started",
      "text_delta",
      "text_delta",
      "model_ended",
      "block",
    ]);
    expect(told.at(-1)).toEqual({ type: "block", message_id: "m1", role: "assistant", block: text("Hello") });
  });

  it("tells what streamed before the model failed", () => {
    const told = lines([
      { type: "model_started", call: 1 },
      changed({ id: "m1", blocks: [text("half")] }),
      changed({ id: "m2", blocks: [{ type: "error", content: "gone" }] }),
      ended({ because: "model-error", reason: "gone" }),
    ]);
    expect(told.filter(({ type }) => type === "block").map((line) => "block" in line && line.block)).toEqual([
      text("half"),
      { type: "error", content: "gone" },
    ]);
  });

  it("leaves hook events out unless they are asked for (T153)", () => {
    const hook = { name: "guard", source: "f:1" };
    const events: AgentEvent[] = [
      { type: "hook_started", event: "Stop", hook, toolUseId: undefined, runId: 1 },
      {
        type: "hook_finished",
        event: "Stop",
        hook,
        toolUseId: undefined,
        runId: 1,
        durationMs: 2,
        ended: "exit 0",
      },
      decided(),
    ];
    expect(lines(events, false)).toEqual([]);
    expect(lines(events).map(({ type }) => type)).toEqual(["hook_started", "hook_finished", "hooks_decided"]);
  });

  describe("a prompt", () => {
    const typed = changed({ id: "p", role: "user", blocks: [text("secret")] });
    const context = changed({
      id: "c",
      role: "user",
      origin: { hookEvent: "UserPromptSubmit", hook: "h", source: "f:1" },
      blocks: [text("context")],
    });
    const judged = (decision: "pass" | "blocked") => decided({ event: "UserPromptSubmit", decision });
    const error = changed({ id: "e", blocks: [{ type: "error", content: "no" }] });
    const removed: AgentEvent = { type: "messages_changed", message: undefined, removedId: "p" };
    const contents = (told: StreamEvent[]) =>
      told.map((line) => (line.type === "block" ? line.block["content"] : line.type));

    it("is told when its hooks have let it pass, before what they add", () => {
      const events: AgentEvent[] = [{ type: "turn_started", prompt: "secret" }, typed, context];
      expect(contents(lines(events))).toEqual(["turn_started"]);
      expect(contents(lines([...events, judged("pass")], false))).toEqual([
        "turn_started",
        "secret",
        "context",
      ]);
    });

    it("that a hook blocked is never told (FR-010)", () => {
      const told = lines([
        { type: "turn_started", prompt: "secret" },
        typed,
        error,
        removed,
        judged("blocked"),
        ended({ because: "prompt-blocked" }),
      ]);
      expect(contents(told)).toEqual(["turn_started", "no", "hooks_decided"]);
      expect(JSON.stringify(told)).not.toContain("secret");
    });
  });

  it("leaves out what only the model server reads, and reasoning without a word", () => {
    const vendorData = { from: "server", fields: { thought_signature: "SEALED" } };
    const told = lines([
      changed({
        blocks: [
          { type: "reasoning", content: "", vendorData },
          { type: "reasoning", content: "hm", vendorData },
          { ...text("answer"), vendorData },
        ],
      }),
    ]);
    expect(told.map((line) => line.type === "block" && line.block)).toEqual([
      { type: "reasoning", content: "hm" },
      { type: "text", content: "answer" },
    ]);
  });

  it("tells nothing of an answer that broke off, and that it comes again", () => {
    const told = lines([
      { type: "model_started", call: 1 },
      { type: "text_delta", text: "ha" },
      changed({ id: "m1", blocks: [text("ha")] }),
      { type: "messages_changed", message: undefined, removedId: "m1" },
      { type: "model_retry", attempt: 1, attempts: 4, waitMs: 5, why: "broke", restarts: true },
      { type: "text_delta", text: "whole" },
      changed({ id: "m2", blocks: [text("whole")] }),
      { type: "model_ended", usage: undefined, finishReason: "stop" },
      changed({ id: "m2", blocks: [text("whole")] }),
    ]);
    expect(told.map((line) => (line.type === "block" ? line.block["content"] : line.type))).toEqual([
      "model_started",
      "text_delta",
      "model_retry",
      "text_delta",
      "model_ended",
      "whole",
    ]);
    expect(told[2]).toMatchObject({ restarts: true });
  });

  it("names the message that was removed", () => {
    const told = lines([
      changed({ id: "m7", blocks: [text("gone soon")] }),
      { type: "messages_changed", message: undefined, removedId: "m7" },
      { type: "messages_changed", message: undefined, removedId: "never told" },
    ]);
    expect(told.slice(1)).toEqual([{ type: "message_removed", message_id: "m7" }]);
  });

  it("has its names in snake_case and whole milliseconds, and leaves inputs as they are", () => {
    const hook = { name: "guard", source: "f:1" };
    const told = lines([
      {
        type: "hook_finished",
        event: "Stop",
        hook,
        toolUseId: undefined,
        runId: 1,
        durationMs: 2.71,
        ended: "exit 0",
      },
      decided({ toolUseId: "c1", finalInputHash: "f", hooks: [hookEntry({ rewriteTaken: true })] }),
      changed({
        origin: { hookEvent: "Stop", hook: "h", source: "f:1" },
        blocks: [
          {
            type: "tool",
            id: "c1",
            name: "Bash",
            parameters: "{}",
            stage: "running",
            input: { camelCase: { innerCase: 1 } },
          },
          { type: "hook", hookEvent: "Stop", content: "x" },
        ],
      }),
    ]);
    expect(told).toMatchObject([
      { duration_ms: 3 },
      {
        record: {
          tool_use_id: "c1",
          final_input_hash: "f",
          decided_by: "mode default",
          hooks: [{ stdout_bytes: 0, rewrite_taken: true }],
        },
      },
      { origin: { hook_event: "Stop" }, block: { input: { camelCase: { innerCase: 1 } } } },
      { block: { type: "hook", hook_event: "Stop" } },
    ]);
  });

  it("has a valid line for every event", () => {
    const request = {
      id: "q",
      toolName: "Bash",
      toolUseId: "c",
      origin: "model" as const,
      input: {},
      originalInput: undefined,
      reason: "r",
      askedBy: ["mode default"],
      rule: { offered: false, why: "it is more than one plain command" } as const,
      cwd: "/p",
      since: 1,
    };
    const told = lines([
      { type: "turn_started", prompt: "p" },
      { type: "reasoning_delta", text: "hm" },
      { type: "tool_call_streaming", name: "Bash" },
      { type: "compaction_started", askedBy: "wave" },
      { type: "compaction_delta", text: "sum" },
      { type: "compaction_ended", end: { compacted: false, because: "model-error", reason: "no key" } },
      { type: "model_retry", attempt: 1, attempts: 5, waitMs: 1, why: "w" },
      {
        type: "model_ended",
        usage: { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3 },
        finishReason: undefined,
      },
      changed({ id: "m0", blocks: [text("x")] }),
      { type: "messages_changed", message: undefined, removedId: "m0" },
      { type: "tool_started", toolUseId: "c", name: "Bash", input: { command: "ls" } },
      { type: "tool_output", toolUseId: "c", text: "x" },
      { type: "tool_ended", toolUseId: "c", name: "Bash", success: true, result: "x" },
      { type: "permission_requested", request },
      {
        type: "permission_resolved",
        request,
        decision: { decision: "deny", toolName: "Bash", timestamp: 1, shouldContinueRecursion: false },
        by: "person",
      },
      { type: "notice", level: "info", text: "n" },
    ]);
    expect(told).toHaveLength(16);
  });
});

describe("the result object", () => {
  const because = [
    "done",
    "stop-cap",
    "aborted",
    "prompt-blocked",
    "halted",
    "denied",
    "max-turns",
    "limit",
    "output-misfit",
    "context-full",
    "model-error",
  ] as const;

  it.each(because)("of a turn that ended with %s is valid", (reason) => {
    const result = resultOf({
      end: turnEnd({ because: reason }),
      tally: emptyTally(),
      sessionId: "s",
      exitStatus: 0,
    });
    expect(resultSchema.parse(result)).toEqual(result);
    expect(result.is_error).toBe(!["done", "stop-cap"].includes(reason));
  });

  it("of an answer that is not on disk says so, and the answer stands", () => {
    const run = { tally: emptyTally(), sessionId: "s", exitStatus: 1, notSaved: "not on disk" };
    expect(resultOf({ ...run, end: turnEnd({ because: "done" }) })).toMatchObject({
      subtype: "error_session",
      is_error: false,
      reason: "not on disk",
      session_saved: false,
      not_saved: "not on disk",
    });
    // A turn that failed by itself keeps its own word.
    expect(resultOf({ ...run, end: turnEnd({ because: "model-error", reason: "no model" }) })).toMatchObject({
      subtype: "error_model",
      is_error: true,
      reason: "no model\nnot on disk",
    });
  });

  it("of a turn that failed says why, for a program to act on", () => {
    const failure = {
      kind: "rate-limit",
      detail: "rate-limited",
      message: "wait",
      status: 429,
      canRetry: true,
      retryAfterMs: 1000,
    } as const;
    const end = turnEnd({ because: "model-error", reason: "wait", failure });
    const result = resultOf({ end, tally: emptyTally(), sessionId: "s", exitStatus: 1 });
    expect(resultSchema.parse(result)).toEqual(result);
    expect(result.error).toEqual({
      kind: "rate-limit",
      detail: "rate-limited",
      status: 429,
      can_retry: true,
      retry_after_ms: 1000,
    });
    expect(
      resultOf({ end: turnEnd(), tally: emptyTally(), sessionId: "s", exitStatus: 0 }),
    ).not.toHaveProperty("error");
  });

  it("of a home that could never be written is a success that says it is not saved", () => {
    const end = turnEnd({ because: "done" });
    const run = { end, tally: emptyTally(), sessionId: "s", exitStatus: 0 };
    const result = resultOf({ ...run, saveProblem: "a read-only disk" });
    expect(resultSchema.parse(result)).toEqual(result);
    expect(result).toMatchObject({ subtype: "success", session_saved: false, not_saved: "a read-only disk" });
    expect(result).not.toHaveProperty("reason");
    expect(resultOf(run)).toMatchObject({ subtype: "success", session_saved: true });
    expect(resultOf(run)).not.toHaveProperty("not_saved");
  });

  it("exists also when there was no turn", () => {
    const result = resultWithoutTurn({
      tally: emptyTally(2),
      subtype: "error_settings",
      reason: "r",
      exitStatus: 78,
    });
    expect(resultSchema.parse(result)).toEqual(result);
    expect(result.hooks.left_out).toBe(2);
  });

  it("counts hooks by what they said, and has each answer that a Stop hook sent back (T105)", () => {
    const events: AgentEvent[] = [
      changed({ id: "a", blocks: [{ type: "text", content: "first" }] }),
      decided({
        event: "Stop",
        decision: "continued",
        decidedBy: "hook again",
        reason: "more",
        hooks: [hookEntry({ verdict: "deny" })],
      }),
      changed({ id: "b", blocks: [{ type: "text", content: "second" }] }),
      decided({
        event: "Stop",
        decision: "pass",
        hooks: ["none", "allow", "ask", "halt"].map((verdict) => hookEntry({ verdict })),
      }),
      decided({
        hooks: [
          hookEntry({ name: "flaky", verdict: "could not decide", failureKind: "timeout", failedOpen: true }),
          hookEntry({ verdict: "toString" }),
          hookEntry({ verdict: "deny", failure: "timeout: too slow", failedOpen: false }),
          hookEntry({ verdict: "ask", failure: "crash: boom", failedOpen: false }),
          hookEntry({ verdict: "interrupted", failure: "interrupted: by you", failedOpen: false }),
        ],
      }),
    ];
    const tally = events.reduce(count, emptyTally(3));
    expect(tally.answers).toEqual([{ text: "first", sent_back_by: "hook again", reason: "more" }]);
    expect(tally.hooks).toEqual({
      ran: 10,
      allow: 1,
      ask: 1,
      deny: 1,
      none: 1,
      halt: 1,
      could_not_decide: 4,
      interrupted: 1,
      failed_open: 1,
      left_out: 3,
    });
    expect(tally.failedOpen).toEqual([
      { event: "PreToolUse", hook: "flaky", source: "/p/.wave/settings.json:6", kind: "timeout", count: 1 },
    ]);
  });

  it("lists what went on although a hook failed, and nothing that did not go on", () => {
    const open = (name: string, failureKind: string, failedOpen = true) =>
      hookEntry({ name, verdict: "could not decide", failureKind, failedOpen });
    const events: AgentEvent[] = [
      decided({ decision: "allow", hooks: [open("a", "timeout"), open("a", "timeout"), open("b", "crash")] }),
      decided({ decision: "allow", hooks: [open("a", "timeout"), open("b", "missing")] }),
      decided({ decision: "deny", hooks: [open("a", "timeout")] }),
      decided({ event: "UserPromptSubmit", decision: "blocked", hooks: [open("a", "timeout")] }),
      decided({
        event: "UserPromptSubmit",
        decision: "pass",
        hooks: [open("a", "invalid"), open("b", "crash", false)],
      }),
      decided({ event: "Stop", decision: "continued", hooks: [open("c", "crash")] }),
      decided({ event: "Stop", decision: "pass", hooks: [open("c", "crash")] }),
    ];
    const tally = events.reduce(count, emptyTally());
    expect(
      tally.failedOpen.map(({ event, hook, kind, count: times }) => `${event} ${hook} ${kind} ${times}`),
    ).toEqual([
      "PreToolUse a timeout 2",
      "PreToolUse b crash 1",
      "PreToolUse b missing 1",
      "UserPromptSubmit a invalid 1",
      "Stop c crash 1",
    ]);
    expect(tally.hooks.failed_open).toBe(6);
    expect(describeFailedOpen(tally.failedOpen)).toBe(
      "something went on although a hook failed, because its onError says continue: a (PreToolUse, timeout) twice, b (PreToolUse, crash) once, b (PreToolUse, missing) once, a (UserPromptSubmit, invalid) once, c (Stop, crash) once",
    );
    expect(describeFailedOpen([])).toBeUndefined();
  });
});
