import { describe, expect, it } from "vitest";
import { cutAround } from "../src/commands/sessions/search.ts";

describe("a line that wave sessions search found", () => {
  const far = `you: ${"alpha ".repeat(20)}NEEDLE99${" omega".repeat(20)}`;
  const rows: [what: string, line: string, width: number, shown: string][] = [
    ["that fits is shown whole", "you: the needle99 is here", 25, "you: the needle99 is here"],
    ["is cut on both sides of the match", far, 32, "you: …a alpha NEEDLE99 omega om…"],
    ["is cut behind a match at its start", "you: NEEDLE99 and more than fits", 18, "you: NEEDLE99 and…"],
    [
      "is cut before a match at its end",
      "model: more than fits and needle99",
      24,
      "model: …its and needle99",
    ],
    ["has the match also where nothing else fits", far, 15, "you: …NEEDLE99…"],
    [
      "counts characters, not halves of them",
      `you: ${"😀".repeat(30)}needle99`,
      20,
      "you: …😀😀😀😀😀😀needle99",
    ],
  ];
  it.each(rows)("%s", (_what, line, width, shown) => {
    expect(cutAround(" needle99 ")(line, width)).toBe(shown);
    expect(Array.from(shown).length).toBeLessThanOrEqual(width);
  });
});
