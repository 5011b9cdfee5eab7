import { describe, expect, it } from "vitest";
import { serverWords } from "@/services/model/serverWords.ts";

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
