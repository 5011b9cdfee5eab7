import { describe, expect, it } from "vitest";
import type { ModelAnswer } from "@/services/aiService.ts";
import { readAnswer } from "@/services/model/readAnswer.ts";
import { StreamAnswer } from "@/services/model/streamAnswer.ts";

const EVENTS = [
  'data: {"choices":[{"delta":{"content":"Grüße "}}]}\n\n',
  'data: {"choices":[{"delta":{"content":"🌊"},"finish_reason":"stop"}]}\n\n',
  "data: [DONE]\n\n",
].join("");
const WHOLE = '{"choices":[{"message":{"content":"Grüße 🌊"},"finish_reason":"stop"}]}';

async function read(body: string, pieceBytes: number, type: string | undefined): Promise<ModelAnswer> {
  const answer = new StreamAnswer({ takenIds: [], newId: () => "x" });
  const headers = type === undefined ? {} : { "content-type": type };
  const response = { status: 200, headers, body: pieces(Buffer.from(body), pieceBytes) };
  await readAnswer(response, answer, { onDelta: () => undefined, onBytes: () => undefined });
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
});
