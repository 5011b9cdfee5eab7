import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edit, newEditor, type EditorAction, type PlainAction } from "../../src/input/editor.ts";
import type { EditorState } from "../../src/input/editorState.ts";
import { layout } from "../../src/input/layout.ts";

const PLAIN: PlainAction[] = [
  "newline",
  "left",
  "right",
  "word-left",
  "word-right",
  "start-of-text",
  "end-of-text",
  "backspace",
  "delete",
  "delete-word-left",
  "delete-word-right",
  "kill-to-end",
  "kill-to-start",
  "yank",
  "yank-older",
  "undo",
  "redo",
  "unfold",
  "clear",
];

/** Pieces that join with their neighbours, and ones that do not. */
const piece = fc.constantFrom(
  ..."a b é 日 ー ぱ 👩 👧 👋 🏽 ❤ 🇩 🇪 🇫 ع ש ᄀ ᅡ ᆨ क ् ि".split(" "),
  ..."\u0301|\u200d|\ufe0f|\u20e3|\u0600|\t|\r\n|\r|\n|\u001b|\ud83d|\u202e| |x\ny".split("|"),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
const mark = fc.constantFrom("", "\u0301", "\u200d");
const long = fc
  .tuple(mark, text, mark)
  .map(([first, some, last]) => `${first}${some}${"z\n".repeat(20)}z${last}`);

const action: fc.Arbitrary<EditorAction> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PLAIN).map((name) => ({ do: name })) },
  { weight: 5, arbitrary: text.map((some) => ({ do: "insert" as const, text: some })) },
  { weight: 2, arbitrary: fc.oneof(text, long).map((some) => ({ do: "paste" as const, text: some })) },
  { weight: 1, arbitrary: fc.oneof(text, long).map((some) => ({ do: "set" as const, text: some })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom("up", "down", "home", "end"), fc.integer({ min: 1, max: 40 }))
      .map(([name, width]) => ({ do: name, width })),
  },
);

describe("any sequence of actions", () => {
  it("keeps the cursor between graphemes, outside folds and on a cell of the screen", () => {
    fc.assert(
      fc.property(text, fc.array(action, { maxLength: 60 }), (start, actions) => {
        let state = newEditor(start);
        for (const next of actions) {
          state = edit(state, next);
          expect(boundariesOf(state.text)).toContain(state.cursor);
          expect(
            state.folds.filter(({ start: from, end }) => from < state.cursor && state.cursor < end),
          ).toEqual([]);
          expect(state.text).not.toContain("\r");
          expectOnScreen(state);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is taken back by undo and done again by redo, byte for byte", () => {
    fc.assert(
      fc.property(text, fc.array(action, { maxLength: 60 }), (before, actions) => {
        const start = newEditor(before);
        const end = actions.reduce(edit, start);
        const undone = repeat(end, "undo");
        // Undo among the actions can leave less to undo, never another beginning.
        expect(undone.past).toEqual([]);
        expect(undone.text).toBe(start.text);
        const redone = repeat(undone, "redo");
        expect(repeat(redone, "undo").text).toBe(start.text);
        if (end.future.length === 0) expect(redone).toMatchObject({ text: end.text, past: end.past });
      }),
      { numRuns: 300 },
    );
  });
});

function boundariesOf(value: string): number[] {
  const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(value);
  return [...Array.from(segments, ({ index }) => index), value.length];
}

function expectOnScreen(state: EditorState): void {
  const { rows, cursor, hiddenAbove, hiddenBelow } = layout({ ...state, width: 12 }, 5);
  expect(rows.length).toBeLessThanOrEqual(5);
  expect(hiddenAbove).toBeGreaterThanOrEqual(0);
  expect(hiddenBelow).toBeGreaterThanOrEqual(0);
  expect(cursor.row).toBeLessThan(rows.length);
  expect(cursor.column).toBeLessThan(12);
  for (const row of rows) {
    expect(row.atoms.reduce((sum, atom) => sum + atom.width, 0)).toBeLessThanOrEqual(12);
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    expect(row.atoms.map((atom) => atom.shown).join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  }
}

function repeat(state: EditorState, what: "undo" | "redo"): EditorState {
  let now = state;
  for (let step = 0; step < 300; step++) now = edit(now, { do: what });
  return now;
}
