import type { DecisionRecord, TimedDecision } from "wave-agent-sdk";
import type { HookHistory } from "../asking/history.ts";
import { dayAndTime, localDay } from "../utils/localTime.ts";
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

/** One event of the history: when, what, and what came of it. The day is said of what was not today. */
export function historyItem(record: TimedDecision, columns: number, today: Date): Line[] {
  const { words, meaning } = OUTCOMES[record.decision];
  const what = record.toolName === undefined ? record.event : `${record.event} ${record.toolName}`;
  const preview = record.inputPreview ?? promptSize(record) ?? "";
  const { day, time } = dayAndTime(record.ts);
  const dated = day === undefined || day === localDay(today) ? "" : `${day} `;
  const outcome = [say(meaning, words)];
  const about = (when: string) => [say("dim", `${when} `), say("plain", what)];
  if (columns >= STACKED_BELOW)
    return [spread([...about(dated + time), say("dim", `  ${preview}`)], outcome, columns)];
  return [spread(about(time), outcome, columns), spread([say("dim", `  ${dated}${preview}`)], [], columns)];
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
