import { describe, expect, it } from "vitest";
import { serverText, serverWords } from "@/model/serverWords.ts";

describe("the key in a server's words", () => {
  const long = "abcd1234";
  const rows: [what: string, key: string | undefined, said: string, shown: string][] = [
    ["is hidden wherever it stands", long, `Bearer${long}, ${long}!`, "Bearer[key], [key]!"],
    [
      "of one letter leaves the words whole",
      "x",
      "max context exceeded, x-id 7",
      "max context exceeded, x-id 7",
    ],
    ["of one letter is hidden where it stands alone", "x", 'bad key "x": x', 'bad key "[key]": [key]'],
    ["that is part of a name leaves the name", "llama", "ollama has no llama3", "ollama has no llama3"],
    [
      "that is short is hidden as a word",
      "sk-1",
      "Incorrect API key provided: sk-1.",
      "Incorrect API key provided: [key]",
    ],
    ["may have signs in it", "a.b*", "aXb* is not a.b*", "aXb* is not [key]"],
    ["that is not set hides nothing", undefined, "no key", "no key"],
  ];
  it.each(rows)("%s", (_what, key, said, shown) => {
    expect(serverWords(JSON.stringify({ error: { message: said } }), key)).toBe(shown);
  });
});

describe("the words of a failure", () => {
  const rows: [what: string, body: unknown, words: string, text: string][] = [
    ["are the message", { error: { message: "no", code: 7, type: "t", param: "p" } }, "no", "7 t p no"],
    ["may be the error itself", { error: "no" }, "no", "no"],
    ["may stand beside the error's name", { object: "error", message: "no", code: "3230" }, "no", "3230 no"],
    ["may be a list's first", [{ error: { message: "no" } }], "no", "no"],
    [
      "are the provider's where a router passes them on",
      {
        error: {
          message: "Provider returned error",
          code: 400,
          metadata: { raw: '{"object":"error","message":"no","code":"3230"}', provider_name: "Mistral" },
        },
      },
      "no",
      "3230 no",
    ],
    [
      "are the provider's where a router passes on plain text",
      { error: { message: "Provider returned error", code: 502, metadata: { raw: "upstream gone" } } },
      "upstream gone",
      "502 upstream gone",
    ],
    [
      "name the place where FastAPI found a misfit",
      {
        detail: [
          { type: "extra_forbidden", loc: ["body", "messages", 2, "reasoning_content"], msg: "Extra inputs" },
        ],
      },
      "body.messages.2.reasoning_content: Extra inputs",
      "body.messages.2.reasoning_content: Extra inputs",
    ],
    [
      "name it where Mistral wraps that list",
      { object: "error", message: { detail: [{ loc: ["body", "x"], msg: "Extra inputs" }] }, type: "t" },
      "body.x: Extra inputs",
      "t body.x: Extra inputs",
    ],
    ["are all there is when there is no message", { ok: false }, '{"ok":false}', '{"ok":false}'],
  ];
  it.each(rows)("%s", (_what, body, words, text) => {
    expect(serverWords(JSON.stringify(body), undefined)).toBe(words);
    expect(serverText(JSON.stringify(body))).toBe(text);
  });
});
