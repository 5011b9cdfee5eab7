import { describe, expect, it } from "vitest";
import { after, editorAt } from "./marked.ts";
import { indexAt, layout, rowsOf, type Row } from "../../src/input/layout.ts";

const shown = (row: Row) => row.atoms.map((atom) => atom.shown).join("");

/** What it is, the text with its cursor, the width, the rows, and where the cursor is. One column stays free. */
const rows: [string, string, number, string[], [number, number]][] = [
  ["an empty text", "|", 10, [""], [0, 0]],
  ["plain letters", "ab|c", 10, ["abc"], [0, 2]],
  ["lines", "ab\n\nc|", 10, ["ab", "", "c"], [2, 1]],
  ["a line break at the end", "ab\n|", 10, ["ab", ""], [1, 0]],
  ["words that do not fit", "one two three|", 9, ["one two ", "three"], [1, 5]],
  ["a blank that hangs over the edge", "four five|", 5, ["four ", "five"], [1, 4]],
  ["the place behind a blank that hangs", "four |", 5, ["four ", ""], [1, 0]],
  ["a word longer than the row", "abcdefghij|", 6, ["abcde", "fghij"], [1, 5]],
  ["the beginning of a wrapped row", "one two |three", 9, ["one two ", "three"], [1, 0]],
  ["Chinese", "你好|世界", 20, ["你好世界"], [0, 4]],
  ["Chinese that does not fit", "你好世界|", 6, ["你好", "世界"], [1, 4]],
  ["Chinese after a word", "abc 你好世界|", 10, ["abc 你好", "世界"], [1, 4]],
  ["Korean syllables of three letters", "\u1112\u1161\u11ab|x", 20, ["\u1112\u1161\u11abx"], [0, 2]],
  ["half-width Katakana with its mark", "ﾊﾟ|x", 20, ["ﾊﾟx"], [0, 2]],
  ["an emoji", "👋|x", 20, ["👋x"], [0, 2]],
  ["an emoji with a skin colour", "👋🏽|x", 20, ["👋🏽x"], [0, 2]],
  ["a family of joined emoji", "👩‍👩‍👧|x", 20, ["👩‍👩‍👧x"], [0, 2]],
  ["joined emoji at the edge stay whole", "abcd👩‍👩‍👧|", 6, ["abcd", "👩‍👩‍👧"], [1, 2]],
  ["a flag", "🇩🇪|x", 20, ["🇩🇪x"], [0, 2]],
  ["a heart that asks to be an emoji", "❤️|x", 20, ["❤️x"], [0, 2]],
  ["a letter with a combining mark", "e\u0301|x", 20, ["e\u0301x"], [0, 1]],
  ["a letter with many marks", "a\u0300\u0301\u0302\u0303|x", 20, ["a\u0300\u0301\u0302\u0303x"], [0, 1]],
  ["a mark without a letter", "\u0301|x", 20, ["\u25cc\u0301x"], [0, 1]],
  ["a tab at the start", "\t|x", 20, ["    x"], [0, 4]],
  ["a tab after a letter", "a\t|x", 20, ["a   x"], [0, 4]],
  ["a tab after a wide character", "你\t|x", 20, ["你  x"], [0, 4]],
  ["Arabic, in logical order", "مرحبا|x", 20, ["مرحباx"], [0, 5]],
  ["Hebrew with a vowel mark", "שָ|לום", 20, ["שָלום"], [0, 1]],
  ["Persian with a joiner inside a word", "می\u200cخ|", 20, ["می\u200cخ"], [0, 3]],
  ["Devanagari", "क्षि|x", 20, ["क्षिx"], [0, 2]],
  ["an override of the direction", "a\u202eb|", 20, ["a\\u202eb"], [0, 8]],
  ["an escape character", "\u001b[31m|", 20, ["\\x1b[31m"], [0, 8]],
  ["a lone joiner", "\u200d|", 20, ["\\u{200d}"], [0, 8]],
  ["half a surrogate pair", "\ud83d|", 20, ["\\ud83d"], [0, 6]],
];

describe("rows and cursor", () => {
  it.each(rows)("of %s", (_what, text, width, expected, [row, column]) => {
    const laid = layout({ ...editorAt(text), width }, 50);
    expect(laid.rows.map(shown)).toEqual(expected);
    expect(laid.cursor).toEqual({ row, column });
  });

  it("have a label in place of a large paste", () => {
    const state = after("see |", { do: "paste", text: "x\n".repeat(50) }, { do: "insert", text: "!" });
    const laid = layout({ ...state, width: 40 }, 10);
    expect(laid.rows.map(shown)).toEqual(["see [pasted text, 50 lines]!"]);
    expect(laid.cursor).toEqual({ row: 0, column: 28 });
    expect(layout({ ...state, width: 12 }, 10).rows.map(shown)).toEqual(["see ", "[pasted te…", "!"]);
  });

  it("answer which place is nearest to a column", () => {
    const [first, second] = rowsOf({ text: "a你b\nxy", folds: [], width: 20 });
    expect(first && [0, 1, 2, 3, 4, 9].map((column) => indexAt(first, column))).toEqual([0, 1, 1, 2, 3, 3]);
    expect(second && indexAt(second, 9)).toBe(6);
  });
});

describe("a long text", () => {
  const text = Array.from({ length: 30 }, (_, index) => `row ${index}`).join("\n");
  const window = (cursor: number) => {
    const laid = layout({ text, cursor, folds: [], width: 20 }, 5);
    return {
      rows: laid.rows.map(shown),
      cursor: laid.cursor.row,
      hidden: [laid.hiddenAbove, laid.hiddenBelow],
    };
  };

  it("shows a window around the cursor and says how much is hidden", () => {
    expect(window(0)).toEqual({
      rows: ["row 0", "row 1", "row 2", "row 3", "row 4"],
      cursor: 0,
      hidden: [0, 25],
    });
    expect(window(text.indexOf("row 15"))).toEqual({
      rows: ["row 13", "row 14", "row 15", "row 16", "row 17"],
      cursor: 2,
      hidden: [13, 12],
    });
    expect(window(text.length)).toEqual({
      rows: ["row 25", "row 26", "row 27", "row 28", "row 29"],
      cursor: 4,
      hidden: [25, 0],
    });
  });
});
