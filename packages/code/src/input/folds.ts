import { boundaryAfter, boundaryBefore } from "./graphemes.ts";
import { pictureLabel, pictureMentions } from "./pictures.ts";

/** A stretch of the text that the screen shows as one label and the cursor crosses in one step. */
export interface Fold {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  /** It stands for a picture that the text names. */
  readonly picture?: true;
}

/** Pasted text is folded beyond this; less is easier to read than a label. */
const SHOWN_LINES = 10;
const SHOWN_CHARACTERS = 1_000;
/** A text that comes back (history, a blocked prompt, a draft) was typed by hand more often than not. */
const RESTORED_LINES = 100;
const RESTORED_CHARACTERS = 10_000;
/** More than this, laid out anew at every key, would be felt. */
const OPEN_CHARACTERS = 20_000;

export type Origin = "pasted" | "restored";

export function isTooLongToShow(text: string, origin: Origin): boolean {
  const [lines, characters] =
    origin === "pasted" ? [SHOWN_LINES, SHOWN_CHARACTERS] : [RESTORED_LINES, RESTORED_CHARACTERS];
  return text.length > characters || countLines(text) > lines;
}

export function makeFold(text: string, start: number, end: number): Fold {
  return { start, end, label: labelFor(text.slice(start, end)) };
}

/** How the folds lie after `removed` characters at `at` were replaced by `inserted` ones. */
export function moveFolds(folds: readonly Fold[], at: number, removed: number, inserted: number): Fold[] {
  return folds.flatMap((fold) => {
    if (fold.end <= at) return [fold];
    if (fold.start >= at + removed) {
      const by = inserted - removed;
      return [{ ...fold, start: fold.start + by, end: fold.end + by }];
    }
    return [];
  });
}

/**
 * Folds that begin and end on grapheme boundaries. An accent typed right behind a fold belongs to the last letter in
 * it; without this the cursor could stand between the two.
 */
export function alignFolds(text: string, folds: readonly Fold[]): Fold[] {
  const aligned: Fold[] = [];
  for (const fold of folds.toSorted((a, b) => a.start - b.start)) {
    const start = boundaryBefore(text, fold.start);
    const end = boundaryAfter(text, fold.end);
    const previous = aligned.at(-1);
    if (previous !== undefined && start < previous.end) {
      aligned.pop();
      aligned.push(makeFold(text, previous.start, Math.max(end, previous.end)));
    } else {
      aligned.push(start === fold.start && end === fold.end ? fold : makeFold(text, start, end));
    }
  }
  return aligned;
}

/** The folds of pictures beside the others, except the one that the cursor stands in or right behind: it is still typed. */
export function withPictures(text: string, folds: readonly Fold[], cursor: number): Fold[] {
  const pictures = pictureMentions(text).map(({ start, end, path }, index): Fold => ({
    start,
    end,
    label: pictureLabel(index + 1, path),
    picture: true,
  }));
  const isFree = ({ start, end }: Fold) =>
    !(start < cursor && cursor <= end) && folds.every((fold) => fold.end <= start || fold.start >= end);
  return [...folds, ...pictures.filter(isFree)].toSorted((a, b) => a.start - b.start);
}

export const foldEndingAt = (folds: readonly Fold[], index: number) =>
  folds.find((fold) => fold.end === index);
export const foldStartingAt = (folds: readonly Fold[], index: number) =>
  folds.find((fold) => fold.start === index);
export const foldAround = (folds: readonly Fold[], index: number) =>
  folds.find((fold) => fold.start < index && index < fold.end);

/** The fold beside the cursor that is short enough to be opened for editing. */
export function foldToOpen(folds: readonly Fold[], cursor: number): Fold | undefined {
  const beside = foldEndingAt(folds, cursor) ?? foldStartingAt(folds, cursor);
  return beside !== undefined && beside.end - beside.start <= OPEN_CHARACTERS ? beside : undefined;
}

/** The next line break that no fold hides, or the end of the text. */
export function lineEndAfter(text: string, folds: readonly Fold[], index: number): number {
  let from = index;
  for (;;) {
    const found = text.indexOf("\n", from);
    if (found === -1) return text.length;
    const fold = folds.find(({ start, end }) => start <= found && found < end);
    if (fold === undefined) return found;
    from = fold.end;
  }
}

/** The beginning of the line, past the last line break before `index` that no fold hides. */
export function lineStartBefore(text: string, folds: readonly Fold[], index: number): number {
  let from = index;
  while (from > 0) {
    const found = text.lastIndexOf("\n", from - 1);
    if (found === -1) return 0;
    const fold = folds.find(({ start, end }) => start <= found && found < end);
    if (fold === undefined) return found + 1;
    from = fold.start;
  }
  return 0;
}

function labelFor(text: string): string {
  const lines = countLines(text);
  const size = lines > 1 ? `${amount(lines)} lines` : `${amount(text.length)} characters`;
  return `[pasted text, ${size}]`;
}

const amount = (value: number) => value.toLocaleString("en-US");

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  // A line break at the very end closes the last line; it opens no further one.
  return lines > 1 && text.endsWith("\n") ? lines - 1 : lines;
}
