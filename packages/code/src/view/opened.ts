import type { Item } from "./items.ts";
import { noticeOf } from "./notice.ts";
import { noticeLines } from "./noticeLines.ts";
import { isTypedCommand, shellLines } from "./shellLines.ts";
import { span, textOf, type Line } from "./span.ts";
import { promptLines, reasoningLines } from "./spoken.ts";
import { summaryLines } from "./summary.ts";
import { SIGNS, summariseCall } from "./toolLine.ts";
import { changeLines, foldedLines, headLines, openLines } from "./toolLines.ts";

interface Room {
  width: number;
  /** The project: paths below it are shown without it. */
  folder: string;
}

/** What there is of an item when nothing of it is folded; empty for what never is. */
export const openedLines = (item: Item, room: Room): Line[] => linesOf(item, { ...room, open: true });

/** Whether some of it can only be read when it is opened. */
export function isFolded(item: Item, room: Room): boolean {
  const shown = new Set(linesOf(item, { ...room, open: false }).map(textOf));
  return openedLines(item, room).some((line) => !shown.has(textOf(line)));
}

function linesOf(item: Item, look: Room & { open: boolean }): Line[] {
  const { block, role, running } = item;
  const notice = noticeOf(item, look.folder);
  if (notice) return noticeLines(notice, look);
  switch (block.type) {
    case "text":
      return role === "user" ? promptLines(block.content, look) : [];
    case "reasoning":
      return reasoningLines(block.content, { width: look.width, form: look.open ? "open" : "folded" });
    case "summary":
      return summaryLines(block, look);
    case "tool": {
      // Nothing has come of it yet; what it would do is what the question about it shows.
      if (block.stage === "pending") return [];
      if (isTypedCommand(role, block)) return shellLines(block, { ...look, running, liveRows: 0 });
      const call = summariseCall(block, look.folder);
      const { sign, tone } = SIGNS[call.state];
      const [head = [], ...more] = headLines(call, look.width - 2, look.open ? Infinity : undefined);
      const below = look.open ? openLines(block, look.width, running) : foldedLines(block, look.width);
      return [
        [span(`${sign} `, { tone }), ...head],
        ...more.map((line) => [span("  "), ...line]),
        ...changeLines(call, look.width),
        ...below,
      ];
    }
    default:
      return [];
  }
}
