import { execFile } from "node:child_process";
import { createServer as createTcpServer } from "node:net";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { callAgent } from "@/services/aiService.ts";
import { askModel } from "@/model/askModel.ts";
import { chatCompletions } from "@/model/protocols/chatCompletions/protocol.ts";
import { type ScriptedReply, startScriptedModel } from "@/testing/index.ts";
import { KEY, listener, modelCall, modelFailure, modelRequest } from "../support/modelRequest.ts";
import { waitFor } from "../support/waitFor.ts";

const events = (...chunks: object[]): string =>
  [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), "data: [DONE]\n\n"].join("");

const NOW = { "retry-after": "0" };

describe("an answer", () => {
  it("streams text, reasoning and tool calls in the order in which they come", async () => {
    await using model = await startScriptedModel([
      {
        think: "Let me see.",
        say: "I look.",
        calls: [
          { name: "Read", arguments: { file_path: "/a" }, id: "one" },
          { name: "Bash", arguments: { command: "ls é" }, id: "two" },
        ],
        chunkSize: 4,
        usage: { input: 100, output: 7, cached: 64 },
      },
    ]);
    const ear = listener();
    expect(await callAgent(modelRequest(model, { ...ear }))).toEqual({
      content: "I look.",
      reasoning: "Let me see.",
      tool_calls: [
        {
          id: "one",
          type: "function",
          index: 0,
          function: { name: "Read", arguments: '{"file_path":"/a"}' },
        },
        {
          id: "two",
          type: "function",
          index: 1,
          function: { name: "Bash", arguments: '{"command":"ls é"}' },
        },
      ],
      usage: { inputTokens: 100, outputTokens: 7, cachedInputTokens: 64 },
      finish_reason: "tool_calls",
      vendorData: { from: `chat-completions ${model.baseUrl} m1`, textField: "reasoning_content" },
    });
    expect(ear.heard).toEqual([
      "reasoning Let ",
      "reasoning me s",
      "reasoning ee.",
      "text I lo",
      "text ok.",
      "call Read",
      "call Bash",
    ]);
  });

  it("may be empty", async () => {
    await using model = await startScriptedModel([{ usage: { input: 3, output: 0 } }]);
    expect(await callAgent(modelRequest(model))).toEqual({
      usage: { inputTokens: 3, outputTokens: 0 },
      finish_reason: "stop",
    });
  });

  it("keeps arguments that are broken JSON exactly as they came", async () => {
    await using model = await startScriptedModel([
      { call: { name: "Bash", arguments: '{"command": "ls' }, chunkSize: 5 },
    ]);
    const answer = await callAgent(modelRequest(model));
    expect(answer.tool_calls?.[0]?.function).toEqual({ name: "Bash", arguments: '{"command": "ls' });
  });

  it("may come in one piece from a server that does not stream", async () => {
    await using model = await startScriptedModel([
      {
        plain: true,
        think: "hm",
        say: "whole",
        call: { name: "LS", arguments: {}, id: "x" },
        usage: { input: 1, output: 2 },
      },
    ]);
    const ear = listener();
    expect(await callAgent(modelRequest(model, { ...ear }))).toEqual({
      content: "whole",
      reasoning: "hm",
      tool_calls: [{ id: "x", type: "function", index: 0, function: { name: "LS", arguments: "{}" } }],
      usage: { inputTokens: 1, outputTokens: 2 },
      finish_reason: "tool_calls",
      vendorData: { from: `chat-completions ${model.baseUrl} m1`, textField: "reasoning_content" },
    });
    expect(ear.heard).toEqual(["reasoning hm", "text whole", "call LS"]);
  });

  const last = { choices: [{ delta: { content: "done" }, finish_reason: "stop" }] };
  it.each<[string, ScriptedReply]>([
    ["leaves out its farewell", { raw: `data: ${JSON.stringify(last)}\n\n` }],
    ["is gone before its farewell", { say: "done", breakAfter: 99 }],
  ])("is complete when the model ended it and the server %s", async (_what, reply) => {
    await using model = await startScriptedModel([reply]);
    expect(await callAgent(modelRequest(model))).toMatchObject({ content: "done", finish_reason: "stop" });
    expect(model.requests).toHaveLength(1);
  });

  it("never repeats a tool call id of the conversation", async () => {
    const call = { id: "0", type: "function" as const, function: { name: "LS", arguments: "{}" } };
    await using model = await startScriptedModel([{ call: { name: "LS", arguments: {}, id: "0" } }]);
    const answer = await callAgent(
      modelRequest(model, {
        messages: [
          { role: "user", content: "look" },
          { role: "assistant", content: null, tool_calls: [call] },
          { role: "tool", tool_call_id: "0", content: "nothing" },
        ],
      }),
    );
    expect(answer.tool_calls?.[0]?.id).toMatch(/^call_.{8}/);
  });

  it("that throws in a callback closes the connection and rejects with that error", async () => {
    await using server = await silentServer(
      'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {"choices":[{"delta":{"content":"boom"}}]}\n\n',
    );
    const boom = new Error("the screen is gone");
    const onText = (): void => {
      throw boom;
    };
    await expect(callAgent(modelRequest(server, { onText }))).rejects.toBe(boom);
    await waitFor("the connection is closed", () => server.open() === 0);
  });
});

