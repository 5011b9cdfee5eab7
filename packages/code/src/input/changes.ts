import type { Change, EditorState, LastAction } from "./editorState.ts";
import {
  alignFolds,
  foldAround,
  isTooLongToShow,
  makeFold,
  moveFolds,
  withPictures,
  type Origin,
} from "./folds.ts";
import { boundaryAfter } from "./graphemes.ts";

const STEPS_KEPT = 200;

/** Replaces a stretch of the text. Cursor and folds are put where they may be in the new text. */
export function change(
  state: EditorState,
  start: number,
  end: number,
  inserted: string,
  origin: Origin,
): Change {
  const text = state.text.slice(0, start) + inserted + state.text.slice(end);
  const pasted = state.folds.filter(({ picture }) => !picture);
  const moved = moveFolds(pasted, start, end - start, inserted.length);
  if (isTooLongToShow(inserted, origin)) moved.push(makeFold(text, start, start + inserted.length));
  const aligned = alignFolds(text, moved);
  const boundary = boundaryAfter(text, start + inserted.length);
  const cursor = foldAround(aligned, boundary)?.end ?? boundary;
  const folds = withPictures(text, aligned, cursor);
  return {
    at: start,
    removed: state.text.slice(start, end),
    inserted,
    before: { cursor: state.cursor, folds: state.folds },
    after: { cursor, folds },
  };
}

export function remember(step: Change, state: EditorState, last: LastAction): EditorState {
  const previous = state.past.at(-1);
  const joined = last.did === "type" && state.last.did === "type" ? join(previous, step) : undefined;
  const past = joined ? [...state.past.slice(0, -1), joined] : [...state.past, step];
  return { ...carryOut(state, step), past: past.slice(-STEPS_KEPT), future: [], last };
}

export function undo(state: EditorState): EditorState {
  const step = state.past.at(-1);
  if (step === undefined) return state;
  const back: Change = {
    ...step,
    removed: step.inserted,
    inserted: step.removed,
    before: step.after,
    after: step.before,
  };
  return { ...carryOut(state, back), past: state.past.slice(0, -1), future: [...state.future, step] };
}

export function redo(state: EditorState): EditorState {
  const step = state.future.at(-1);
  if (step === undefined) return state;
  return { ...carryOut(state, step), past: [...state.past, step], future: state.future.slice(0, -1) };
}

function carryOut(state: EditorState, { at, removed, inserted, after }: Change): EditorState {
  return {
    ...state,
    text: state.text.slice(0, at) + inserted + state.text.slice(at + removed.length),
    cursor: after.cursor,
    folds: after.folds,
    goalColumn: undefined,
    last: { did: "other" },
  };
}

/** Letters typed one after the other are one step, up to the beginning of the next word. */
function join(previous: Change | undefined, step: Change): Change | undefined {
  if (previous === undefined || previous.removed !== "" || step.removed !== "") return undefined;
  if (previous.at + previous.inserted.length !== step.at) return undefined;
  if (/\s$/.test(previous.inserted) && /^\S/.test(step.inserted)) return undefined;
  return { ...previous, inserted: previous.inserted + step.inserted, after: step.after };
}
