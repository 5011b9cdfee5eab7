import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { fitText, lineWidth, span, textOf, widthOf } from "../../src/view/span.ts";
import { hardWrap, wrapSpans } from "../../src/view/wrap.ts";

const wrapped = (text: string, width: number) => wrapSpans([span(text)], width).map(textOf);

describe("text is broken", () => {
  const rows: [string, string, number, string[]][] = [
    ["not at all when it fits", "a  b", 10, ["a  b"]],
    ["at blanks", "one two three", 8, ["one two", "three"]],
    ["where it has line breaks", "a\n\nb", 8, ["a", "", "b"]],
    ["in the middle of a word that fits nowhere", "abcdefghij", 4, ["abcd", "efgh", "ij"]],
    [
      "in a long word from where it begins",
      "see http://example.com/long",
      16,
      ["see http://examp", "le.com/long"],
    ],
    ["behind its indentation", "    one two three", 11, ["    one two", "three"]],
    ["between wide characters", "日本語日本語", 5, ["日本", "語日", "本語"]],
    ["never inside an emoji", "👩‍👩‍👧👩‍👩‍👧", 3, ["👩‍👩‍👧", "👩‍👩‍👧"]],
  ];
  it.each(rows)("%s", (_what, text, width, expected) => {
    expect(wrapped(text, width)).toEqual(expected);
  });

  it("at blanks, also when a word changes its look", () => {
    const lines = wrapSpans([span("aa bb"), span("bb", { bold: true }), span(" cc")], 5);
    expect(lines.map(textOf)).toEqual(["aa", "bbbb", "cc"]);
  });

  const text = fc
    .array(fc.constantFrom("a", "bcd", " ", "  ", "日本", "é", "👍🏽", "\n", "-", "xxxxxxxxxxxxxxxx"))
    .map((parts) => parts.join(""));

  it("so that no row is too wide and only blanks are lost", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (source, width) => {
        const lines = wrapSpans([span(source)], width);
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.map(textOf).join("").replaceAll(" ", "")).toBe(source.replaceAll(/[ \n]/g, ""));
      }),
      { numRuns: 500 },
    );
  });

  it("at the edge, with nothing lost at all, when it is code", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (source, width) => {
        const lines = hardWrap([span(source)], width);
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.map(textOf).join("")).toBe(source.replaceAll("\n", ""));
      }),
      { numRuns: 500 },
    );
  });
});

it.each([
  ["short", 10, "short"],
  ["too long", 5, "too …"],
  ["日本語", 4, "日…"],
  ["anything", 0, ""],
])("%j fits into %i columns as %j", (text, width, expected) => {
  expect(fitText(text, width)).toBe(expected);
});

it("every sign of the first planes is as wide as string-width says, also those that are not asked for", () => {
  const signs = Array.from({ length: 0x26_00 - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index));
  expect(signs.filter((sign) => widthOf(sign) !== stringWidth(sign))).toEqual([]);
});
