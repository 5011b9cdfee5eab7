import type { Line } from "../view/span.ts";
import { say } from "./lines.ts";
import { moved, type PanelPress } from "./press.ts";

/** How many of the lines are shown at once; one is given up to say that there are more. */
export function shownAtOnce(count: number, height: number): number {
  return count <= height ? count : Math.max(1, height - 1);
}

/** The lines on the screen when the text is scrolled to `from`. What does not fit is one key away, and is said. */
export function scrolled(
  lines: readonly Line[],
  from: number,
  height: number,
  keys: ScrollKeys = { on: "↓", both: "↑↓" },
): readonly Line[] {
  const shown = shownAtOnce(lines.length, height);
  if (shown === lines.length) return lines;
  const start = Math.min(from, lines.length - shown);
  const end = start + shown;
  const where = `lines ${start + 1} to ${end} of ${lines.length}`;
  const more = end === lines.length ? "the end" : `${start === 0 ? keys.on : keys.both} for more`;
  return [...lines.slice(start, end), [say("dim", `${where}, ${more}`)]];
}

/** Where the end of the text is in sight. */
export const lastPlace = (count: number, height: number): number => count - shownAtOnce(count, height);

/** Which keys scroll, as the line under a text names them. */
export interface ScrollKeys {
  on: string;
  both: string;
}

/** Where a key scrolls to; where it was, for keys that do not scroll. */
export function scrollTo(press: PanelPress, from: number, count: number, height: number): number {
  const page = shownAtOnce(count, height);
  const places = count - page + 1;
  return moved(press, Math.min(from, places - 1), { count: places, page }) ?? from;
}
