import { describe, expect, it } from "vitest";
import { say } from "../../src/panels/lines.ts";
import { scrolled } from "../../src/panels/scroll.ts";
import { textOf } from "../../src/view/span.ts";

const lines = Array.from({ length: 9 }, (_, number) => [say("plain", `line ${number + 1}`)]);
const foot = (from: number, height = 4) => textOf(scrolled(lines, from, height).at(-1) ?? []);

describe("the line under a text that is longer than its room", () => {
  it.each([
    [0, "lines 1 to 3 of 9, ↓ for more"],
    [2, "lines 3 to 5 of 9, ↑↓ for more"],
    [6, "lines 7 to 9 of 9, the end"],
    [99, "lines 7 to 9 of 9, the end"],
  ])("says from line %i on where there is more, and where there is not", (from, words) => {
    expect(foot(from)).toBe(words);
  });

  it("is not there when everything is shown", () => {
    expect(foot(0, 9)).toBe("line 9");
  });
});
