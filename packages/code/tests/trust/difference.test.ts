import { describe, expect, it } from "vitest";
import { differenceLines } from "../../src/trust/difference.ts";
import { textOf } from "../../src/view/span.ts";

const numbered = (count: number, changes: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, index) => changes[index + 1] ?? `line ${index + 1}`).join("\n");

const shown = (before: string, after: string) =>
  differenceLines(before, after).map((line) => textOf(line).trim());

describe("the difference in a review", () => {
  it.each<[what: string, before: string, after: string, lines: string[]]>([
    [
      "in the middle",
      numbered(20),
      numbered(20, { 10: "new" }),
      "… 6 equal lines|line 7|line 8|line 9|- line 10|+ new|line 11|line 12|line 13|… 7 equal lines".split(
        "|",
      ),
    ],
    [
      "in two places",
      numbered(20),
      numbered(20, { 1: "first", 12: "new" }),
      [
        "- line 1|+ first|line 2|line 3|line 4|… 4 equal lines",
        "line 9|line 10|line 11|- line 12|+ new|line 13|line 14|line 15|… 5 equal lines",
      ].flatMap((part) => part.split("|")),
    ],
    [
      "at the end, where one line is left out",
      numbered(5),
      `${numbered(5)}\nnew`,
      ["… 2 equal lines", "line 3", "line 4", "line 5", "+ new"],
    ],
    ["a line that is gone", "a\nb\nc\nd\ne\n", "a\nb\nc\nd\n", ["… 1 equal line", "b", "c", "d", "- e"]],
    ["a file that is new", "", "a\nb\n", ["+ a", "+ b"]],
    ["a file that is gone", "a\nb\n", "", ["- a", "- b"]],
    ["nothing but line breaks", "a\nb\n", "a\r\nb\r\n", ["only line breaks or rights to run it changed"]],
    ["what nobody would see", "a\n", "a\u3164b\u200bc\n", ["- a", "+ a\\u3164b\\u200bc"]],
    ["what would control a terminal", "a\n", "\u001b[2Jb\n", ["- a", "+ \\x1b[2Jb"]],
  ])("says where equal lines are left out, and how many: %s (T40, G24)", (_what, before, after, lines) => {
    expect(shown(before, after)).toEqual(lines);
  });
});
