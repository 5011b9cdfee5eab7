import { useMemo } from "react";
import { openedAt, openedRoom, placeAt, pressInOpened, type OpenedPlace } from "../panels/opened.ts";
import { lastPlace, scrolled } from "../panels/scroll.ts";
import type { Item } from "../view/items.ts";
import { isFolded, openedLines } from "../view/opened.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { usePanel } from "./usePanel.ts";

export interface OpenedPanelProps {
  /** What cannot change any more, oldest first. */
  finished: readonly Item[];
  live: readonly Item[];
  folder: string;
  columns: number;
  /** Lines the panel may take. */
  rows: number;
  onClose: () => void;
}

/** What is folded on the screen, one block at a time, in full. */
export function OpenedPanel({ finished, live, folder, columns, rows, onClose }: OpenedPanelProps) {
  const width = columns;
  const before = useMemo(
    () => finished.filter((item) => isFolded(item, { width, folder })),
    [finished, width, folder],
  );
  const items = [...before, ...live.filter((item) => isFolded(item, { width, folder }))];
  /** Of the block at a place; keys may come for one that has not been drawn. */
  const known = (place: OpenedPlace) => {
    const at = openedAt(items, place);
    const item = items[at];
    const lines = item ? openedLines(item, { width, folder }) : [];
    return { at, lines, ...openedRoom(at, items.length, { lines: lines.length, columns, rows }) };
  };
  const [place, , asks] = usePanel({
    name: "opened",
    first: () => placeAt(items.at(-1)),
    press: (now, press) => {
      const { lines, room } = known(now);
      const next = pressInOpened(now, press, { items, room, lines: lines.length });
      return next === "close" ? { now, effect: { do: next } } : { now: next };
    },
    carryOut: onClose,
  });
  const { at, lines, room, keys } = known(place);
  const from = place.from === "end" ? lastPlace(lines.length, room) : place.from;
  return (
    <Panel asks={asks} title="In full" summary={`${at + 1} of ${items.length}`} keys={keys} columns={columns}>
      <Lines lines={scrolled(lines, from, room)} />
    </Panel>
  );
}
