import type { HookState, TimedDecision } from "wave-agent-sdk";
import {
  newestFirst,
  noteLines,
  selectedHook,
  selectedRecord,
  viewHeight,
  viewLines,
  type HooksWorld,
} from "../panels/hooksPage.ts";
import { openHooks, pressInHooks } from "../panels/hooksPress.ts";
import { hookRows } from "../panels/hookStats.ts";
import type { HookTally } from "../panels/hookTally.ts";
import { keysOf, top } from "../panels/hooksView.ts";
import { nothingDecided, whyAbout, type EarlierDecisions } from "../panels/why.ts";
import { HookHistory } from "./HookHistory.tsx";
import { HookList } from "./HookList.tsx";
import { HookPage } from "./HookPage.tsx";
import { HookWhy } from "./HookWhy.tsx";
import { usePanel } from "./usePanel.ts";

export interface HooksPanelProps {
  hooks: readonly HookState[];
  stats: HookTally;
  /** Oldest first. */
  history: readonly TimedDecision[];
  /** How far those of before the session was resumed are in it. */
  earlier?: EarlierDecisions;
  /** The project: paths below it are shown without it. */
  folder: string;
  columns: number;
  /** Lines the panel may take. */
  rows: number;
  openAt?: "list" | "history" | "why";
  /** What waits for a person's review, if anything does. */
  waits?: string | undefined;
  onReview?: () => void;
  onSwitch: (id: string, on: boolean) => void;
  onClose: () => void;
}

const NONE_EARLIER: EarlierDecisions = { are: "read", decisions: [] };

/** `/hooks`: every hook, what it did, why a call went as it did, and a switch for each. */
export function HooksPanel(props: HooksPanelProps) {
  const { hooks, stats, openAt = "list", onSwitch, onReview, onClose, ...rest } = props;
  const { earlier = NONE_EARLIER } = rest;
  const world: HooksWorld = {
    ...rest,
    earlier,
    hooks: hookRows({ hooks, tally: stats, folder: rest.folder }),
  };
  const [place, , asks] = usePanel({
    name: "hooks",
    first: () => openHooks(openAt),
    press: (now, press) => pressInHooks(now, press, world),
    carryOut: (effect) => {
      if (effect.do === "switch") onSwitch(effect.id, effect.on);
      if (effect.do === "review") onReview?.();
      if (effect.do === "close") onClose();
    },
  });

  const view = top(place.stack);
  const size = {
    asks,
    columns: world.columns,
    height: viewHeight(place, world),
    keys: keysOf(place.stack, world.waits),
  };
  const text = { ...size, lines: viewLines(view, world), scrolledTo: place.scrolledTo };
  const note = noteLines(place, world);
  switch (view.show) {
    case "list":
      return <HookList {...size} hooks={world.hooks} selected={selectedHook(place, world)} note={note} />;
    case "history":
      return (
        <HookHistory
          {...size}
          records={newestFirst(world)}
          nothing={nothingDecided(earlier)}
          selected={selectedRecord(place, world)}
        />
      );
    case "details":
      return <HookPage {...text} title="Hook" note={note} />;
    case "record":
      return <HookPage {...text} title="Record" />;
    case "why":
      return <HookWhy {...text} about={whyAbout(world.history, view.record)} />;
  }
}