describe("the request", () => {
  const tool = { name: "LS", description: "Lists.", parameters: { type: "object" } };

  it("carries the system prompt, the messages, the tools and the key, and asks for usage", async () => {
    await using model = await startScriptedModel([{ say: "hi" }]);
    await callAgent(modelRequest(model, { tools: [tool] }));
    const [request] = model.requests;
    expect(request?.body).toEqual({
      model: "m1",
      messages: [
        { role: "system", content: expect.stringContaining("You are Wave") },
        { role: "user", content: "hello" },
      ],
      tools: [{ type: "function", function: tool }],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(request?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it("begins with the same bytes in every call of a session", async () => {
    await using model = await startScriptedModel([{ say: "a" }, { say: "b" }]);
    const promptCache = new Map<string, string>();
    await callAgent(modelRequest(model, { promptCache }));
    await callAgent(modelRequest(model, { promptCache, cwd: "/tmp" }));
    expect(model.requests[1]?.text).toBe(model.requests[0]?.text);
  });

  it("is sent again without stream_options to a server that rejects them, which is learned once", async () => {
    await using model = await startScriptedModel(({ body }) =>
      body.stream_options
        ? { status: 400, body: { error: "unknown field stream_options" } }
        : { say: "fine" },
    );
    const promptCache = new Map<string, string>();
    const ear = listener();
    await callAgent(modelRequest(model, { promptCache, ...ear }));
    expect((await callAgent(modelRequest(model, { promptCache }))).content).toBe("fine");
    expect(model.requests.map(({ body }) => "stream_options" in body)).toEqual([true, false, false]);
    expect(ear.retries).toEqual([]);
  });

  it("is sent again without reasoning to a model that takes tools only so, and the user is told", async () => {
    const message = "Function tools with reasoning_effort are not supported for m1 in /v1/chat/completions.";
    await using model = await startScriptedModel(({ body }) =>
      body["reasoning_effort"] === "none" ? { say: "fine" } : { status: 400, body: { error: { message } } },
    );
    const notices: string[] = [];
    const onNotice = (text: string) => void notices.push(text);
    expect((await callAgent(modelRequest(model, { tools: [tool], onNotice }))).content).toBe("fine");
    expect(notices).toEqual([
      `The model server at ${model.baseUrl} refused the request (status 400: ${message.slice(0, -1)}); from now on Wave asks with reasoning_effort "none".`,
    ]);
  });

  it("names the only model of a server when nobody named one, and tells the user once", async () => {
    await using model = await startScriptedModel([{ say: "a" }, { say: "b" }], { models: ["tiny"] });
    const { model: _unset, ...options } = modelRequest(model).model;
    const notices: string[] = [];
    const promptCache = new Map<string, string>();
    const onNotice = (text: string) => {
      expect(model.requests).toEqual([]);
      notices.push(text);
    };
    for (let call = 0; call < 2; call++)
      await callAgent(modelRequest(model, { model: options, promptCache, onNotice }));
    expect(model.requests[1]?.body.model).toBe("tiny");
    expect(notices).toEqual([
      `No model is named, so Wave uses "tiny" of ${model.baseUrl}, the only one there; WAVE_MODEL names another.`,
    ]);
  });

  it("says nothing about a model that somebody named", async () => {
    await using model = await startScriptedModel([{ say: "a" }]);
    const notices: string[] = [];
    await callAgent(modelRequest(model, { onNotice: (text) => void notices.push(text) }));
    expect(notices).toEqual([]);
  });

  it("is not sent when the server has several models and nobody named one", async () => {
    await using model = await startScriptedModel([], { models: ["a", "b", "c", "d", "e", "f", "g"] });
    const { model: _unset, ...options } = modelRequest(model).model;
    expect(await modelFailure(callAgent(modelRequest(model, { model: options })))).toEqual({
      kind: "unknown-model",
      status: undefined,
      message: `No model is named, and the server at ${model.baseUrl} has "a", "b", "c", "d", "e" and 2 more. Set WAVE_MODEL to the one to use.`,
    });
    expect(model.requests).toEqual([]);
  });
});

describe("the start", () => {
  it("of a process that makes one call loads no fetch", async () => {
    await using model = await startScriptedModel([{ say: "hi" }]);
    const service = new URL("../../src/services/aiService.ts", import.meta.url).href;
    const script = `
      const { callAgent } = await import(${JSON.stringify(service)});
      const { content } = await callAgent(${JSON.stringify(modelRequest(model))});
      console.log(content, process.moduleLoadList.filter((name) => name.includes("undici")));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    expect(stdout.trim()).toBe("hi []");
  });
});

describe("retries", () => {
  it.each([429, 500, 502, 503, 529])("come after status %i and are announced", async (status) => {
    await using model = await startScriptedModel([
      { status, headers: NOW },
      { status, headers: NOW },
      { say: "at last" },
    ]);
    const ear = listener();
    expect((await callAgent(modelRequest(model, { ...ear }))).content).toBe("at last");
    expect(ear.retries).toEqual([
      { attempt: 1, attempts: 5, waitMs: 0, why: expect.stringContaining(`status ${status}`) },
      { attempt: 2, attempts: 5, waitMs: 0, why: expect.stringContaining(`status ${status}`) },
    ]);
    // Wave itself tries again: what a person could do is said when it has given up.
    expect(ear.retries[0]?.why).not.toMatch(/again|;/);
  });

  it("wait as long as the server asks", async () => {
    await using model = await startScriptedModel([
      { status: 429, headers: { "retry-after": "1" } },
      { say: "at last" },
    ]);
    const ear = listener();
    const started = performance.now();
    await callAgent(modelRequest(model, { ...ear }));
    expect(ear.retries.map(({ waitMs }) => waitMs)).toEqual([1000]);
    // Timers may fire a millisecond early.
    expect(performance.now() - started).toBeGreaterThan(990);
  });

  it("end after five attempts with the last error", async () => {
    await using model = await startScriptedModel(() => ({
      status: 503,
      headers: NOW,
      body: { error: "overloaded" },
    }));
    const ear = listener();
    expect(await modelFailure(callAgent(modelRequest(model, { ...ear })))).toEqual({
      kind: "overloaded",
      status: 503,
      message: `The model server at ${model.baseUrl} has too much to do (status 503): overloaded; try again later. (Wave tried 5 times.)`,
    });
    expect(model.requests).toHaveLength(5);
    expect(ear.retries).toHaveLength(4);
  });

  it.each([400, 401, 403, 404, 413, 422])("do not come after status %i", async (status) => {
    await using model = await startScriptedModel([{ status }, { say: "no" }]);
    await modelFailure(callAgent(modelRequest(model)));
    expect(model.requests).toHaveLength(1);
  });

  it("do not come when the server says that they are of no use", async () => {
    await using model = await startScriptedModel([]);
    const { message } = await modelFailure(callAgent(modelRequest(model)));
    expect(message).toContain("The script is at its end: there is no reply for request 1; try again later.");
    expect(model.requests).toHaveLength(1);
  });

  it("come after a connection that was cut before an answer", async () => {
    await using model = await startScriptedModel([
      { breakAfter: 0 },
      { breakAfter: 1, say: "lost" },
      { say: "whole" },
    ]);
    const ear = listener();
    expect((await callAgent(modelRequest(model, { ...ear }))).content).toBe("whole");
    expect(ear.retries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(ear.retries[0]?.why).toContain("the connection was lost");
    expect(ear.heard).toEqual(["text whole"]);
  });

  it("come three times after a refused connection, which is named", async () => {
    const port = await closedPort();
    const ear = listener();
    const failure = await modelFailure(
      callAgent(modelRequest({ baseUrl: `http://127.0.0.1:${port}/v1` }, { ...ear })),
    );
    expect(failure).toEqual({
      kind: "unreachable",
      status: undefined,
      message: `Nothing answers at http://127.0.0.1:${port}/v1 (connection refused); start the model server, or set WAVE_BASE_URL to where it is. (Wave tried 3 times.)`,
    });
    expect(ear.retries.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});

describe("a stream that goes wrong", () => {
  const call = { name: "Bash", arguments: { command: "ls" } };
  it.each<[string, ScriptedReply, string[]]>([
    ["in its text", { say: "one two three", breakAfter: 2 }, ["text one"]],
    ["in its reasoning", { think: "hm hm hm", breakAfter: 3 }, ["reasoning hm", "reasoning  hm"]],
    ["in a call", { call, chunkSize: 3, breakAfter: 4 }, ["call Bash"]],
  ])("%s is asked for again, and says that it begins anew", async (_where, broken, heard) => {
    await using model = await startScriptedModel([broken, { say: "whole" }]);
    const ear = listener();
    expect(await callAgent(modelRequest(model, { ...ear }))).toEqual({
      content: "whole",
      finish_reason: "stop",
      usage: expect.any(Object),
    });
    expect(ear.heard).toEqual([...heard, "text whole"]);
    const why = `The answer from ${model.baseUrl} broke off in the middle (the connection was lost, ECONNRESET)`;
    expect(ear.retries).toEqual([
      { attempt: 1, attempts: 4, waitMs: expect.any(Number), why, restarts: true },
    ]);
    expect(model.requests[1]?.text).toBe(model.requests[0]?.text);
  });

  it("because its server never says how an answer ended is believed the second time", async () => {
    const bare = { raw: events({ choices: [{ delta: { content: "done" } }] }) };
    await using model = await startScriptedModel(() => bare);
    const promptCache = new Map<string, string>();
    for (let prompt = 0; prompt < 2; prompt++)
      expect(await callAgent(modelRequest(model, { promptCache }))).toEqual({ content: "done" });
    expect(model.requests).toHaveLength(3);
  });

  const word = { choices: [{ delta: { content: "word" } }] };
  const rows: [string, ScriptedReply, { kind: string; says: string; after?: "nothing" }][] = [
    [
      "says goodbye and nothing else",
      { raw: "data: [DONE]\n\n" },
      {
        kind: "broken-stream",
        says: "gave no answer (the server ended it before the model did)",
        after: "nothing",
      },
    ],
    [
      "ends without an end",
      { raw: `data: ${JSON.stringify(word)}\n\n` },
      { kind: "broken-stream", says: "the stream ended early" },
    ],
    [
      "has an event that is not JSON",
      { raw: `data: ${JSON.stringify(word)}\n\ndata: {"cho\n\n` },
      { kind: "broken-stream", says: "an event of the stream is not JSON" },
    ],
    [
      "reports an error",
      { raw: events(word, { error: { message: "GPU lost" } }) },
      { kind: "broken-stream", says: "broke off in the middle (the server reported an error: GPU lost)" },
    ],
    [
      "reports an error as vLLM and Mistral do",
      { raw: events(word, { object: "error", message: "GPU lost", type: "x", code: 500 }) },
      { kind: "broken-stream", says: "broke off in the middle (the server reported an error: GPU lost)" },
    ],
    [
      "reports that the request is wrong",
      { raw: events(word, { object: "error", message: "no such field", type: "x", code: 400 }) },
      { kind: "bad-request", says: "rejected the request (status 400): no such field" },
    ],
    [
      "reports a full context",
      { raw: events(word, { error: "Context size has been exceeded." }) },
      { kind: "context-too-long", says: "start a new session" },
    ],
    [
      "reports a full context first",
      { raw: events({ error: { code: 400, type: "exceed_context_size_error", message: "no" } }) },
      { kind: "context-too-long", says: "too long for the model" },
    ],
    [
      "reports a full context as its whole answer",
      { raw: '{"error":"Context size has been exceeded."}', headers: { "content-type": "application/json" } },
      { kind: "context-too-long", says: "start a new session" },
    ],
    [
      "is a web page",
      { raw: "<!DOCTYPE html><title>Sign in</title>", headers: { "content-type": "text/html" } },
      { kind: "bad-request", says: "a web page instead of a model's answer: Sign in; check the base URL" },
    ],
    [
      "is a web page that says it is nothing",
      { raw: "<html><title>Hi</title>", headers: { "content-type": "" } },
      { kind: "bad-request", says: "a web page" },
    ],
    [
      "is other JSON",
      { raw: '{"ok":true}', headers: { "content-type": "application/json" } },
      { kind: "bad-request", says: "something else instead of a model's answer" },
    ],
  ];
  it.each(rows)("because it %s says so", async (_what, reply, expected) => {
    await using model = await startScriptedModel([reply]);
    const outcome = await askModel(chatCompletions, modelCall(model.baseUrl));
    const broken = expected.kind === "broken-stream";
    expect(outcome).toMatchObject({
      end: "failed",
      error: { kind: expected.kind, message: expect.stringContaining(expected.says) },
      retry: { again: broken ? "later" : "no" },
    });
    const begun = broken && expected.after !== "nothing";
    expect(outcome.end === "failed" && "restarts" in outcome.retry).toBe(begun);
  });
});

describe("an abort", () => {
  const reason = new Error("enough");

  it("before the call sends nothing", async () => {
    await using model = await startScriptedModel([]);
    await expect(callAgent(modelRequest(model, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(model.requests).toEqual([]);
  });

  it("before the first byte of the answer closes the connection", async () => {
    await using server = await silentServer();
    const controller = new AbortController();
    const call = callAgent(modelRequest(server, { signal: controller.signal }));
    call.catch(() => undefined);
    await waitFor("the request arrives", () => server.open() === 1);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await waitFor("the connection is closed", () => server.open() === 0);
  });

  it("in the middle of the answer keeps what was heard and is not retried", async () => {
    await using model = await startScriptedModel([{ say: "one two", hang: true }]);
    const controller = new AbortController();
    const ear = listener();
    const onText = (text: string): void => {
      ear.onText(text);
      if (text.includes("two")) controller.abort(reason);
    };
    await expect(callAgent(modelRequest(model, { ...ear, onText, signal: controller.signal }))).rejects.toBe(
      reason,
    );
    expect(ear).toMatchObject({ heard: ["text one", "text  two"], retries: [] });
  });

  it("during the wait before a retry ends the wait", async () => {
    await using model = await startScriptedModel([{ status: 429, headers: { "retry-after": "60" } }]);
    const controller = new AbortController();
    const waits: number[] = [];
    const onRetry = ({ waitMs }: { waitMs: number }): void => {
      waits.push(waitMs);
      setTimeout(() => controller.abort(reason), 20);
    };
    await expect(callAgent(modelRequest(model, { onRetry, signal: controller.signal }))).rejects.toBe(reason);
    expect(waits).toEqual([60_000]);
    expect(model.requests).toHaveLength(1);
  });
});

describe("the key", () => {
  it.each([400, 401, 403, 404, 429, 500])(
    "is in no message when a server repeats it with status %i",
    async (status) => {
      const body = { error: { message: `Key ${KEY} is bad; you sent Bearer ${KEY}.` } };
      await using model = await startScriptedModel(() => ({ status, headers: NOW, body }));
      const ear = listener();
      const { message } = await modelFailure(callAgent(modelRequest(model, { ...ear })));
      expect([message, ...ear.retries.map(({ why }) => why)].join("\n")).not.toContain(KEY);
    },
  );

  it("that is missing is said before anything is sent, with the way out", async () => {
    const { apiKey: _unset, ...options } = modelRequest({ baseUrl: "https://models.invalid/v1" }).model;
    const failure = await modelFailure(callAgent(modelRequest({ baseUrl: "" }, { model: options })));
    expect(failure.kind).toBe("no-key");
    for (const word of ["WAVE_API_KEY", "OPENAI_API_KEY", "`wave demo`"])
      expect(failure.message).toContain(word);
  });

  it("is not needed on this machine", async () => {
    await using model = await startScriptedModel([{ say: "hi" }]);
    const { apiKey: _unset, ...options } = modelRequest(model).model;
    await callAgent(modelRequest(model, { model: options }));
    expect(model.requests[0]?.headers.authorization).toBeUndefined();
  });
});

async function closedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

/** Takes connections, says at most one thing to each, and leaves them open. */
async function silentServer(says = ""): Promise<{ baseUrl: string; open: () => number } & AsyncDisposable> {
  let open = 0;
  const server = createTcpServer((socket) => {
    open += 1;
    socket.on("error", () => undefined);
    socket.once("data", () => says !== "" && socket.write(says));
    socket.on("close", () => (open -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    open: () => open,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
