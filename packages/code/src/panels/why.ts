import type { TimedDecision } from "wave-agent-sdk";
import { lastStory } from "../commands/hooks/explain.ts";
import { storyOf } from "../commands/hooks/story.ts";
import { shortenPaths } from "../utils/shortPath.ts";
import type { Line } from "../view/span.ts";
import { say, wrapLine } from "./lines.ts";

/** What was decided before the session was resumed. */
export type EarlierDecisions =
  | { are: "read"; decisions: readonly TimedDecision[] }
  | { are: "being-read" }
  | { are: "unreadable"; why: string };

/** What is said where there is nothing to tell. */
export function nothingDecided(earlier: EarlierDecisions): string {
  if (earlier.are === "being-read") return "Reading what was decided in this session…";
  if (earlier.are === "unreadable") return `What was decided before cannot be read: ${earlier.why}`;
  return "Nothing has been decided in this session yet.";
}

export type WhyAbout = "this call" | "last call" | "this event" | "last event";

/** What `whyLines` tells of: without any call there is only the last event. */
export function whyAbout(history: readonly TimedDecision[], chosen: TimedDecision | undefined): WhyAbout {
  if (chosen) return chosen.toolUseId === undefined ? "this event" : "this call";
  const told = lastStory(history).at(-1);
  return told && told.toolUseId === undefined ? "last event" : "last call";
}

/** The story of the chosen record's call, or of the last call, in plain words. */
export function whyLines(
  history: readonly TimedDecision[],
  chosen: TimedDecision | undefined,
  { columns, folder, earlier }: { columns: number; folder: string; earlier: EarlierDecisions },
): Line[] {
  const records = chosen ? sameCall(history, chosen) : lastStory(history);
  if (records.length === 0) return wrapLine([say("dim", nothingDecided(earlier))], columns);
  return records.flatMap((record, index) => {
    const [title = "", ...sentences] = storyOf(record).map((line) => shortenPaths(line, folder));
    const story: Line[] = [
      ...wrapLine([say("strong", title)], columns),
      ...sentences.flatMap((sentence) => wrapLine([say("plain", sentence)], columns)),
    ];
    return index === 0 ? story : [[], ...story];
  });
}

/** A call is explained whole: what happened before it ran and after it. */
function sameCall(history: readonly TimedDecision[], chosen: TimedDecision): TimedDecision[] {
  if (chosen.toolUseId === undefined) return [chosen];
  return history.filter(({ toolUseId }) => toolUseId === chosen.toolUseId);
}
