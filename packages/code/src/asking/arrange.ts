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

/** Who asks, why and where, a row of what would run, and the line that says what is out of sight. */
export const ROOM_TO_PIN = 5;

/** Where all of it fits nothing scrolls. Else who asks, why and where stay above what scrolls, however long that is. */
export function arrange(body: Body, room: number, width: number): Arranged {
  const { notKept, input, askedBy, attempts, because, folder, noRule } = body;
  const mustSee = input.length;
  const all = [...input, ...askedBy, ...attempts, ...because, ...folder, ...noRule];
  if (notKept.length + all.length <= room) return { pinned: notKept, rows: all, mustSee, page: all.length };
  const parts = [notKept, askedBy, because, folder].filter((rows) => rows.length > 0);
  // The line that says what is out of sight takes a row of its own.
  const below = 2;
  if (room - below < parts.length)
    return {
      pinned: [],
      rows: [...notKept, ...all],
      mustSee: notKept.length + mustSee,
      page: Math.max(1, room - 1),
    };
  const share = shares(
    parts.map((rows) => rows.length),
    Math.max(parts.length, Math.floor((room - below) / 2)),
  );
  const pinned = parts.flatMap((rows, index) => shortened(rows, share[index] ?? 1, width));
  // What is shortened above is whole below: nothing is left out.
  const whole = parts.filter((rows, index) => rows.length > (share[index] ?? 1)).flat();
  const rows = [...input, ...attempts, ...whole, ...noRule];
  const left = room - pinned.length;
  return { pinned, rows, mustSee, page: rows.length <= left ? rows.length : left - 1 };
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
