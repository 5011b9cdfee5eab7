import type { TimedDecision } from "wave-agent-sdk";
import type { PanelKey } from "./frame.ts";

/** What `/hooks` shows. Esc goes back to the view before; from the first one it closes the panel. */
export type HooksView =
  | { show: "list" }
  | { show: "details"; id: string }
  | { show: "history" }
  | { show: "record"; record: TimedDecision }
  /** Without a record: the last call, whichever that is by then. */
  | { show: "why"; record: TimedDecision | undefined };

/** Never empty: the last one is on the screen. */
export type ViewStack = readonly [HooksView, ...HooksView[]];

export const top = (stack: ViewStack): HooksView => stack.at(-1) ?? stack[0];

/** Undefined: there is nothing to go back to. */
export function goBack([first, ...rest]: ViewStack): ViewStack | undefined {
  return rest.length === 0 ? undefined : [first, ...rest.slice(0, -1)];
}

/** Only where something waits. */
const REVIEW_KEY: PanelKey = { keys: "t", does: "review" };

/**
 * What the keys of a view do, as the foot of the panel prints them, with the one for the review where there is something to
 * review. In the first view there is nothing to go back to.
 */
export function keysOf(stack: ViewStack, waits: string | undefined): readonly PanelKey[] {
  const { show } = top(stack);
  const review = waits === undefined || show !== "list" ? [] : [REVIEW_KEY];
  return [...HOOKS_KEYS[show], ...review, { keys: "Esc", does: stack.length > 1 ? "back" : "close" }];
}

/** Without Esc, which depends on where one came from. */
export const HOOKS_KEYS: Record<HooksView["show"], readonly PanelKey[]> = {
  list: [
    { keys: "↑↓", does: "choose" },
    { keys: "Enter", does: "details" },
    { keys: "Space", does: "on/off" },
    { keys: "h", does: "history" },
    { keys: "w", does: "why last call" },
  ],
  details: [
    { keys: "↑↓", does: "scroll" },
    { keys: "Space", does: "on/off" },
    { keys: "h", does: "history" },
    { keys: "w", does: "why last call" },
  ],
  history: [
    { keys: "↑↓", does: "choose" },
    { keys: "Enter", does: "full record" },
    { keys: "w", does: "why" },
  ],
  record: [
    { keys: "↑↓", does: "scroll" },
    { keys: "w", does: "why" },
  ],
  why: [{ keys: "↑↓", does: "scroll" }],
};
