import { describe, expect, it } from "vitest";
import type { ModelAnswer } from "@/services/aiService.ts";
import { chatCompletions as protocol } from "@/model/protocols/chatCompletions/protocol.ts";
import { StreamAnswer } from "@/model/streamAnswer.ts";

type Chunk = Record<string, unknown>;

function build(chunks: Chunk[], takenIds: string[] = []): ModelAnswer {
  let made = 0;
  const answer = new StreamAnswer({
    protocol,
    takenIds,
    newId: () => `made-${made++}`,
    vendor: "v",
    toolName: (name) => name.replace("wire_", "real."),
  });
  for (const chunk of chunks) answer.push(chunk);
  return answer.answer();
}

const delta = (piece: Chunk): Chunk => ({ choices: [{ delta: piece }] });
const call = (fragment: Chunk): Chunk => delta({ tool_calls: [fragment] });
const fn = (name: string | undefined, text: unknown): Chunk => ({
  function: { ...(name !== undefined && { name }), arguments: text },
});

/** Calls as "id name arguments". */
const calls = (chunks: Chunk[], takenIds?: string[]): string[] =>
  (build(chunks, takenIds).tool_calls ?? []).map(
    ({ id, index, function: called }) => `${index} ${id} ${called.name} ${called.arguments}`,
  );

describe("tool calls from fragments", () => {
  const rows: [string, Chunk[], string[]][] = [
    [
      "by the book, also when the fragments of two calls are mixed",
      [
        call({ index: 0, id: "a", ...fn("Bash", "") }),
        call({ index: 1, id: "b", ...fn("Read", "") }),
        call({ index: 0, ...fn(undefined, '{"x"') }),
        call({ index: 1, ...fn(undefined, "{}") }),
        call({ index: 0, ...fn(undefined, ":1}") }),
      ],
      ['0 a Bash {"x":1}', "1 b Read {}"],
    ],
    [
      "several in one piece",
      [
        delta({
          tool_calls: [
            { index: 0, id: "a", ...fn("A", "{}") },
            { index: 1, id: "b", ...fn("B", "{}") },
          ],
        }),
      ],
      ["0 a A {}", "1 b B {}"],
    ],
    [
      "with an index that does not begin at 0",
      [call({ index: 3, id: "a", ...fn("A", "{") }), call({ index: 3, ...fn(undefined, "}") })],
      ["0 a A {}"],
    ],
    [
      "without an index, told apart by id",
      [
        call({ id: "a", ...fn("A", "{") }),
        call({ id: "b", ...fn("B", "{") }),
        call({ id: "a", ...fn(undefined, "}") }),
        call({ id: "b", ...fn(undefined, "}") }),
      ],
      ["0 a A {}", "1 b B {}"],
    ],
    [
      "without index and id",
      [call(fn("A", "{")), call(fn(undefined, "}")), call(fn("B", "{}"))],
      ["0 made-0 A {}", "1 made-1 B {}"],
    ],
    [
      "twice the same call without index and id",
      [call(fn("A", "{}")), call(fn("A", "{}"))],
      ["0 made-0 A {}", "1 made-1 A {}"],
    ],
    [
      "when every call has the number 0 and an id of its own",
      [call({ index: 0, id: "a", ...fn("A", "{}") }), call({ index: 0, id: "b", ...fn("A", "{}") })],
      ["0 a A {}", "1 b A {}"],
    ],
    [
      "when every call has the number 0 and no id",
      [call({ index: 0, ...fn("A", "{}") }), call({ index: 0, ...fn("A", "{}") })],
      ["0 made-0 A {}", "1 made-1 A {}"],
    ],
    [
      "when every fragment repeats id and name",
      [call({ index: 0, id: "a", ...fn("A", '{"x":') }), call({ index: 0, id: "a", ...fn("A", "1}") })],
      ['0 a A {"x":1}'],
    ],
    [
      "when every fragment has a new id",
      [call({ index: 0, id: "a", ...fn("A", "{") }), call({ index: 0, id: "b", ...fn(undefined, "}") })],
      ["0 a A {}"],
    ],
    [
      "when every fragment has a new id and no index",
      [call({ id: "a", ...fn("A", "{") }), call({ id: "b", ...fn(undefined, "}") })],
      ["0 a A {}"],
    ],
    ["with an empty id", [call({ index: 0, id: "", ...fn("A", "{}") })], ["0 made-0 A {}"]],
    [
      "with the same id twice",
      [call({ index: 0, id: "a", ...fn("A", "{}") }), call({ index: 1, id: "a", ...fn("B", "{}") })],
      ["0 a A {}", "1 made-0 B {}"],
    ],
    ["with an object as arguments", [call({ index: 0, id: "a", ...fn("A", { x: 1 }) })], ['0 a A {"x":1}']],
    ["with broken arguments", [call({ index: 0, id: "a", ...fn("A", '{"x') })], ['0 a A {"x']],
    ["that are no objects", [delta({ tool_calls: ["x"] })], ["0 made-0  "]],
  ];

  it.each(rows)("are put together %s (T24)", (_what, chunks, expected) => {
    expect(calls(chunks)).toEqual(expected);
  });

  it("get a new id when the conversation has that one already", () => {
    expect(calls([call({ index: 0, id: "call_0", ...fn("A", "{}") })], ["call_0"])).toEqual([
      "0 made-0 A {}",
    ]);
  });

  it("are announced once each, when their name is there", () => {
    const answer = new StreamAnswer({
      protocol,
      takenIds: [],
      newId: () => "x",
      vendor: "v",
      toolName: (name) => name,
    });
    const heard = [
      call({ index: 0, id: "a", function: {} }),
      call({ index: 0, ...fn("A", "{") }),
      call({ index: 0, ...fn("A", "}") }),
    ].flatMap((chunk) => answer.push(chunk));
    expect(heard).toEqual([{ kind: "tool-call", name: "A" }]);
  });
});

