import { wrapLine, type Body, type Row } from "./layout.ts";

/** What stands still, and what scrolls below it. */
export interface Arranged {
  pinned: readonly Row[];
  rows: readonly Row[];
  /** So many of the rows, from the first on, say what would run. */
  mustSee: number;
  /** How many rows are shown at once. */
  page: number;
}

/** A row of what would run, and the line that says what is out of sight. */
const BELOW = 2;

/** Rows of what would run without which going through it takes a key for each. */
const WORTH_A_PAGE = 3;

/** With the least, who asks and why are on the screen and the rest can be gone through; with as much as is wanted, also where. */
export function roomFor(body: Body): { least: number; wanted: number; whole: number } {
  const { askedBy, because, folder } = body;
  const whole = body.notKept.length + allOf(body).length;
  const rowsWith = (...pinned: (readonly Row[])[]) => pinned.filter((rows) => rows.length > 0).length + BELOW;
  return {
    least: Math.min(whole, rowsWith(askedBy, because)),
    wanted: Math.min(whole, rowsWith(askedBy, because, folder) + WORTH_A_PAGE - 1),
    whole,
  };
}

const allOf = ({ input, askedBy, attempts, because, folder, next, noRule }: Body) => [
  ...input,
  ...askedBy,
  ...attempts,
  ...because,
  ...folder,
  ...next,
  ...noRule,
];

/**
 * Where all of it fits nothing scrolls. Else who asks, why and where stay above what scrolls, however long that is; with less room
 * than that, the first of them.
 */
export function arrange(body: Body, room: number, width: number): Arranged {
  const { notKept, input, askedBy, attempts, because, folder, next, noRule } = body;
  const mustSee = input.length;
  const all = allOf(body);
  if (notKept.length + all.length <= room) return { pinned: notKept, rows: all, mustSee, page: all.length };
  const parts = [notKept, askedBy, because, folder].filter((rows) => rows.length > 0);
  const pins = Math.min(parts.length, Math.max(0, room - BELOW));
  const share = shares(
    parts.slice(0, pins).map((rows) => rows.length),
    Math.max(pins, Math.floor((room - BELOW) / 2)),
  );
  const pinned = parts.slice(0, pins).flatMap((rows, index) => shortened(rows, share[index] ?? 1, width));
  // What is shortened above, or not there at all, is whole below: nothing is left out.
  const whole = parts.filter((rows, index) => rows.length > (share[index] ?? 0)).flat();
  const rows = [...input, ...attempts, ...whole, ...next, ...noRule];
  const left = room - pinned.length;
  return { pinned, rows, mustSee, page: rows.length <= left ? rows.length : Math.max(1, left - 1) };
}

/** One row for each, then one more in turn for whoever needs it, as long as there are any. */
function shares(wanted: readonly number[], room: number): number[] {
  const given = wanted.map(() => 1);
  let left = room - given.length;
  for (let before = -1; left > 0 && before !== left;) {
    before = left;
    for (const [index, wants] of wanted.entries()) {
      const has = given[index] ?? 1;
      if (left === 0 || has >= wants) continue;
      given[index] = has + 1;
      left -= 1;
    }
  }
  return given;
}

const SIGN = " …";

function shortened(rows: readonly Row[], share: number, width: number): Row[] {
  const kept = rows.slice(0, share);
  const last = kept.at(-1);
  if (!last || rows.length <= share) return kept;
  const [pieces = []] = wrapLine(last.pieces, width - last.gutter.length - SIGN.length);
  return [...kept.slice(0, -1), { ...last, pieces: [...pieces, { text: SIGN, hidden: false }] }];
}
