import { recordKey } from "./history.ts";
import {
  newestFirst,
  pageOf,
  selectedHook,
  selectedRecord,
  viewHeight,
  viewLines,
  type HooksPlace,
  type HooksWorld,
} from "./hooksPage.ts";
import { trySwitch, type HookRow } from "./hookStats.ts";
import { goBack, top, type HooksView } from "./hooksView.ts";
import { moved, type PanelPress } from "./press.ts";
import { scrollTo } from "./scroll.ts";

/** What a key asks of whoever opened the panel. */
export type HooksEffect = { do: "switch"; id: string; on: boolean } | { do: "review" } | { do: "close" };

export interface Pressed {
  now: HooksPlace;
  effect?: HooksEffect;
}

export const openHooks = (at: "list" | "history" | "why"): HooksPlace => ({
  stack: [at === "why" ? { show: "why", record: undefined } : { show: at }],
  hookId: undefined,
  recordKey: undefined,
  scrolledTo: 0,
  note: "",
});

/**
 * What a key does. A pure step from place to place: keys can come faster than the screen is drawn, and each must act on
 * what the one before it chose, or Space would switch off a hook that is no longer the chosen one.
 */
export function pressInHooks(place: HooksPlace, press: PanelPress, world: HooksWorld): Pressed {
  if (press.key === "close") return { now: place, effect: { do: "close" } };
  if (press.key === "esc") return back(place);
  const view = top(place.stack);
  switch (view.show) {
    case "list":
      return inList(place, press, world);
    case "details": {
      const row = world.hooks.find(({ id }) => id === view.id);
      return aboutHooks(place, press, row) ?? scroll(place, press, world);
    }
    case "history":
      return inHistory(place, press, world);
    case "record":
      if (isLetter(press, "w")) return open(place, { show: "why", record: view.record });
      return scroll(place, press, world);
    case "why":
      return scroll(place, press, world);
  }
}

function inList(place: HooksPlace, press: PanelPress, world: HooksWorld): Pressed {
  const { hooks } = world;
  const at = selectedHook(place, world);
  const to = moved(press, at, { count: hooks.length, page: pageOf(place, world, "hooks") });
  if (to !== undefined) return { now: { ...place, note: "", hookId: hooks[to]?.id } };
  const row = hooks[at];
  if (press.key === "enter" && row)
    return open({ ...place, hookId: row.id }, { show: "details", id: row.id });
  if (isLetter(press, "t") && world.waits !== undefined) return { now: place, effect: { do: "review" } };
  return aboutHooks(place, press, row) ?? { now: place };
}

/** The keys that the list of hooks and the page of one have in common. */
function aboutHooks(place: HooksPlace, press: PanelPress, row: HookRow | undefined): Pressed | undefined {
  if (isLetter(press, "h")) return open(place, { show: "history" });
  if (isLetter(press, "w")) return open(place, { show: "why", record: undefined });
  if (!isLetter(press, " ") || !row) return undefined;
  const attempt = trySwitch(row);
  if (attempt.do === "refuse") return { now: { ...place, note: attempt.why } };
  return { now: { ...place, note: "" }, effect: { do: "switch", id: row.id, on: attempt.on } };
}

function inHistory(place: HooksPlace, press: PanelPress, world: HooksWorld): Pressed {
  const records = newestFirst(world);
  const at = selectedRecord(place, world);
  const to = moved(press, at, { count: records.length, page: pageOf(place, world, "history") });
  const record = records[to ?? at];
  if (!record) return { now: place };
  const chosen = { ...place, recordKey: recordKey(record) };
  if (press.key === "enter") return open(chosen, { show: "record", record });
  if (isLetter(press, "w")) return open(chosen, { show: "why", record });
  return { now: to === undefined ? place : chosen };
}

function scroll(place: HooksPlace, press: PanelPress, world: HooksWorld): Pressed {
  const { length } = viewLines(top(place.stack), world);
  const scrolledTo = scrollTo(press, place.scrolledTo, length, viewHeight(place, world));
  return { now: scrolledTo === place.scrolledTo ? place : { ...place, scrolledTo } };
}

function open(place: HooksPlace, view: HooksView): Pressed {
  return { now: { ...place, note: "", scrolledTo: 0, stack: [...place.stack, view] } };
}

function back(place: HooksPlace): Pressed {
  const stack = goBack(place.stack);
  if (!stack) return { now: place, effect: { do: "close" } };
  return { now: { ...place, note: "", scrolledTo: 0, stack } };
}

const isLetter = (press: PanelPress, letter: string): boolean =>
  press.key === "text" && press.text === letter;
