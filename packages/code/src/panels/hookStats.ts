import { describePolicy, identityOf, shadowOf, type HookDefinition, type HookState } from "wave-agent-sdk";
import { actionOf, placeOf } from "../commands/hooks/list.ts";
import { shortenPaths } from "../utils/shortPath.ts";
import { countsOf, keyOf, percentile, type HookCounts, type HookTally } from "./hookTally.ts";

/** Whether a hook runs, and whether the key that switches it does anything. */
export type HookSwitch =
  | { is: "on" }
  /** By hand, in this session. */
  | { is: "switched-off" }
  /** By a flag or by settings: not undone here. */
  | { is: "off"; why: string }
  /** Whoever runs the machine put it there; it cannot be switched off. */
  | { is: "managed" };

/** Everything `/hooks` says about one hook. */
export interface HookRow {
  id: string;
  name: string;
  description: string | undefined;
  event: string;
  matcher: string | undefined;
  /** File and line as a person would write them, or where in Agent.create. */
  place: string;
  action: string;
  /** The place of the same command in another entry, which runs for both where both match. */
  shadowedBy: string | undefined;
  timeoutMs: number;
  /** In words: "block", "ask for timeout, otherwise block". */
  onError: string;
  switch: HookSwitch;
  counts: HookCounts;
  p50Ms: number | undefined;
  p95Ms: number | undefined;
  /** How many hooks have the same event, name and line: records cannot tell them apart, so the numbers are shared. */
  sharedBy: number;
}

export function hookRows({
  hooks,
  tally,
  folder,
}: {
  hooks: readonly HookState[];
  tally: HookTally;
  /** Places below it are shown without it. */
  folder: string;
}): HookRow[] {
  // One that is off does not run for another.
  const on = hooks.flatMap(({ hook, off }) => (off ? [] : [hook]));
  const keys = hooks.map(({ hook }) => keyOf(hook.event, identityOf(hook)));
  return hooks.map((state, index) => {
    const { id, hook } = state;
    const key = keys[index] ?? "";
    const counts = countsOf(tally, key);
    const shadow = shadowOf(hook, on);
    return {
      id,
      name: hook.name,
      description: hook.description,
      event: hook.event,
      matcher: subjectOf(hook),
      place: shortenPaths(placeOf(hook), folder),
      action: actionOf(hook),
      shadowedBy: shadow && shortenPaths(placeOf(shadow), folder),
      timeoutMs: hook.timeoutMs,
      onError: describePolicy(hook.onError),
      switch: switchOf(state),
      counts,
      p50Ms: percentile(counts.durations, 0.5),
      p95Ms: percentile(counts.durations, 0.95),
      sharedBy: keys.filter((other) => other === key).length,
    };
  });
}

function switchOf({ hook, off }: HookState): HookSwitch {
  if (off?.why === "switched-off") return { is: "switched-off" };
  if (off) return { is: "off", why: off.words };
  return hook.source.scope === "managed" ? { is: "managed" } : { is: "on" };
}

/** What the switch key does with a hook: turn it over, or say why not. */
export type SwitchAttempt = { do: "switch"; on: boolean } | { do: "refuse"; why: string };

export function trySwitch(row: HookRow): SwitchAttempt {
  switch (row.switch.is) {
    case "on":
      return { do: "switch", on: false };
    case "switched-off":
      return { do: "switch", on: true };
    case "managed":
      return {
        do: "refuse",
        why: `${row.name} stays on: it comes from the managed settings of this machine.`,
      };
    case "off":
      return { do: "refuse", why: `${row.name} cannot be switched on here: ${row.switch.why}.` };
  }
}

/** The tools it is for, and the calls of them. */
function subjectOf({ matcher, if: condition }: HookDefinition): string | undefined {
  if (condition === undefined) return matcher || undefined;
  return `${matcher ? `${matcher}, ` : ""}if ${condition}`;
}
