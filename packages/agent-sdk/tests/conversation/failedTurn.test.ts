import { describe, expect, it } from "vitest";
import { MODEL_FAILURES, ModelError, turnFailureOf, type TurnFailure } from "@/errors.ts";
import type { ScriptedReply } from "@/testing/index.ts";
import { inFolder } from "../support/liveAgent.ts";

const said = (message: string, more: object = {}) => ({ error: { message, ...more } });
const later = { "retry-after": "120" };
const never = { "x-should-retry": "false" };

/** What a server does, and what a program is told of it. */
const ROWS: [title: string, reply: ScriptedReply, failure: Partial<TurnFailure>][] = [
  ["a refused key", { status: 401 }, { kind: "authentication", detail: "wrong-key", status: 401 }],
  ["a key without rights", { status: 403 }, { kind: "authentication", detail: "wrong-key", status: 403 }],
  [
    "too many requests",
    { status: 429, headers: later },
    { kind: "rate-limit", status: 429, canRetry: true, retryAfterMs: 120_000 },
  ],
  [
    "no credit left",
    { status: 429, body: said("no", { code: "insufficient_quota" }) },
    { kind: "rate-limit", status: 429, canRetry: false },
  ],
  [
    "a server with too much to do",
    { status: 503, headers: later },
    { kind: "overloaded", status: 503, canRetry: true, retryAfterMs: 120_000 },
  ],
  [
    "a server that says it is overloaded",
    { status: 500, headers: never, body: said("busy", { type: "overloaded_error" }) },
    { kind: "overloaded", status: 500, canRetry: false },
  ],
  ["a request that is wrong", { status: 400 }, { kind: "refused", detail: "bad-request", status: 400 }],
  [
    "a model that is not there",
    { status: 404, body: said("no", { code: "model_not_found" }) },
    { kind: "refused", detail: "unknown-model", status: 404 },
  ],
  [
    "a server that fails",
    { status: 500, headers: never },
    { kind: "server", detail: "server", status: 500, canRetry: false },
  ],
];

describe("a turn that failed says why, for a program to act on", () => {
  it.each(ROWS)("%s", async (_title, reply, failure) => {
    await using live = await inFolder(() => reply);
    const end = await live.agent.sendMessage("hello");
    expect(end).toMatchObject({
      because: "model-error",
      answer: "",
      failure: { canRetry: false, ...failure },
    });
    expect(end.failure?.message).toBe(end.reason);
  });

  it("no key at all", async () => {
    await using live = await inFolder([], {
      options: { baseUrl: "https://models.example/v1", apiKey: undefined },
    });
    const end = await live.agent.sendMessage("hello");
    expect(end.failure).toMatchObject({ kind: "authentication", detail: "no-key", canRetry: false });
    expect(live.model.requests).toHaveLength(0);
  });

  it("no connection", async () => {
    await using live = await inFolder([]);
    const baseUrl = live.model.baseUrl.replace("http:", "https:");
    await using other = await inFolder([], { options: { baseUrl } });
    const end = await other.agent.sendMessage("hello");
    expect(end.failure).toMatchObject({ kind: "network", detail: "unreachable", canRetry: false });
    expect(end.failure).not.toHaveProperty("status");
  });

  it("a conversation that does not fit, also after Wave tried to sum it up", async () => {
    const reply = { status: 400, body: said("too long", { code: "context_length_exceeded" }) };
    await using live = await inFolder(() => reply);
    const end = await live.agent.sendMessage("hello");
    expect(end).toMatchObject({
      because: "context-full",
      failure: { kind: "context", detail: "context-too-long", status: 400, canRetry: false },
    });
  });

  it("an answer that breaks off, and keeps what the model had said", async () => {
    await using live = await inFolder(() => ({ say: "one two three", hang: true }), {
      options: { modelTimeout: 0.2 },
    });
    const end = await live.agent.sendMessage("hello");
    expect(live.model.requests).toHaveLength(2);
    expect(end).toMatchObject({
      because: "model-error",
      failure: { kind: "cut-off", detail: "broken-stream", canRetry: true },
    });
    expect(end.answer).toMatch(/^one two/);
  });

  it("an interrupt is no failure, and keeps what the model had said", async () => {
    await using live = await inFolder([{ say: "as far as this", hang: true }], {
      onEvent: (event, agent) => event.type === "text_delta" && event.text.includes("this") && agent.abort(),
    });
    const end = await live.agent.sendMessage("hello");
    expect(end).toMatchObject({ because: "aborted", answer: "as far as this" });
    expect(end).not.toHaveProperty("failure");
  });

  it.each([
    ["length", "output-limit"],
    ["content_filter", "content-filter"],
  ])("an answer with finish reason %s is done, and says that it was cut", async (finish, answerCut) => {
    await using live = await inFolder([{ say: "half", finish }, { say: "whole" }]);
    expect(await live.agent.sendMessage("hello")).toMatchObject({
      because: "done",
      answer: "half",
      answerCut,
    });
    expect(await live.agent.sendMessage("hello")).not.toHaveProperty("answerCut");
  });

  it("every kind of model error has its row, and what is none is Wave's own", () => {
    for (const [kind, row] of Object.entries(MODEL_FAILURES)) {
      const failure = turnFailureOf(new ModelError(kind as keyof typeof MODEL_FAILURES, "why"));
      expect(failure).toEqual({ kind: row.kind, detail: kind, message: "why", canRetry: row.canRetry });
    }
    expect(turnFailureOf(new TypeError("a mistake"))).toEqual({
      kind: "internal",
      message: "a mistake",
      canRetry: false,
    });
  });
});
