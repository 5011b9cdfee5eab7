import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { NARROW } from "../../src/view/narrow.ts";

const signs = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter((sign) =>
  NARROW.test(sign),
);

describe("text that takes a column for each sign", () => {
  it("is narrow sign by sign, and next to each other", () => {
    expect(signs.length).toBeGreaterThan(95);
    expect(signs.filter((sign) => stringWidth(sign) !== 1)).toEqual([]);
    expect(stringWidth(signs.join(""))).toBe(signs.length);
  });

  it.each([
    ["an emoji", "✔️"],
    ["a sign that is drawn as an emoji", "✓\ufe0f"],
    ["a letter with an accent of its own", "e\u0301"],
    ["a wide letter", "字"],
    ["a tab", "\t"],
  ])("is not %s", (_what, text) => {
    expect(NARROW.test(text)).toBe(false);
  });
});
