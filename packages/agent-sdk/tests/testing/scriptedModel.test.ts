import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { type ScriptedModel, startScriptedModel } from "@/testing/index.ts";

interface Reply {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
  /** The connection ended before the answer did. */
  cut: boolean;
}

function send(
  model: ScriptedModel,
  body: unknown,
  path = "/chat/completions",
  method = "POST",
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(model.baseUrl + path, { method, agent: false }, (answer) => {
      const pieces: Buffer[] = [];
      const done = (cut: boolean): void =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(pieces).toString(),
          cut,
        });
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () => done(false));
      answer.on("error", () => done(true));
    });
    outgoing.on("error", reject);
    outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
  });
}

const prompt = (more: object = {}) => ({
  model: "m",
  messages: [{ role: "user", content: "hi" }],
  stream: true,
  ...more,
});
const chunks = (text: string): string[] =>
  text
    .split("\n\n")
    .filter((line) => line !== "")
    .map((line) => line.slice("data: ".length));
const deltas = (text: string): unknown[] =>
  chunks(text)
    .filter((data) => data !== "[DONE]")
    .map((data) => (JSON.parse(data) as { choices: { delta?: unknown }[] }).choices[0]?.delta);

describe("the scripted model", () => {
  it("plays its replies in order and records every request", async () => {
    await using model = await startScriptedModel([{ say: "one" }, { say: "two" }]);
    expect(deltas((await send(model, prompt())).text)).toEqual([
      { role: "assistant", content: "" },
      { content: "one" },
      {},
    ]);
    expect((await send(model, prompt())).text).toContain("two");
    expect(model.requests).toHaveLength(2);
    expect(model.requests[0]).toMatchObject({
      body: prompt(),
      text: JSON.stringify(prompt()),
      bytes: Buffer.byteLength(JSON.stringify(prompt())),
      problems: [],
    });
  });

  it("streams thoughts, words and calls in pieces, then the end and the usage", async () => {
    await using model = await startScriptedModel([
      {
        think: "hm",
        say: "I look",
        call: { name: "LS", arguments: { path: "/" } },
        chunkSize: 6,
        usage: { input: 9, output: 8, cached: 7 },
      },
    ]);
    const { text, headers } = await send(model, prompt({ stream_options: { include_usage: true } }));
    expect(headers["content-type"]).toBe("text/event-stream");
    expect(deltas(text)).toEqual([
      { role: "assistant", content: "" },
      { reasoning_content: "hm" },
      { content: "I look" },
      {
        tool_calls: [{ index: 0, id: "call_0_0", type: "function", function: { name: "LS", arguments: "" } }],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"path' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '":"/"}' } }] },
      {},
      undefined,
    ]);
    expect(chunks(text).at(-1)).toBe("[DONE]");
    expect(JSON.parse(chunks(text).at(-2) ?? "")).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 9, completion_tokens: 8, prompt_tokens_details: { cached_tokens: 7 } },
    });
    expect(text).toContain('"finish_reason":"tool_calls"');
  });

  it("loses no letter of what it says, in words or in pieces", async () => {
    const say = "  Héllo\n\n\tworld 🌊 !  \n";
    await using model = await startScriptedModel([{ say }, { say, chunkSize: 1 }]);
    for (const _ of [1, 2]) {
      const said = deltas((await send(model, prompt())).text).map(
        (delta) => (delta as { content?: string }).content ?? "",
      );
      expect(said.join("")).toBe(say);
      expect(said.length).toBeGreaterThan(3);
    }
  });

  it("answers in one piece when asked so, or when the script wants it", async () => {
    await using model = await startScriptedModel([{ say: "a" }, { say: "a", plain: true }]);
    for (const body of [prompt({ stream: false }), prompt()]) {
      const { text, headers } = await send(model, body);
      expect(headers["content-type"]).toBe("application/json");
      expect(JSON.parse(text)).toMatchObject({
        choices: [{ message: { role: "assistant", content: "a" }, finish_reason: "stop" }],
      });
    }
  });

  it("takes a function of the request and its number", async () => {
    await using model = await startScriptedModel(({ body }, n) => ({ say: `${n}:${body.messages.length}` }));
    expect((await send(model, prompt())).text).toContain("0:1");
    expect((await send(model, prompt())).text).toContain("1:1");
  });

  it("answers with a status, headers and a body", async () => {
    await using model = await startScriptedModel([
      { status: 429, headers: { "retry-after": "2" }, body: { error: { message: "slow" } } },
      { status: 502, body: "<html>" },
      { status: 503 },
    ]);
    expect(await send(model, prompt())).toMatchObject({
      status: 429,
      headers: { "retry-after": "2" },
      text: '{"error":{"message":"slow"}}',
    });
    expect(await send(model, prompt())).toMatchObject({ status: 502, text: "<html>" });
    expect(await send(model, prompt())).toMatchObject({
      status: 503,
      text: '{"error":{"message":"Scripted status 503."}}',
    });
  });

  it("sends raw text as it is", async () => {
    await using model = await startScriptedModel([{ raw: "data: x\r\n\r\n" }]);
    expect(await send(model, prompt())).toMatchObject({ status: 200, text: "data: x\r\n\r\n", cut: false });
  });

  it.each([
    ["no piece", 0, 0],
    ["two pieces", 2, 2],
    ["all pieces", 99, 4],
  ])("cuts the connection after %s", async (_what, breakAfter, arrived) => {
    await using model = await startScriptedModel([{ say: "one two", breakAfter }]);
    const { cut, text } = await send(model, prompt());
    expect({ cut, pieces: chunks(text).length }).toEqual({ cut: true, pieces: arrived });
  });

  it("waits before it answers and between two pieces", async () => {
    await using model = await startScriptedModel([{ say: "a b c", delayMs: 50 }], { tokenDelayMs: 20 });
    const started = performance.now();
    await send(model, prompt());
    // Five pieces, four pauses; timers may fire a millisecond early.
    expect(performance.now() - started).toBeGreaterThan(50 + 4 * 20 - 10);
  });

  it("says when the script is at its end, and that asking again is of no use", async () => {
    await using model = await startScriptedModel([]);
    const { status, headers, text } = await send(model, prompt());
    expect(status).toBe(500);
    expect(text).toContain("The script is at its end: there is no reply for request 1.");
    expect(headers["x-should-retry"]).toBe("false");
    expect(model.requests).toHaveLength(1);
  });

  it("tells the client when the scenario throws", async () => {
    await using model = await startScriptedModel(() => {
      throw new Error("no idea");
    });
    expect(await send(model, prompt())).toMatchObject({
      status: 500,
      text: expect.stringContaining("no idea"),
    });
  });

  it("rejects what a picky provider would, records it, and keeps its reply for the next request", async () => {
    await using model = await startScriptedModel([{ say: "fine" }]);
    const wrong = prompt({ messages: [{ role: "user", content: "" }], tools: [] });
    const { status, text } = await send(model, wrong);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      error: { message: "tools: an empty list; leave it out. messages[0] (user): content is empty." },
    });
    expect(model.requests[0]?.problems).toHaveLength(2);
    expect((await send(model, prompt())).text).toContain("fine");
  });

  it("takes anything when it is told not to be strict, and still records the problems", async () => {
    await using model = await startScriptedModel([{ say: "fine" }], { strict: false });
    expect((await send(model, { ...prompt(), messages: [] })).status).toBe(200);
    expect(model.requests[0]?.problems).toEqual(["messages: there are none."]);
  });

  it.each([
    ["text that is not JSON", "{", "/chat/completions", "POST", 400],
    ["no messages", {}, "/chat/completions", "POST", 400],
    ["another path", {}, "/completions", "POST", 404],
    ["another method", "", "/chat/completions", "GET", 404],
  ])("refuses %s", async (_what, body, path, method, status) => {
    await using model = await startScriptedModel([]);
    expect((await send(model, body, path, method)).status).toBe(status);
    expect(model.requests).toEqual([]);
  });

  it("lists its models", async () => {
    await using model = await startScriptedModel([], { models: ["a", "b"] });
    const { text } = await send(model, "", "/models", "GET");
    expect(JSON.parse(text)).toMatchObject({ data: [{ id: "a" }, { id: "b" }] });
  });

  it("closes while somebody still waits for an answer, and may be closed twice", async () => {
    const model = await startScriptedModel([{ hang: true }]);
    const waiting = send(model, prompt()).catch((error: unknown) => error);
    while (model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await model.close();
    await model.close();
    expect(await waiting).toBeInstanceOf(Error);
  });
});
