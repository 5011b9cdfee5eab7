import { describe, expect, it } from "vitest";
import type { Block, Message } from "@/messages/blocks.ts";
import { blocksOf } from "@/model/answer.ts";
import { callAgent, type ModelAnswer, type ModelRequest } from "@/services/aiService.ts";
import { startScriptedModel, type Scenario, type ScriptedReply } from "@/testing/index.ts";
import { convertMessagesForAPI } from "@/utils/convertMessagesForAPI.ts";
import { listener, modelFailure, modelRequest } from "../../support/modelRequest.ts";
import { optionsOver, WIRES } from "../../support/wires.ts";

const TOOLS: ModelRequest["tools"] = [
  {
    name: "LS",
    description: "Lists.",
    parameters: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { path: { type: "string", minLength: 1 } },
      required: ["path"],
      additionalProperties: false,
    },
  },
];
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const user = (...blocks: Block[]): Message => ({ id: "u", role: "user", blocks });
const text = (content: string): Block => ({ type: "text", content });

/** An answer as it stands in a transcript, with results for its calls. */
function answered(answer: ModelAnswer): Message {
  const blocks = blocksOf(answer, answer.tool_calls ?? []).map((block): Block =>
    block.type === "tool" ? { ...block, stage: "ended", result: `result of ${block.id}` } : block,
  );
  // As a session file has it.
  return JSON.parse(JSON.stringify({ id: "a", role: "assistant", blocks })) as Message;
}

describe.each(WIRES)("over $wire", ({ wire }) => {
  const start = async (scenario: Scenario) => {
    const model = await startScriptedModel(scenario);
    const ask = (messages: Message[], more: Partial<ModelRequest> = {}) => {
      const sent = { messages: convertMessagesForAPI(messages), tools: TOOLS, ...more };
      return callAgent({ ...modelRequest({ baseUrl: "" }, sent), model: optionsOver(wire, model.baseUrl) });
    };
    return { model, ask, [Symbol.asyncDispose]: () => model.close() };
  };

  it("a model thinks, speaks and calls, in pieces of any size and in one piece", async () => {
    const spoken = {
      think: "Let me see. 🌊",
      say: "I look at both folders.",
      calls: [
        { name: "LS", arguments: { path: "ä/🌊" } },
        { name: "LS", arguments: {} },
      ],
      usage: { input: 1000, output: 50, cached: 600 },
    };
    const replies: ScriptedReply[] = [spoken, { ...spoken, chunkSize: 1 }, { ...spoken, plain: true }];
    await using at = await start(replies);
    for (const [n] of replies.entries()) {
      const { heard, onText, onReasoning, onToolCall } = listener();
      const answer = await at.ask([user(text("go"))], { onText, onReasoning, onToolCall });
      expect(answer).toMatchObject({
        reasoning: spoken.think,
        content: spoken.say,
        tool_calls: spoken.calls.map(({ name, arguments: args }, index) => ({
          id: `call_${n}_${index}`,
          type: "function",
          index,
          function: { name, arguments: JSON.stringify(args) },
        })),
        usage: { inputTokens: 1000, outputTokens: 50, cachedInputTokens: 600 },
        finish_reason: "tool_calls",
      });
      const joined = (kind: string) =>
        heard.flatMap((line) => (line.startsWith(`${kind} `) ? [line.slice(kind.length + 1)] : [])).join("");
      expect([joined("reasoning"), joined("text"), joined("call")]).toEqual([
        spoken.think,
        spoken.say,
        "LSLS",
      ]);
    }
    expect(at.model.requests.map((request) => [request.wire, request.problems])).toEqual(
      replies.map(() => [wire, []]),
    );
  });

  it("gets its reasoning back as it was, with results, images and what hooks say after them", async () => {
    await using at = await start([
      {
        think: "First.",
        say: "Looking.",
        calls: [
          { name: "LS", arguments: { path: "a" } },
          { name: "LS", arguments: { path: "b" } },
        ],
      },
      { think: "Second.", call: { name: "LS", arguments: { path: "c" } } },
      { think: "Third.", say: "Done." },
      { say: "You are welcome." },
    ]);
    const said: Message[] = [user(text("go"))];
    for (let turn = 0; turn < 4; turn += 1) {
      said.push(answered(await at.ask(said)));
      said.push(user(text(`and then ${turn}`), { type: "image", mediaType: "image/png", data: PIXEL }));
      said.push(user({ type: "hook", hookEvent: "PostToolUse", content: "mind the gap" }));
    }
    expect(at.model.requests.map(({ problems }) => problems)).toEqual([[], [], [], []]);
    expect(at.model.requests.at(-1)?.text).toContain(PIXEL);
    expect(at.model.requests.at(-1)?.text).toContain("mind the gap");
  });

  it.each([
    ["length", "length"],
    ["content_filter", "content_filter"],
    ["stop", "stop"],
  ])("an answer that ended by %s says so", async (finish, reason) => {
    await using at = await start([{ say: "It is", finish }]);
    expect(await at.ask([user(text("go"))])).toMatchObject({ content: "It is", finish_reason: reason });
  });

  it("a refusal to serve is told in the vendor's words, and a limit waits as long as it says", async () => {
    await using at = await start([
      { status: 429, message: "You are too fast, said the vendor", waitSeconds: 0.02 },
      { say: "Fine." },
      { status: 429, message: "Come back tomorrow", waitSeconds: 7200 },
      { status: 403, message: "Not with this key" },
      { status: 404, message: "model: no-such-model was not found" },
    ]);
    const { retries, onRetry } = listener();
    expect(await at.ask([user(text("go"))], { onRetry })).toMatchObject({ content: "Fine." });
    expect(retries).toMatchObject([
      {
        attempt: 1,
        waitMs: 20,
        why: expect.stringContaining("(status 429): You are too fast, said the vendor"),
      },
    ]);
    expect(await modelFailure(at.ask([user(text("go"))]))).toMatchObject({
      kind: "rate-limited",
      message: expect.stringMatching(/Come back tomorrow; the server asks to wait 2 h/),
    });
    expect(await modelFailure(at.ask([user(text("go"))]))).toMatchObject({ kind: "wrong-key" });
    expect(await modelFailure(at.ask([user(text("go"))]))).toMatchObject({ kind: "unknown-model" });
  });

  it("an answer that breaks off begins again", async () => {
    const spoken = { think: "One two.", say: "Three four.", call: { name: "LS", arguments: { path: "x" } } };
    await using at = await start([{ ...spoken, breakAfter: 4 }, spoken]);
    const { retries, onRetry } = listener();
    const answer = await at.ask([user(text("go"))], { onRetry });
    expect(answer).toMatchObject({
      reasoning: "One two.",
      content: "Three four.",
      finish_reason: "tool_calls",
    });
    expect(retries.map(({ restarts }) => restarts)).toEqual([true]);
  });

  it("a request has no half character in it, and names and ids that the vendor takes", async () => {
    await using at = await start([{ say: "Fine." }]);
    const odd: Message = {
      id: "a",
      role: "assistant",
      blocks: [
        text("\ud83d half"),
        ...["functions.Bash", "x".repeat(70), "LS", "LS"].map((name): Block => ({
          type: "tool",
          id: name === "LS" ? "same id" : `${name}|\ud800`,
          name,
          parameters: name === "LS" ? '{"path":"\\ud800"}' : "no json",
          stage: "ended",
          result: name === "LS" ? "" : "output \ud83d",
        })),
      ],
    };
    await at.ask([user(text("go")), odd, user(text("\udc00 on"))]);
    expect(at.model.requests.map(({ problems }) => problems)).toEqual([[]]);
  });
});
