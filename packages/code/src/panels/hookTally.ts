import {
  countFailedOpen,
  type AgentEvent,
  type DecisionRecord,
  type FailedOpen,
  type HookIdentity,
} from "wave-agent-sdk";

type HookEntry = DecisionRecord["hooks"][number];
export type HookFinished = Extract<AgentEvent, { type: "hook_finished" }>;

/** What one hook did in this session. */
export interface HookCounts {
  runs: number;
  /** It could not decide: crash, timeout, missing program, broken output. */
  failures: number;
  /** How often something went on although it failed, because `onError` says "continue". */
  failedOpen: number;
  /** It said no, or ended the turn. */
  blocks: number;
  asks: number;
  /** Milliseconds of the latest runs, oldest first. */
  durations: readonly number[];
  last: HookEntry | undefined;
  lastFailure: string | undefined;
}

/**
 * Counted event by event and not from the history on the screen: that one forgets, and the numbers of a long session
 * would shrink with it.
 */
export interface HookTally {
  counts: ReadonlyMap<string, HookCounts>;
  /** Runs that ended while the others of their event still run: nobody has read them yet. */
  undecided: readonly HookFinished[];
  /** What went on although a hook failed. */
  failedOpen: readonly FailedOpen[];
}

export const EMPTY_TALLY: HookTally = { counts: new Map(), undecided: [], failedOpen: [] };

export const NO_COUNTS: HookCounts = {
  runs: 0,
  failures: 0,
  failedOpen: 0,
  blocks: 0,
  asks: 0,
  durations: [],
  last: undefined,
  lastFailure: undefined,
};

/** Enough for a steady p95; more would only make old days count as much as this one. */
const DURATIONS_KEPT = 1_000;

/** The tally after one more event of the agent; events that say nothing about hooks leave it as it is. */
export function countEvent(tally: HookTally, event: AgentEvent): HookTally {
  if (event.type === "hook_finished") return { ...tally, undecided: [...tally.undecided, event] };
  if (event.type === "hooks_decided") return countRecord(tally, event.record);
  return tally;
}

/** Also for the records of a session that is resumed. */
export function countRecord(tally: HookTally, record: DecisionRecord): HookTally {
  const counts = new Map(tally.counts);
  for (const entry of [...(record.earlier ?? []), ...record.hooks]) {
    const key = keyOf(record.event, entry);
    counts.set(key, counted(counts.get(key) ?? NO_COUNTS, entry));
  }
  const undecided = tally.undecided.filter(
    ({ event, toolUseId }) => event !== record.event || toolUseId !== record.toolUseId,
  );
  return { counts, undecided, failedOpen: countFailedOpen(tally.failedOpen, record) };
}

/** Records know hooks by name and place; the event keeps two hooks of the same place apart. */
export const keyOf = (event: string, { name, source }: HookIdentity): string =>
  JSON.stringify([event, name, source]);

export function countsOf(tally: HookTally, key: string): HookCounts {
  const counts = tally.counts.get(key) ?? NO_COUNTS;
  const waiting = tally.undecided.filter(({ event, hook }) => keyOf(event, hook) === key);
  const open = tally.failedOpen.filter(
    ({ event, hook, source }) => keyOf(event, { name: hook, source }) === key,
  );
  return {
    ...counts,
    failedOpen: open.reduce((sum, { count }) => sum + count, 0),
    runs: counts.runs + waiting.length,
    durations: [...counts.durations, ...waiting.map(({ durationMs }) => durationMs)],
  };
}

/** Nearest rank: always a time that was really measured. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

function counted(counts: HookCounts, entry: HookEntry): HookCounts {
  // An interrupt is the person's doing, not the hook's.
  const failed = entry.failure !== undefined && entry.verdict !== "interrupted";
  return {
    runs: counts.runs + 1,
    failures: counts.failures + (failed ? 1 : 0),
    failedOpen: counts.failedOpen,
    blocks: counts.blocks + (entry.verdict === "deny" || entry.verdict === "halt" ? 1 : 0),
    asks: counts.asks + (entry.verdict === "ask" ? 1 : 0),
    durations: [...counts.durations, entry.durationMs].slice(-DURATIONS_KEPT),
    last: entry,
    lastFailure: failed ? entry.failure : counts.lastFailure,
  };
}
