import { describe, expect, it } from "vitest";
import type { ModelAnswer } from "@/services/aiService.ts";
import { anthropicMessages } from "@/model/protocols/anthropicMessages/protocol.ts";
import { googleGemini } from "@/model/protocols/googleGemini/protocol.ts";
import { openaiResponses } from "@/model/protocols/openaiResponses/protocol.ts";
import type { Protocol } from "@/model/protocol.ts";
import { StreamAnswer } from "@/model/streamAnswer.ts";

type Event = Record<string, unknown>;

/** What the scripted model never does, and a vendor's server may. */
function read(protocol: Protocol, events: Event[]): ModelAnswer {
  let made = 0;
  const answer = new StreamAnswer({
    protocol,
    takenIds: [],
    newId: () => `made-${made++}`,
    vendor: "v",
    toolName: (name) => name,
  });
  for (const event of events) answer.push(event);
  return answer.answer();
}

describe("an answer over Anthropic Messages", () => {
  const start = (index: number, block: Event) => ({
    type: "content_block_start",
    index,
    content_block: block,
  });
  const delta = (index: number, piece: Event) => ({ type: "content_block_delta", index, delta: piece });
  const stop = (index: number) => ({ type: "content_block_stop", index });

  it("may think again after it spoke, also where nobody can read it", () => {
    const answer = read(anthropicMessages, [
      {
        type: "message_start",
        message: {
          usage: {
            input_tokens: 3,
            cache_read_input_tokens: 4,
            cache_creation_input_tokens: 5,
            output_tokens: 1,
          },
        },
      },
      start(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "One." }),
      delta(0, { type: "signature_delta", signature: "s1" }),
      stop(0),
      start(1, { type: "redacted_thinking", data: "sealed" }),
      stop(1),
      start(2, { type: "text", text: "" }),
      delta(2, { type: "text_delta", text: "Hi" }),
      stop(2),
      start(3, { type: "thinking", thinking: "", signature: "" }),
      delta(3, { type: "thinking_delta", thinking: "Two." }),
      delta(3, { type: "signature_delta", signature: "s2" }),
      stop(3),
      start(4, { type: "tool_use", id: "t", name: "LS", input: {} }),
      delta(4, { type: "input_json_delta", partial_json: "" }),
      stop(4),
      start(5, { type: "something_new" }),
      {
        type: "message_delta",
        delta: { stop_reason: "tool_use" },
        usage: { output_tokens: 9, input_tokens: null },
      },
    ]);
    expect(answer).toEqual({
      content: "Hi",
      reasoning: "One.\n\nTwo.",
      tool_calls: [{ id: "t", type: "function", index: 0, function: { name: "LS", arguments: "{}" } }],
      usage: { inputTokens: 12, outputTokens: 9, cachedInputTokens: 4, cacheWriteTokens: 5 },
      finish_reason: "tool_calls",
      vendorData: {
        from: "v",
        textField: "reasoning",
        fields: {
          layout: [
            { is: "reasoning", length: 4, fields: { signature: "s1" } },
            { is: "reasoning", length: 0, fields: { data: "sealed" } },
            { is: "text", length: 2 },
            { is: "reasoning", length: 2 },
            { is: "reasoning", length: 4, fields: { signature: "s2" } },
            { is: "call" },
          ],
        },
      },
    });
  });

  it("has the input of a call at once, from a server that does not stream it", () => {
    const { tool_calls: calls } = read(anthropicMessages, [
      start(0, { type: "tool_use", id: "t", name: "LS", input: { path: "." } }),
      stop(0),
    ]);
    expect(calls?.[0]?.function.arguments).toBe('{"path":"."}');
  });

  it.each([
    ["refusal", "content_filter"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "model_context_window_exceeded"],
  ])("that stops by %s ends by %s", (stopReason, reason) => {
    const events = [{ type: "message_delta", delta: { stop_reason: stopReason } }];
    expect(read(anthropicMessages, events).finish_reason).toBe(reason);
  });
});

