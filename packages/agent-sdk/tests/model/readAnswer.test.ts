import { describe, expect, it } from "vitest";
import type { ModelAnswer } from "@/services/aiService.ts";
import { readAnswer } from "@/model/readAnswer.ts";
import { chatCompletions as protocol } from "@/model/protocols/chatCompletions/protocol.ts";
import { StreamAnswer } from "@/model/streamAnswer.ts";

const EVENTS = [
  'data: {"choices":[{"delta":{"content":"Grüße "}}]}\n\n',
  'data: {"choices":[{"delta":{"content":"🌊"},"finish_reason":"stop"}]}\n\n',
  "data: [DONE]\n\n",
].join("");
const WHOLE = '{"choices":[{"message":{"content":"Grüße 🌊"},"finish_reason":"stop"}]}';

async function read(
  body: string,
  pieceBytes: number,
  type: string | undefined,
  heard?: string[],
): Promise<ModelAnswer> {
  const answer = new StreamAnswer({
    protocol,
    takenIds: [],
    newId: () => "x",
    vendor: "v",
    toolName: (name) => name,
  });
  const headers = type === undefined ? {} : { "content-type": type };
  const response = { status: 200, headers, body: pieces(Buffer.from(body), pieceBytes) };
  await readAnswer(response, answer, {
    onDelta: () => undefined,
    onProgress: () => heard?.push("progress"),
    onNothing: () => heard?.push("nothing"),
  });
  return answer.answer();
}

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("an answer over the wire", () => {
  it.each([
    ["a stream", EVENTS, "text/event-stream; charset=utf-8"],
    ["a stream without a type", EVENTS, undefined],
    ["a stream of another type", EVENTS, "text/plain"],
    ["a whole answer", WHOLE, "application/json"],
    ["a whole answer without a type", `\n ${WHOLE}`, undefined],
  ])("is read from %s, wherever its bytes are cut", async (_what, body, type) => {
    // Without a type the first piece has to be long enough to show what it is.
    const sizes = type === undefined ? [8, 64, 1000] : [1, 2, 3, 7, 1000];
    for (const size of sizes) {
      expect(await read(body, size, type)).toEqual({ content: "Grüße 🌊", finish_reason: "stop" });
    }
  });

  it("that is an error without data: in front of it says what the server said", async () => {
    const error = '{"error":{"message":"the queue is full","code":400}}';
    for (const size of [1, 1000]) {
      await expect(read(error, size, "text/event-stream")).rejects.toMatchObject({
        said: { status: 400, body: error },
      });
    }
  });

  it("that is empty is a failure", async () => {
    await expect(read("", 1, "text/event-stream")).rejects.toThrow("the answer was empty");
  });

  const word = { choices: [{ delta: { content: "word" } }] };
  const errors: [string, object, { status: number | undefined; says: string }][] = [
    ["an error object", { error: { message: "GPU lost" } }, { status: undefined, says: "GPU lost" }],
    ["an error as text", { error: "GPU lost" }, { status: undefined, says: "GPU lost" }],
    [
      "vLLM's and Mistral's error",
      { object: "error", message: "GPU lost", type: "BadRequestError", param: null, code: 400 },
      { status: 400, says: "GPU lost" },
    ],
    [
      "Anthropic's error",
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      { status: undefined, says: "Overloaded" },
    ],
    ["FastAPI's detail", { detail: "GPU lost" }, { status: undefined, says: "GPU lost" }],
    [
      "a code and a message",
      { code: "InternalError", message: "GPU lost" },
      { status: undefined, says: "GPU" },
    ],
    [
      "OpenRouter's error of a choice",
      { choices: [{ delta: {}, finish_reason: "error", error: { code: 502, message: "GPU lost" } }] },
      { status: 502, says: "GPU lost" },
    ],
    [
      "an end that is an error",
      { choices: [{ delta: {}, finish_reason: "error" }] },
      { status: undefined, says: "error" },
    ],
  ];
  it.each(errors)(
    "with %s in it is a failure in the server's words, at any place",
    async (_what, error, expected) => {
      for (const events of [[error], [word, error]]) {
        const body = [
          ...events.map((event) => `data: ${JSON.stringify(event)}\n\n`),
          "data: [DONE]\n\n",
        ].join("");
        await expect(read(body, 1000, "text/event-stream")).rejects.toMatchObject({
          said: { status: expected.status, body: expect.stringContaining(expected.says) },
        });
      }
      await expect(read(JSON.stringify(error), 1000, "application/json")).rejects.toMatchObject({
        said: { status: expected.status, body: expect.stringContaining(expected.says) },
      });
    },
  );

  it("is no error because of fields that are null, or usage that comes alone", async () => {
    const events = [
      { ...word, error: null },
      { choices: [{ delta: {}, finish_reason: "stop" }], object: "chat.completion.chunk" },
      { usage: { prompt_tokens: 1, completion_tokens: 1 }, message: "accounting" },
    ];
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    expect(await read(body, 1000, "text/event-stream")).toMatchObject({ content: "word" });
  });

  it.each([
    ["nothing", ""],
    ["a word", `data: ${JSON.stringify(word)}\n\n`],
  ])("that the server ends after %s, before the model did, is a failure", async (_what, before) => {
    await expect(read(`${before}data: [DONE]\n\n`, 1000, "text/event-stream")).rejects.toMatchObject({
      message: "the server ended it before the model did",
      saidFarewell: true,
    });
  });

  it("that turns out to be other text is a failure in those words", async () => {
    const text = "upstream connect error or disconnect/reset before headers";
    await expect(read(text, 7, "text/event-stream")).rejects.toMatchObject({
      said: { status: 200, body: text },
    });
    const later = `data: ${JSON.stringify(word)}\n\n<html>\n<title>502</title>\n</html>`;
    await expect(read(later, 1000, "text/event-stream")).rejects.toMatchObject({
      said: { status: undefined, body: expect.stringContaining("502") },
    });
  });

  it("makes progress with words and calls, and not with comments, pings and empty pieces", async () => {
    const heard: string[] = [];
    const pieces = [
      ": keep-alive\n\n",
      'event: ping\ndata: {"choices":[]}\n\n',
      'data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n',
      'data: {"choices":[{"delta":{"reasoning_content":"r"}}]}\n\n',
      'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"A"}}]}}]}\n\n',
      'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]}}]}\n\n',
      ": keep-alive\n\n",
      'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n',
    ];
    const longest = Math.max(...pieces.map((piece) => piece.length));
    const padded = pieces.map((piece) => piece + "\n".repeat(longest - piece.length));
    await read(padded.join(""), longest, "text/event-stream", heard);
    expect(heard.map((each) => each[0]).join("")).toBe("nnnpppnp");
  });
});
