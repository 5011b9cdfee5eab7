/** The lines from `from` up to, and without, `to`, and what stands there instead. */
export interface Hunk {
  from: number;
  to: number;
  lines: readonly string[];
}

/** More differences than this are not told apart: what lies between the first and the last is one hunk. */
const MAX_DIFFERENCES = 2_000;

/** How `before` becomes `after`: as few lines as possible, in order, with a common line between any two hunks. */
export function lineHunks(before: readonly string[], after: readonly string[]): Hunk[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const old = before.slice(head, before.length - tail);
  const now = after.slice(head, after.length - tail);
  if (old.length === 0 && now.length === 0) return [];
  // Too different for a search: one hunk is coarse, and true.
  const common = commonLines(old, now) ?? [];
  return between(common, old, now).map((hunk) => ({ ...hunk, from: hunk.from + head, to: hunk.to + head }));
}

type Pair = readonly [before: number, after: number];

function between(common: readonly Pair[], before: readonly string[], after: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [from, start] = [0, 0];
  for (const [old, now] of [...common, [before.length, after.length] as const]) {
    if (old > from || now > start) hunks.push({ from, to: old, lines: after.slice(start, now) });
    [from, start] = [old + 1, now + 1];
  }
  return hunks;
}

/**
 * The greedy search of Myers: how far does one come on each diagonal with no difference, with one, with two, …? Every row
 * of the search is kept, and walked back from the end. Undefined when there are too many differences.
 */
function commonLines(before: readonly string[], after: readonly string[]): Pair[] | undefined {
  const rows: Row[] = [];
  for (let d = 0; d <= Math.min(before.length + after.length, MAX_DIFFERENCES); d++) {
    const row = new Row(d, rows.at(-1));
    rows.push(row);
    for (let diagonal = -d; diagonal <= d; diagonal += 2) {
      let x = row.startOn(diagonal);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      row.reach(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length)
        return walkBack(rows, before.length, after.length);
    }
  }
  return undefined;
}

/** How many lines of `before` are used up on each diagonal (lines of `before` less lines of `after`) after d differences. */
class Row {
  readonly #d: number;
  readonly #earlier: Row | undefined;
  readonly #reached: Int32Array;

  constructor(d: number, earlier: Row | undefined) {
    this.#d = d;
    this.#earlier = earlier;
    this.#reached = new Int32Array(2 * d + 1);
  }

  reach(diagonal: number, x: number): void {
    this.#reached[diagonal + this.#d] = x;
  }

  /** The last difference on the way to a diagonal was a new line, not one that is gone. */
  comesByInsertion(diagonal: number): boolean {
    return (
      diagonal === -this.#d ||
      (diagonal !== this.#d && this.#before(diagonal - 1) < this.#before(diagonal + 1))
    );
  }

  startOn(diagonal: number): number {
    if (this.#d === 0) return 0;
    return this.comesByInsertion(diagonal) ? this.#before(diagonal + 1) : this.#before(diagonal - 1) + 1;
  }

  #before(diagonal: number): number {
    const earlier = this.#earlier;
    return (earlier && earlier.#reached[diagonal + this.#d - 1]) ?? -1;
  }
}

function walkBack(rows: readonly Row[], before: number, after: number): Pair[] {
  const pairs: Pair[] = [];
  let [x, y] = [before, after];
  for (const [d, row] of [...rows.entries()].toReversed()) {
    const start = row.startOn(x - y);
    while (x > start) pairs.push([--x, --y]);
    if (d === 0) break;
    if (row.comesByInsertion(x - y)) y--;
    else x--;
  }
  return pairs.toReversed();
}
