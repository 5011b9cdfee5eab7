import type { AgentEvent, DecisionRecord, HookEvent, HookIdentity } from "wave-agent-sdk";
import type { UserPreferences } from "./preferences.ts";

/** One line of what hooks did, newest last. */
export type HookHistoryEntry =
  | {
      kind: "run";
      runId: number;
      event: HookEvent;
      hook: HookIdentity;
      toolUseId: string | undefined;
      /** Milliseconds since the epoch. */
      at: number;
      /** Absent while it runs. */
      finished: { durationMs: number; ended: string } | undefined;
    }
  | { kind: "decision"; record: DecisionRecord; at: number };

export type HookHistory = readonly HookHistoryEntry[];

/** The history after an event; the same array when the event is none of its business. */
export function rememberEvent(
  history: HookHistory,
  event: AgentEvent,
  { at, keep }: { at: number; keep: HistoryBounds },
): HookHistory {
  switch (event.type) {
    case "hook_started": {
      const { runId, hook, toolUseId } = event;
      const run: HookHistoryEntry = {
        kind: "run",
        runId,
        event: event.event,
        hook,
        toolUseId,
        at,
        finished: undefined,
      };
      return prune([...history, run], at, keep);
    }
    case "hook_finished": {
      const { runId, durationMs, ended } = event;
      // A run that the bounds have already dropped stays dropped.
      return history.map((entry) =>
        entry.kind === "run" && entry.runId === runId ? { ...entry, finished: { durationMs, ended } } : entry,
      );
    }
    case "hooks_decided": {
      const { record } = event;
      if (record.hooks.length === 0 && record.skipped.length === 0 && record.event !== "PreToolUse")
        return history;
      return prune([...history, { kind: "decision", record, at }], at, keep);
    }
    default:
      return history;
  }
}

export type HistoryBounds = Pick<UserPreferences, "historyEntries" | "historyMinutes">;

/** Bounded in number and in time (PD-4): a session of a week costs no more than one of an hour. */
export function prune(history: HookHistory, now: number, keep: HistoryBounds): HookHistory {
  const oldest = now - keep.historyMinutes * 60_000;
  const kept = history.slice(-keep.historyEntries).filter((entry) => entry.at >= oldest);
  return kept.length === history.length ? history : kept;
}