describe("text, reasoning, usage", () => {
  const rows: [string, Chunk[], ModelAnswer][] = [
    ["text in pieces", [delta({ content: "a" }), delta({ content: "b" })], { content: "ab" }],
    [
      "text as a list of parts",
      [delta({ content: [{ type: "text", text: "a" }, { text: "b" }, 1] })],
      { content: "ab" },
    ],
    [
      "reasoning_content",
      [delta({ reasoning_content: "r" })],
      { reasoning: "r", vendorData: { from: "v", textField: "reasoning_content" } },
    ],
    [
      "reasoning",
      [delta({ reasoning: "r", content: null })],
      { reasoning: "r", vendorData: { from: "v", textField: "reasoning" } },
    ],
    [
      "both at once, which is the same text twice",
      [delta({ reasoning_content: "r", reasoning: "r" })],
      { reasoning: "r", vendorData: { from: "v", textField: "reasoning_content" } },
    ],
    ["a refusal", [delta({ refusal: "no" })], { content: "no" }],
    [
      "the finish reason",
      [{ choices: [{ delta: {}, finish_reason: "length" }] }],
      { finish_reason: "length" },
    ],
    [
      "usage without cached tokens",
      [{ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } }],
      { usage: { inputTokens: 5, outputTokens: 2 } },
    ],
    [
      "usage with cached tokens",
      [{ usage: { prompt_tokens: 5, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 3 } } }],
      { usage: { inputTokens: 5, outputTokens: 2, cachedInputTokens: 3 } },
    ],
    [
      "usage with cached tokens under DeepSeek's name",
      [{ usage: { prompt_tokens: 5, completion_tokens: 2, prompt_cache_hit_tokens: 4 } }],
      { usage: { inputTokens: 5, outputTokens: 2, cachedInputTokens: 4 } },
    ],
    [
      "usage that is null until the end",
      [{ usage: { prompt_tokens: 5, completion_tokens: 2 } }, { usage: null }],
      { usage: { inputTokens: 5, outputTokens: 2 } },
    ],
    [
      "pieces of no known shape",
      [{}, { choices: "x" }, { choices: [null] }, { choices: [{}] }, delta({ content: 1 })],
      {},
    ],
  ];
  it.each(rows)("are read: %s", (_what, chunks, expected) => {
    expect(build(chunks)).toEqual(expected);
  });
});

