import { describe, expect, it } from "vitest";
import { checkRequest } from "@/testing/index.ts";

const user = { role: "user", content: "hi" };
const tool = (id: string) => ({ role: "tool", tool_call_id: id, content: "done" });
const calling = (...ids: string[]) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "LS", arguments: "{}" } })),
});

describe("a request that every provider takes", () => {
  it.each([
    ["a prompt", [user]],
    ["system and two prompts", [{ role: "system", content: "be" }, user, user]],
    ["calls, all answered, in any order", [user, calling("a", "b"), tool("b"), tool("a")]],
    ["text with calls", [user, { ...calling("a"), content: "I look." }, tool("a"), user]],
    ["an empty result", [user, calling("a"), { ...tool("a"), content: "" }]],
    [
      "parts with an image",
      [
        {
          role: "user",
          content: [
            { type: "text", text: "see" },
            { type: "image_url", image_url: { url: "data:x" } },
          ],
        },
      ],
    ],
  ])("is %s", (_what, messages) => {
    expect(checkRequest(messages)).toEqual([]);
  });
});

describe("a request that a picky provider rejects", () => {
  const rows: [string, unknown[], string[]][] = [
    ["nothing", [], ["messages: there are none."]],
    ["no object", ["x"], ["messages[0]: is not an object."]],
    [
      "half a character",
      [{ role: "user", content: "\ud800" }],
      ["messages[0]: has half a surrogate pair in it."],
    ],
    [
      "a long id",
      [user, calling("x".repeat(41)), tool("x".repeat(41))],
      ["messages[1].tool_calls[0]: its id is longer than 40 characters."],
    ],
    ["an unknown role", [{ role: "hook", content: "x" }], ['messages[0]: the role "hook" is not known.']],
    ["an empty prompt", [{ role: "user", content: " \n" }], ["messages[0] (user): content is empty."]],
    [
      "a prompt without content",
      [{ role: "user" }],
      ["messages[0] (user): content is neither text nor a list of parts."],
    ],
    [
      "an empty part",
      [{ role: "user", content: [{ type: "text", text: "" }] }],
      ["messages[0] (user).content[0]: its text is empty."],
    ],
    [
      "an unknown part",
      [{ role: "user", content: [{ type: "smell" }] }],
      ['messages[0] (user).content[0]: the type "smell" is not known.'],
    ],
    [
      "an image without address",
      [{ role: "user", content: [{ type: "image_url" }] }],
      ["messages[0] (user).content[0]: has no image_url.url."],
    ],
    [
      "an answer without content",
      [user, { role: "assistant", content: null }, user],
      ["messages[1] (assistant): has neither content nor tool_calls."],
    ],
    [
      "an answer with empty content",
      [user, { role: "assistant", content: "" }, user],
      ["messages[1] (assistant): has neither content nor tool_calls."],
    ],
    [
      "an empty list of calls",
      [user, { role: "assistant", content: "x", tool_calls: [] }, user],
      ["messages[1] (assistant): tool_calls is not a list with calls in it."],
    ],
    [
      "a call that is none",
      [user, { role: "assistant", content: null, tool_calls: [{ id: "a" }] }, tool("a")],
      [
        'messages[1].tool_calls[0]: its type is not "function".',
        "messages[1].tool_calls[0]: has no function name.",
        "messages[1].tool_calls[0]: its arguments are not text.",
      ],
    ],
    [
      "a call without an answer",
      [user, calling("a", "b"), tool("a")],
      ['messages[1] (assistant): the call "b" is not answered directly after it.'],
    ],
    [
      "an answer that comes too late",
      [user, calling("a"), user, tool("a")],
      [
        'messages[1] (assistant): the call "a" is not answered directly after it.',
        'messages[3] (tool): answers "a", which no call just before it has open.',
      ],
    ],
    [
      "two answers to one call",
      [user, calling("a"), tool("a"), tool("a")],
      ['messages[3] (tool): answers "a", which no call just before it has open.'],
    ],
    [
      "an answer to no call",
      [user, tool("z")],
      ['messages[1] (tool): answers "z", which no call just before it has open.'],
    ],
    [
      "an id used twice",
      [user, calling("a"), tool("a"), calling("a"), tool("a")],
      ['messages[3] (assistant): the call id "a" was used before.'],
    ],
    [
      "a result that is no text",
      [user, calling("a"), { ...tool("a"), content: null }],
      ["messages[2] (tool): content is not text."],
    ],
    [
      "an answer at the end",
      [user, { role: "assistant", content: "x" }],
      ["messages[1] (assistant): the last message is not from a user or a tool."],
    ],
  ];
  it.each(rows)("has %s", (_what, messages, problems) => {
    expect(checkRequest(messages)).toEqual(problems);
  });
});
