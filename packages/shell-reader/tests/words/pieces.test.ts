import { describe, expect, it } from "vitest";
import { canMeet, fits } from "../../src/words/pieces.ts";

describe("text with gaps", () => {
  const rows: [pattern: string, text: string, fits: boolean][] = [
    ["ab", "ab", true],
    ["ab", "abc", false],
    ["*", "", true],
    ["a*", "a", true],
    ["*b", "ab", true],
    ["a*b", "ab", true],
    ["ab*ba", "aba", false],
    ["ab*ba", "abba", true],
    ["a*b*b", "ab", false],
    ["a*b*b", "abb", true],
    ["a*b*c", "acbbc", true],
    ["a*b*c", "acb", false],
    ["a**b", "ab", true],
    ["a*b", "a\nb", true],
    ["a.c*", "abcd", false],
  ];
  it.each(rows)("%j fits %j: %s (G13)", (pattern, text, expected) => {
    expect(fits(pattern.split("*"), text)).toBe(expected);
    expect(canMeet([text], pattern.split("*"))).toBe(expected);
  });

  const pairs: [one: string, other: string, meet: boolean][] = [
    ["a*", "*b", true],
    ["a*", "b*", false],
    ["ab*", "a*", true],
    ["*ab", "*b", true],
    ["*ab", "*a", false],
    ["a*x*b", "a*y*b", true],
    ["a*b", "ab*ab", true],
    ["*", "*", true],
  ];
  it.each(pairs)("%j can meet %j: %s (G13)", (one, other, expected) => {
    expect(canMeet(one.split("*"), other.split("*"))).toBe(expected);
    expect(canMeet(other.split("*"), one.split("*"))).toBe(expected);
  });

  it("is compared at once, whatever the pattern (G13)", () => {
    expect(fits(`${"a*".repeat(500)}b`.split("*"), "a".repeat(100_000))).toBe(false);
  });
});