describe("what a server wants to see again", () => {
  const sealed = { type: "reasoning.encrypted", data: "x", index: 1 };
  const text = (of: string, more: Chunk = {}) => ({ type: "reasoning.text", text: of, index: 0, ...more });
  const rows: [string, Chunk[], ModelAnswer["vendorData"]][] = [
    ["is nothing of an answer that has nothing", [delta({ content: "a", extra_content: null })], undefined],
    [
      "is Gemini's signature of a text",
      [
        delta({ content: "a" }),
        delta({ content: "", extra_content: { google: { thought_signature: "s" } } }),
      ],
      { from: "v", fields: { extra_content: { google: { thought_signature: "s" } } } },
    ],
    [
      "is OpenRouter's details, whole, with their text put together",
      [
        delta({ reasoning: "a", reasoning_details: [text("a")] }),
        delta({ reasoning: "b", reasoning_details: [text("b")] }),
        delta({ reasoning_details: [text("", { signature: "s" })] }),
        delta({ reasoning_details: [text("c", { index: 0 })] }),
        delta({ reasoning_details: [sealed] }),
        delta({ reasoning_details: [sealed] }),
      ],
      {
        from: "v",
        fields: { reasoning_details: [text("ab", { signature: "s" }), text("c"), sealed, sealed] },
      },
    ],
    [
      "is LiteLLM's blocks",
      [
        delta({ thinking_blocks: [{ type: "thinking", thinking: "a" }] }),
        delta({ thinking_blocks: [{ type: "thinking", thinking: "b", signature: "s" }] }),
      ],
      { from: "v", fields: { thinking_blocks: [{ type: "thinking", thinking: "ab", signature: "s" }] } },
    ],
  ];
  it.each(rows)("%s", (_what, chunks, expected) => {
    expect(build(chunks).vendorData).toEqual(expected);
  });

  const signature = { extra_content: { google: { thought_signature: "s" } } };
  it.each([
    [
      "with its first fragment",
      [
        { ...signature, index: 0, id: "a", ...fn("A", "{") },
        { index: 0, ...fn(undefined, "}") },
      ],
    ],
    [
      "with its last",
      [
        { index: 0, id: "a", ...fn("A", "{") },
        { ...signature, index: 0, ...fn(undefined, "}") },
      ],
    ],
  ])("is kept with the call that it came with, %s", (_when, fragments) => {
    const other = { index: 1, id: "b", ...fn("B", "{}") };
    expect(build([...fragments, other].map(call)).tool_calls).toEqual([
      expect.objectContaining({ id: "a", vendorData: { from: "v", fields: signature } }),
      { id: "b", type: "function", index: 1, function: { name: "B", arguments: "{}" } },
    ]);
  });
});

describe("a whole answer", () => {
  it("has as many calls as it lists, whatever they lack", () => {
    const listed = [{ id: "a", ...fn("A", "{}") }, fn("", "{}"), { id: "", ...fn("B", "{}") }, "x"];
    expect(calls([{ choices: [{ message: { tool_calls: listed } }] }])).toEqual([
      "0 a A {}",
      "1 made-0  {}",
      "2 made-1 B {}",
      "3 made-2  ",
    ]);
  });

  it("is read with the names that tools have, and not with those of the wire", () => {
    expect(calls([call({ index: 0, id: "a", ...fn("wire_tool", "{}") })])).toEqual(["0 a real.tool {}"]);
  });
});