describe("an answer over OpenAI Responses", () => {
  const added = (at: number, item: Event) => ({ type: "response.output_item.added", output_index: at, item });
  const done = (at: number, item: Event) => ({ type: "response.output_item.done", output_index: at, item });
  const completed = { type: "response.completed", response: { status: "completed" } };
  const reasoning = { type: "reasoning", id: "rs", encrypted_content: "sealed" };

  it("has its summary in paragraphs, and says which of its words are the answer", () => {
    const part = { type: "response.reasoning_summary_part.added", output_index: 0 };
    const text = (delta: string) => ({
      type: "response.reasoning_summary_text.delta",
      output_index: 0,
      delta,
    });
    const summary = [{ text: "One." }, { text: "Two." }];
    const message = {
      type: "message",
      id: "m",
      phase: "commentary",
      content: [{ type: "output_text", text: "Hi" }],
    };
    const answer = read(openaiResponses, [
      added(0, { type: "reasoning", id: "rs" }),
      part,
      text("One."),
      part,
      text("Two."),
      done(0, { ...reasoning, status: "completed", summary }),
      added(1, { type: "web_search_call" }),
      done(1, { type: "web_search_call" }),
      added(2, { type: "message", id: "m" }),
      done(2, message),
      completed,
    ]);
    expect(answer).toEqual({
      content: "Hi",
      reasoning: "One.\n\nTwo.",
      finish_reason: "stop",
      vendorData: {
        from: "v",
        textField: "reasoning",
        fields: {
          layout: [
            { is: "reasoning", length: 10, fields: { item: { ...reasoning, summary } } },
            { is: "text", length: 2, fields: { id: "m", phase: "commentary" } },
          ],
        },
      },
    });
  });

  it("is a refusal in its own words", () => {
    const answer = read(openaiResponses, [
      added(0, { type: "message", id: "m" }),
      { type: "response.refusal.delta", output_index: 0, delta: "I can" },
      { type: "response.refusal.delta", output_index: 0, delta: "not." },
      done(0, { type: "message", id: "m", content: [{ type: "refusal", refusal: "I cannot." }] }),
      completed,
    ]);
    expect(answer).toEqual({ content: "I cannot.", finish_reason: "stop" });
  });

  it("is a failure when the server says so, before or after its first word", () => {
    const error = { code: "server_error", message: "sorry" };
    expect(openaiResponses.errorIn({ type: "response.failed", response: { error } })).toEqual({ error });
    expect(openaiResponses.errorIn({ type: "error", message: "sorry" })).toEqual({
      type: "error",
      message: "sorry",
    });
    expect(openaiResponses.errorIn({ type: "response.created", response: { error: null } })).toBeUndefined();
    expect(openaiResponses.errorIn({ object: "response", error: null, output: [] })).toBeUndefined();
  });
});

describe("an answer over Gemini", () => {
  const chunk = (parts: Event[], more: Event = {}) => ({ candidates: [{ content: { parts }, ...more }] });

  it("keeps each signature with the part that it came with", () => {
    const answer = read(googleGemini, [
      chunk([{ text: "Hm. ", thought: true }]),
      chunk([{ text: "Well.", thought: true, thoughtSignature: "s1" }]),
      chunk([{ text: "Hel" }, { text: "lo", thoughtSignature: "s2" }]),
      chunk([{ text: " you" }]),
      chunk([
        { functionCall: { name: "LS" }, thoughtSignature: "s3" },
        { functionCall: { name: "LS", id: "x", args: { a: 1 } } },
      ]),
      chunk([{ text: "", thoughtSignature: "s4" }], { finishReason: "STOP" }),
    ]);
    expect(answer).toEqual({
      content: "Hello you",
      reasoning: "Hm. Well.",
      tool_calls: [
        {
          id: "made-0",
          type: "function",
          index: 0,
          function: { name: "LS", arguments: "{}" },
          vendorData: { from: "v", fields: { thoughtSignature: "s3" } },
        },
        {
          id: "x",
          type: "function",
          index: 1,
          function: { name: "LS", arguments: '{"a":1}' },
          vendorData: { from: "v", fields: { id: "x" } },
        },
      ],
      finish_reason: "tool_calls",
      vendorData: {
        from: "v",
        textField: "reasoning",
        fields: {
          layout: [
            { is: "reasoning", length: 9, fields: { thoughtSignature: "s1" } },
            { is: "text", length: 5, fields: { thoughtSignature: "s2" } },
            { is: "text", length: 4 },
            { is: "call" },
            { is: "call" },
            { is: "text", length: 0, fields: { thoughtSignature: "s4" } },
          ],
        },
      },
    });
  });

  it("is none when the prompt was blocked, which is the filter's word", () => {
    expect(read(googleGemini, [{ promptFeedback: { blockReason: "SAFETY" } }])).toEqual({
      finish_reason: "content_filter",
    });
  });

  it("counts thoughts as output, and what tools brought as input", () => {
    const usageMetadata = {
      promptTokenCount: 5,
      toolUsePromptTokenCount: 1,
      candidatesTokenCount: 2,
      thoughtsTokenCount: 3,
    };
    expect(read(googleGemini, [{ usageMetadata }]).usage).toEqual({ inputTokens: 6, outputTokens: 5 });
  });

  it("is asked for again when the server could not read the model's call", () => {
    const broken = chunk([], { finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: "Malformed: call(" });
    expect(googleGemini.errorIn(broken)).toEqual({
      error: { status: "MALFORMED_FUNCTION_CALL", message: "Malformed: call(" },
    });
  });

  it.each([
    ['{"error":{"details":[{"@type":"x"},{"retryDelay":"34.5s"}]}}', 34_500],
    ['[{"error":{"details":[{"retryDelay":"2s"}]}}]', 2_000],
    ['{"error":{"details":"none"}}', undefined],
    ["no json", undefined],
  ])("says in %s when to ask again", (body, waitMs) => {
    expect(googleGemini.waitMs(body)).toBe(waitMs);
  });
});
