import type { DecisionRecord, TimedDecision } from "wave-agent-sdk";
import type { HookHistory } from "../asking/history.ts";
import type { Line } from "../view/span.ts";
import { plural } from "./hookWords.ts";
import { say, spread, type Meaning } from "./lines.ts";

/** The decisions among what the session remembers of its hooks, oldest first. */
export function decisionsIn(history: HookHistory): TimedDecision[] {
  return history.flatMap((entry) =>
    entry.kind === "decision" ? [{ ...entry.record, ts: new Date(entry.at).toISOString() }] : [],
  );
}

/** Which record of a history it is, also in a later copy of that history. */
export const recordKey = ({ ts, event, toolUseId = "" }: TimedDecision): string =>
  [ts, event, toolUseId].join(" ");

const STACKED_BELOW = 60;

export const historyItemHeight = (columns: number): number => (columns < STACKED_BELOW ? 2 : 1);

/** One event of the history: when, what, and what came of it. */
export function historyItem(record: TimedDecision, columns: number): Line[] {
  const { words, meaning } = OUTCOMES[record.decision];
  const what = record.toolName === undefined ? record.event : `${record.event} ${record.toolName}`;
  const preview = record.inputPreview ?? promptSize(record) ?? "";
  const left = [say("dim", `${clock(record.ts)} `), say("plain", what)];
  const input = say("dim", `  ${preview}`);
  const outcome = [say(meaning, words)];
  if (columns >= STACKED_BELOW) return [spread([...left, input], outcome, columns)];
  return [spread(left, outcome, columns), spread([input], [], columns)];
}

const promptSize = ({ promptLength }: TimedDecision): string | undefined =>
  promptLength === undefined ? undefined : plural(promptLength, "character");

/** What came of an event, in two or three words. */
export const OUTCOMES: Record<DecisionRecord["decision"], { words: string; meaning: Meaning }> = {
  allow: { words: "ran", meaning: "good" },
  deny: { words: "did not run", meaning: "bad" },
  pass: { words: "went on", meaning: "dim" },
  blocked: { words: "blocked", meaning: "bad" },
  halted: { words: "ended the turn", meaning: "bad" },
  continued: { words: "told to go on", meaning: "warn" },
};

/** The time of day where the person is; a record that has no readable time keeps what it has. */
function clock(ts: string): string {
  const date = new Date(ts);
  if (Number.isNaN(date.getTime())) return ts;
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((number) => String(number).padStart(2, "0"))
    .join(":");
}
