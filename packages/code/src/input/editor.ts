import { change, redo, remember, undo } from "./changes.ts";
import type { EditorState } from "./editorState.ts";
import { foldEndingAt, foldStartingAt, foldToOpen, lineEndAfter, lineStartBefore } from "./folds.ts";
import { nextGrapheme, previousGrapheme, wordEnd, wordStart } from "./graphemes.ts";
import { indexAt, placeOf, rowEnd, rowsOf } from "./layout.ts";

export type PlainAction =
  | "newline"
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "start-of-text"
  | "end-of-text"
  | "backspace"
  | "delete"
  | "delete-word-left"
  | "delete-word-right"
  | "kill-to-end"
  | "kill-to-start"
  | "kill-all"
  | "yank"
  | "yank-older"
  | "undo"
  | "redo"
  | "unfold"
  | "clear";

/** Rows depend on the width of the screen. */
export type RowAction = "up" | "down" | "home" | "end";

export type EditorAction =
  | { do: "insert" | "paste" | "set"; text: string }
  | { do: "replace"; start: number; end: number; text: string }
  | { do: RowAction; width: number }
  | { do: PlainAction };

const KILLS_KEPT = 20;

export function newEditor(text = ""): EditorState {
  const empty: EditorState = {
    text: "",
    cursor: 0,
    folds: [],
    goalColumn: undefined,
    past: [],
    future: [],
    killed: [],
    last: { did: "other" },
  };
  if (text === "") return empty;
  // What was there at the start is not something the person did, so there is nothing to undo.
  return { ...edit(empty, { do: "set", text }), past: [] };
}

/** The state after an action; the same object when the action changes nothing at all. */
export function edit(state: EditorState, action: EditorAction): EditorState {
  switch (action.do) {
    case "insert":
      if (action.text === "") return state;
      return remember(change(state, state.cursor, state.cursor, lineBreaks(action.text), "pasted"), state, {
        did: "type",
      });
    case "newline":
      return replace(state, state.cursor, state.cursor, "\n");
    case "paste":
      return replace(state, state.cursor, state.cursor, action.text);
    case "set":
      return action.text === state.text ? move(state, state.text.length) : setText(state, action.text);
    case "replace":
      return replace(state, action.start, action.end, action.text);
    case "clear":
      return state.text === "" ? state : setText(state, "");
    case "left":
      return move(state, leftOf(state));
    case "right":
      return move(state, rightOf(state));
    case "word-left":
      return move(state, wordLeftOf(state));
    case "word-right":
      return move(state, wordRightOf(state));
    case "start-of-text":
      return move(state, 0);
    case "end-of-text":
      return move(state, state.text.length);
    case "up":
    case "down":
      return moveRow(state, action.do === "up" ? -1 : 1, action.width);
    case "home":
    case "end":
      return moveInRow(state, action.do, action.width);
    case "backspace":
      return replace(state, leftOf(state), state.cursor, "");
    case "delete":
      return replace(state, state.cursor, rightOf(state), "");
    case "delete-word-left":
      return kill(state, wordLeftOf(state), state.cursor);
    case "delete-word-right":
      return kill(state, state.cursor, wordRightOf(state));
    case "kill-to-end":
      return kill(state, state.cursor, endToKill(state));
    case "kill-to-start":
      return kill(state, startToKill(state), state.cursor);
    case "kill-all":
      // By itself, and not joined to a cut before it: it comes back as it stood there.
      return kill({ ...state, last: { did: "other" } }, 0, state.text.length);
    case "yank":
      return yank(state, 0);
    case "yank-older":
      // Taken back and not overwritten: what was put in may have grown together with the letter behind it.
      return state.last.did === "yank" ? yank(undo(state), state.last.nth + 1) : state;
    case "undo":
      return undo(state);
    case "redo":
      return redo(state);
    case "unfold":
      return unfold(state);
  }
}

