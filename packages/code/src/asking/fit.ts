import { roomFor } from "./arrange.ts";
import type { Dialog } from "./dialog.ts";
import type { Body } from "./layout.ts";
import { readKey, type Typed } from "./typed.ts";

/** Below this many rows a question has the screen to itself: what it is about stands in it. */
const TIGHT_BELOW = 16;
/** What a question takes at most of a tight screen: the next larger one gives it no less. */
const TIGHT_MOST = TIGHT_BELOW - 4;

/** What a question may take of the screen, and whether the conversation, the draft and the status line are drawn around it. */
export function roomOn(terminalRows: number): { rows: number; around: "shown" | "left-out" } {
  if (terminalRows >= TIGHT_BELOW) return { rows: terminalRows - 4, around: "shown" };
  // Ink ends a frame with a line break: a frame as high as the screen would move it.
  return { rows: Math.min(terminalRows - 1, TIGHT_MOST), around: "left-out" };
}

/** How a question is drawn: its choices one below the other or side by side, and so many rows for its body. */
export type Fit =
  | { as: "listed" | "packed"; help: "shown" | "left-out"; room: number }
  /** Keys, who asks and why cannot all be seen: then nobody can decide. */
  | { as: "too-small" };

/** A short command, why it is asked about, and where: then the conversation that led to it should stay on the screen. */
const SHORT_BODY = 3;
/** What such a question takes at most. */
const SHORT_ROWS = 10;

/**
 * The first that leaves the body as much as is wanted: the reminder of the keys goes first, then the row of each choice. A question
 * about little is short, however much room there is. `fixed`: rows that are always there; the others: what each part would take.
 */
export function fit(
  body: Body,
  rows: { all: number; fixed: number; listed: number; packed: number; help: number },
): Fit {
  const { least, wanted, whole } = roomFor(body);
  const free = rows.all - rows.fixed;
  const listed: Fit = { as: "listed", help: "shown", room: free - rows.listed - rows.help };
  const packed: Fit = { as: "packed", help: "shown", room: free - rows.packed - rows.help };
  const isShort = (way: { room: number }) => way.room >= whole && rows.all - way.room + whole <= SHORT_ROWS;
  const short = whole <= SHORT_BODY ? [listed, packed].find(isShort) : undefined;
  if (short) return short;
  if (listed.room >= wanted) return listed;
  const withoutHelp = free - rows.listed;
  if (withoutHelp >= wanted) return { as: "listed", help: "left-out", room: withoutHelp };
  const tight = free - rows.packed;
  return tight >= least ? { as: "packed", help: "left-out", room: tight } : { as: "too-small" };
}

/** One line instead of the question. */
export function tooSmallWords(title: string, mode: Dialog["mode"]["is"], width: number): string {
  const what = `make the terminal larger, or press ${mode === "writing" ? "Esc" : NO_KEY}`;
  const whole = `${title}: ${what}`;
  return whole.length <= width ? whole : what;
}

const NO_KEY = "n";

/** Of a question that is not drawn only a step back is taken: nobody says yes to what is not on the screen. */
export function isStepBack(typed: Typed, mode: Dialog["mode"]["is"]): boolean {
  const pressed = readKey(typed);
  if (pressed.is === "escape") return true;
  return mode !== "writing" && pressed.is === "character" && pressed.character.toLowerCase() === NO_KEY;
}
