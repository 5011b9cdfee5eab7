import type { TimedDecision } from "wave-agent-sdk";
import type { Line } from "../view/span.ts";
import { bodyHeight } from "./frame.ts";
import { historyItemHeight, recordKey } from "./history.ts";
import { hookDetails } from "./hookDetails.ts";
import type { HookRow } from "./hookStats.ts";
import { hookItemHeight } from "./hookWords.ts";
import { keysOf, top, type HooksView, type ViewStack } from "./hooksView.ts";
import { say, wrapLine } from "./lines.ts";
import { MARK_WIDTH, windowAround } from "./listWindow.ts";
import { recordLines } from "./recordLines.ts";
import { whyLines, type EarlierDecisions } from "./why.ts";

/** What `/hooks` is about: it changes while the panel is open. */
export interface HooksWorld {
  hooks: readonly HookRow[];
  /** Oldest first. */
  history: readonly TimedDecision[];
  earlier: EarlierDecisions;
  folder: string;
  /** What waits for a person's review, if anything does. */
  waits?: string | undefined;
  columns: number;
  /** Lines the panel may take. */
  rows: number;
}

/** Where somebody is in `/hooks`. Hooks and records are remembered by what they are, not by their place in a list. */
export interface HooksPlace {
  stack: ViewStack;
  hookId: string | undefined;
  recordKey: string | undefined;
  scrolledTo: number;
  /** Why a key did nothing; empty when there is nothing to say. */
  note: string;
}

export const newestFirst = ({ history }: HooksWorld): readonly TimedDecision[] => history.toReversed();

/** The first one until somebody chose. */
export const selectedHook = ({ hookId }: HooksPlace, { hooks }: HooksWorld): number =>
  Math.max(
    0,
    hooks.findIndex(({ id }) => id === hookId),
  );

/** The newest until somebody chose. */
export const selectedRecord = (place: HooksPlace, world: HooksWorld): number =>
  Math.max(
    0,
    newestFirst(world).findIndex((record) => recordKey(record) === place.recordKey),
  );

/** Under the content: what waits for a review, and why a key did nothing. */
export function noteLines({ note, stack }: HooksPlace, { columns, waits }: HooksWorld): Line[] {
  const said = [
    ...(waits !== undefined && top(stack).show === "list" ? [waits] : []),
    ...(note === "" ? [] : [note]),
  ];
  return said.flatMap((text) => wrapLine([say("warn", text)], columns));
}

/** Lines there are for the content of the view. */
export function viewHeight(place: HooksPlace, world: HooksWorld): number {
  const keys = keysOf(place.stack, world.waits);
  return Math.max(1, bodyHeight({ ...world, keys }) - noteLines(place, world).length);
}

/** The text of a view that is not a list. */
export function viewLines(view: HooksView, world: HooksWorld): readonly Line[] {
  switch (view.show) {
    case "details": {
      const row = world.hooks.find(({ id }) => id === view.id);
      return row ? hookDetails(row, world.columns) : [[say("dim", "This hook is gone.")]];
    }
    case "record":
      return recordLines(view.record, world);
    case "why":
      return whyLines(world.history, view.record, world);
    default:
      return [];
  }
}

/** How far a page key goes in a list. */
export function pageOf(place: HooksPlace, world: HooksWorld, list: "hooks" | "history"): number {
  const width = world.columns - MARK_WIDTH;
  const itemHeight = list === "hooks" ? hookItemHeight(width) : historyItemHeight(width);
  const count = world[list].length;
  const { from, to } = windowAround({ count, selected: 0, itemHeight, height: viewHeight(place, world) });
  return Math.max(1, to - from);
}
