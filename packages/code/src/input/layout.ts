import { rememberingCells } from "./cells.ts";
import { lineEndAfter, type Fold } from "./folds.ts";
import { graphemesOf } from "./graphemes.ts";

/** One thing the cursor crosses in one step: a grapheme, or a fold. */
export interface Atom {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
  readonly width: number;
  readonly look: "text" | "sign" | "fold";
}

export interface Row {
  readonly start: number;
  readonly end: number;
  readonly atoms: readonly Atom[];
  /** "wrapped": the same line goes on in the next row, so that row's first place is this row's end. */
  readonly ends: "line" | "wrapped";
}

export interface LaidText {
  readonly text: string;
  readonly cursor: number;
  readonly folds: readonly Fold[];
  readonly width: number;
}

export interface Place {
  readonly row: number;
  readonly column: number;
}

export interface Layout {
  readonly rows: readonly Row[];
  /** Where the insertion point is, counted from the first visible row. */
  readonly cursor: Place;
  readonly hiddenAbove: number;
  readonly hiddenBelow: number;
}

/**
 * The rows of a text around its cursor, at most `maxRows` of them.
 *
 * Right-to-left text is laid out in logical order, a cell for every grapheme, and the cursor's column counts the cells
 * before it in that order. A terminal without bidirectional display shows exactly this; one with it reorders both
 * the row and the cursor by the same rule. Marks that override the direction are drawn as signs, so no text can
 * reorder its neighbours.
 */
export function layout(laid: LaidText, maxRows: number): Layout {
  const rows = rowsOf(laid);
  const place = placeOf(rows, laid.cursor);
  const shown = Math.max(1, maxRows);
  const last = Math.max(0, rows.length - shown);
  const first = Math.min(last, Math.max(0, place.row - Math.floor(shown / 2)));
  const visible = rows.slice(first, first + shown);
  return {
    rows: visible,
    cursor: { row: place.row - first, column: place.column },
    hiddenAbove: first,
    hiddenBelow: rows.length - first - visible.length,
  };
}

/** Every row. One column of `width` stays free, for the cursor behind a full row and for a blank that hangs over. */
export function rowsOf({ text, folds, width }: Omit<LaidText, "cursor">): Row[] {
  const columns = Math.max(4, width - 1);
  const placing: Placing = { text, folds, columns, cellFor: rememberingCells() };
  const rows: Row[] = [];
  for (let start = 0; ;) {
    const end = lineEndAfter(text, folds, start);
    rows.push(...wrapLine(lineAtoms(placing, start, end), start, end, columns));
    if (end === text.length) return rows;
    start = end + 1;
  }
}

export function placeOf(rows: readonly Row[], cursor: number): Place {
  const found = rows.findIndex((row) => cursor < row.end || (cursor === row.end && row.ends === "line"));
  const index = found === -1 ? rows.length - 1 : found;
  const row = rows[index];
  const before = row?.atoms.filter((atom) => atom.end <= cursor) ?? [];
  return { row: index, column: before.reduce((sum, atom) => sum + atom.width, 0) };
}

/** The place in a row that is nearest to a column without going beyond it. */
export function indexAt(row: Row, column: number): number {
  let used = 0;
  for (const atom of row.atoms) {
    used += atom.width;
    if (used > column) return atom.start;
  }
  return rowEnd(row);
}

/** The last place that is still drawn in this row: the end of a wrapped row already belongs to the next one. */
export function rowEnd(row: Row): number {
  return row.ends === "line" ? row.end : (row.atoms.at(-1)?.start ?? row.end);
}

interface Placing {
  readonly text: string;
  readonly folds: readonly Fold[];
  readonly columns: number;
  readonly cellFor: ReturnType<typeof rememberingCells>;
}

/** An atom before its column is known; how wide a tab is depends on it. */
type Unplaced = (column: number) => Atom;

function* lineAtoms(placing: Placing, start: number, end: number): Generator<Unplaced> {
  const { folds, columns } = placing;
  let from = start;
  for (const fold of folds) {
    if (fold.start < start || fold.end > end) continue;
    yield* graphemeAtoms(placing, from, fold.start);
    const shown = fold.label.length > columns ? `${fold.label.slice(0, columns - 1)}…` : fold.label;
    yield () => ({ start: fold.start, end: fold.end, shown, width: shown.length, look: "fold" });
    from = fold.end;
  }
  yield* graphemeAtoms(placing, from, end);
}

function* graphemeAtoms({ text, columns, cellFor }: Placing, from: number, to: number): Generator<Unplaced> {
  for (const { segment, index } of graphemesOf(text.slice(from, to))) {
    const [start, end] = [from + index, from + index + segment.length];
    yield (column) => {
      const { shown, width, look } = cellFor(segment, column);
      // Only the name of a hidden character can be longer than the narrowest row.
      if (width > columns) return { start, end, shown: shown.slice(0, columns), width: columns, look };
      return { start, end, shown, width, look };
    };
  }
}

function wrapLine(unplaced: Iterable<Unplaced>, start: number, end: number, columns: number): Row[] {
  const rows: Row[] = [];
  let row: Atom[] = [];
  let used = 0;
  const finish = (length: number) => {
    const done = row.slice(0, length);
    rows.push({
      start: done[0]?.start ?? start,
      end: done.at(-1)?.end ?? end,
      atoms: done,
      ends: "wrapped",
    });
    row = row.slice(length);
    used = row.reduce((sum, atom) => sum + atom.width, 0);
  };
  for (const at of unplaced) {
    let atom = at(used);
    const hangs = atom.shown === " " && used === columns;
    if (used + atom.width > columns && !hangs && row.length > 0) {
      finish(isWide(atom) ? row.length : breakAt(row));
      atom = at(used);
      // What was kept back for the new row can fill it again.
      if (used + atom.width > columns && row.length > 0) {
        finish(row.length);
        atom = at(used);
      }
    }
    row.push(atom);
    used += atom.width;
    if (hangs) finish(row.length);
  }
  // A line that ends with its row full still has its last row, empty only when a blank hung over its edge.
  rows.push({ start: row[0]?.start ?? end, end, atoms: row, ends: "line" });
  return rows;
}

/** How many atoms of a full row stay in it: up to the last blank or wide character, or all of them. */
function breakAt(row: readonly Atom[]): number {
  const last = row.findLastIndex(
    (atom) => isWide(atom) || (atom.look === "text" && /^\s+$/.test(atom.shown)),
  );
  return last === -1 ? row.length : last + 1;
}

/** Chinese and Japanese have no blanks: a row may end beside any of their characters. */
function isWide(atom: Atom): boolean {
  return atom.look === "text" && atom.width === 2 && !/^\s+$/.test(atom.shown);
}
