import { describe, expect, it } from "vitest";
import { cut, cutStart, hanging, pad, say, spread, wrapLine } from "../../src/panels/lines.ts";
import { lineWidth, textOf } from "../../src/view/span.ts";

describe("text in a panel", () => {
  it("cannot control the terminal: what would is shown (G46)", () => {
    expect(say("plain", "a\u001b[2Jb\nc\t\u202e").text).toBe("a\\x1b[2Jb\\nc\\t\\u202e");
  });

  it.each([
    ["abcdef", 6, "abcdef", "abcdef"],
    ["abcdef", 4, "abc…", "…def"],
    ["漢字漢字", 5, "漢字…", "…漢字"],
    ["漢字漢字", 4, "漢…", "…字"],
    ["👩‍👩‍👧 family", 4, "👩‍👩‍👧 …", "…ily"],
    ["abc", 1, "…", "…"],
    ["abc", 0, "", ""],
  ])("%j cut to %i columns", (text, width, start, end) => {
    expect([cut(text, width), cutStart(text, width)]).toEqual([start, end]);
  });

  it("is padded by columns, not by characters", () => {
    expect([pad("漢", 4), pad("ab", 4), pad("abcdef", 4)]).toEqual(["漢  ", "ab  ", "abcdef"]);
  });

  it.each([
    ["left", "right", 20, "left           right"],
    ["left", "right", 10, "left right"],
    ["left", "right", 9, "le… right"],
    ["left", "right", 6, "right"],
    ["left", "right", 4, "rig…"],
    ["left", "", 3, "le…"],
  ])("%j and %j spread over %i columns", (left, right, width, expected) => {
    const line = spread([say("plain", left)], right === "" ? [] : [say("dim", right)], width);
    expect(textOf(line)).toBe(expected);
  });

  it("hangs under its first word when it is broken", () => {
    const lines = wrapLine([say("plain", "  one two three four")], 12);
    expect(lines.map(textOf)).toEqual(["  one two", "  three four"]);
    expect(lines.every((line) => lineWidth(line) <= 12)).toBe(true);
  });

  it("hangs behind its label", () => {
    const lines = hanging(say("dim", "label "), [say("plain", "one two three")], 13);
    expect(lines.map(textOf)).toEqual(["label one two", "      three"]);
  });
});
