import type { Line } from "../view/span.ts";
import { say } from "./lines.ts";
import { moved, type PanelPress } from "./press.ts";

/** How many of the lines are shown at once; one is given up to say that there are more. */
function shownAtOnce(count: number, height: number): number {
  return count <= height ? count : Math.max(1, height - 1);
}

/** The lines on the screen when the text is scrolled to `from`. What does not fit is one key away, and is said. */
export function scrolled(lines: readonly Line[], from: number, height: number, keys = "↑↓"): readonly Line[] {
  const shown = shownAtOnce(lines.length, height);
  if (shown === lines.length) return lines;
  const start = Math.min(from, lines.length - shown);
  const more = `lines ${start + 1} to ${start + shown} of ${lines.length}, ${keys} for more`;
  return [...lines.slice(start, start + shown), [say("dim", more)]];
}

/** Where a key scrolls to; where it was, for keys that do not scroll. */
export function scrollTo(press: PanelPress, from: number, count: number, height: number): number {
  const page = shownAtOnce(count, height);
  const places = count - page + 1;
  return moved(press, Math.min(from, places - 1), { count: places, page }) ?? from;
}
