import { keyFor } from "../input/keys.ts";
import type { Item } from "../view/items.ts";
import { bodyHeight, type PanelKey } from "./frame.ts";
import { closes, type PanelPress } from "./press.ts";
import { lastPlace, scrollTo } from "./scroll.ts";

/** Which block is open, and from which of its lines on it is shown. The end of one that grows stays in sight. */
export interface OpenedPlace {
  id: string | undefined;
  from: number | "end";
}

/** How much there is of the open block, and of blocks. */
export interface OpenedSize {
  lines: number;
  columns: number;
  rows: number;
}

/** The last thing that is folded is what somebody has just seen go by. */
export const placeAt = (item: Item | undefined): OpenedPlace => ({
  id: item?.id,
  from: item?.running ? "end" : 0,
});

/** The one that is open; the last one, should it be gone. */
export function openedAt(items: readonly Item[], { id }: OpenedPlace): number {
  const at = items.findIndex((item) => item.id === id);
  return at === -1 ? items.length - 1 : at;
}

export function pressInOpened(
  place: OpenedPlace,
  press: PanelPress,
  known: { items: readonly Item[]; room: number; lines: number },
): OpenedPlace | "close" {
  const { items, room, lines } = known;
  if (closes(press) || press.key === "expand") return "close";
  if (press.key === "left" || press.key === "right") {
    const next = items[openedAt(items, place) + (press.key === "left" ? -1 : 1)];
    return next ? placeAt(next) : place;
  }
  if (press.key === "text") return place;
  const last = lastPlace(lines, room);
  const from = scrollTo(press, place.from === "end" ? last : place.from, lines, room);
  // Whoever has not scrolled away from the end goes on seeing it.
  return { id: place.id, from: place.from === "end" && from === last ? "end" : from };
}

/** Only keys that do something here. */
export function openedKeys(at: number, count: number, scrolls: boolean): PanelKey[] {
  return [
    ...(scrolls ? [{ keys: "↑↓", does: "scroll" }] : []),
    ...(at > 0 ? [{ keys: "←", does: "the folded block before" }] : []),
    ...(at < count - 1 ? [{ keys: "→", does: "the one after" }] : []),
    { keys: `Esc, ${keyFor("expand")}`, does: "close" },
  ];
}

/** Lines of the block that have room, with the keys that are of use. */
export function openedRoom(at: number, count: number, size: OpenedSize): { room: number; keys: PanelKey[] } {
  const still = openedKeys(at, count, false);
  const all = bodyHeight({ ...size, keys: still });
  if (size.lines <= all) return { room: all, keys: still };
  const keys = openedKeys(at, count, true);
  return { room: bodyHeight({ ...size, keys }), keys };
}