/** Whether there is a row above or below the cursor to go to. */
export function hasRow(state: EditorState, where: "above" | "below", width: number): boolean {
  const rows = rowsOf({ ...state, width });
  const { row } = placeOf(rows, state.cursor);
  return where === "above" ? row > 0 : row < rows.length - 1;
}

function replace(state: EditorState, start: number, end: number, text: string): EditorState {
  if (start === end && text === "") return state;
  return remember(change(state, start, end, lineBreaks(text), "pasted"), state, { did: "other" });
}

function setText(state: EditorState, text: string): EditorState {
  return remember(change(state, 0, state.text.length, lineBreaks(text), "restored"), state, { did: "other" });
}

/** Text in the editor has "\n" between its lines and no other line break. Everything else is kept as it came. */
function lineBreaks(text: string): string {
  return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
}

function move(state: EditorState, to: number): EditorState {
  return { ...state, cursor: to, goalColumn: undefined, last: { did: "other" } };
}

function leftOf({ text, cursor, folds }: EditorState): number {
  return foldEndingAt(folds, cursor)?.start ?? previousGrapheme(text, cursor);
}

function rightOf({ text, cursor, folds }: EditorState): number {
  return foldStartingAt(folds, cursor)?.end ?? nextGrapheme(text, cursor);
}

function wordLeftOf({ text, cursor, folds }: EditorState): number {
  const before = folds.findLast((fold) => fold.end <= cursor);
  return before?.end === cursor ? before.start : wordStart(text, cursor, before?.end ?? 0);
}

function wordRightOf({ text, cursor, folds }: EditorState): number {
  const after = folds.find((fold) => fold.start >= cursor);
  return after?.start === cursor ? after.end : wordEnd(text, cursor, after?.start ?? text.length);
}

function moveRow(state: EditorState, by: -1 | 1, width: number): EditorState {
  const rows = rowsOf({ ...state, width });
  const place = placeOf(rows, state.cursor);
  const row = rows[place.row + by];
  if (row === undefined) return state;
  const goalColumn = state.goalColumn ?? place.column;
  return { ...move(state, indexAt(row, goalColumn)), goalColumn };
}

function moveInRow(state: EditorState, to: "home" | "end", width: number): EditorState {
  const rows = rowsOf({ ...state, width });
  const row = rows[placeOf(rows, state.cursor).row];
  if (row === undefined) return state;
  return move(state, to === "home" ? row.start : rowEnd(row));
}

/** To the end of the line; from there, the line break itself. */
function endToKill({ text, folds, cursor }: EditorState): number {
  const end = lineEndAfter(text, folds, cursor);
  return end === cursor ? Math.min(text.length, end + 1) : end;
}

function startToKill({ text, folds, cursor }: EditorState): number {
  const start = lineStartBefore(text, folds, cursor);
  return start === cursor ? Math.max(0, start - 1) : start;
}

function kill(state: EditorState, start: number, end: number): EditorState {
  if (start === end) return state;
  const cut = state.text.slice(start, end);
  const [newest = "", ...older] = state.killed;
  // Cuts one after the other come back together, in the order they had in the text.
  const killed =
    state.last.did === "kill"
      ? [start < state.cursor ? cut + newest : newest + cut, ...older]
      : [cut, ...state.killed];
  const next = remember(change(state, start, end, "", "pasted"), state, { did: "kill" });
  return { ...next, killed: killed.slice(0, KILLS_KEPT) };
}

function yank(state: EditorState, nth: number): EditorState {
  const text = state.killed[nth % Math.max(1, state.killed.length)];
  if (text === undefined) return state;
  return { ...replace(state, state.cursor, state.cursor, text), last: { did: "yank", nth } };
}

function unfold(state: EditorState): EditorState {
  const open = foldToOpen(state.folds, state.cursor);
  if (open === undefined) return state;
  return { ...state, folds: state.folds.filter((fold) => fold !== open), last: { did: "other" } };
}
