import type { RewindPoint, Rewound } from "wave-agent-sdk";
import type { Line } from "../view/span.ts";
import { shortenPaths } from "../utils/shortPath.ts";
import { plural } from "./hookWords.ts";
import { hanging, pad, say, spread, wrapLine } from "./lines.ts";
import { moved, type PanelPress } from "./press.ts";
import { willDo } from "./rewindWords.ts";
import { ago } from "./sessionList.ts";

/** What would happen, as far as it is known. */
export type RewindPlan =
  | { is: "looked for" }
  | { is: "known"; would: Rewound }
  | { is: "unknown"; why: string };

/** Where somebody is in the panel: choosing a prompt, or saying what shall go back to it. */
export type RewindPlace =
  | { at: "prompts"; selected: number }
  | { at: "question"; selected: number; choice: number; from: number; plan: RewindPlan };

export type RewindEffect = { do: "rewind"; point: RewindPoint; files: boolean } | { do: "close" };

export interface RewindChoice {
  words: string;
  answer: "files" | "conversation" | "no";
}

/** What can be answered. It depends on nothing that is still being looked for: no answer moves under somebody's finger. */
export function choicesFor(point: RewindPoint): RewindChoice[] {
  const stay: RewindChoice = { words: "stay here", answer: "no" };
  if (point.filesChanged === 0) return [{ words: "go back", answer: "conversation" }, stay];
  return [
    { words: "go back: conversation and files", answer: "files" },
    { words: "go back: only the conversation", answer: "conversation" },
    stay,
  ];
}

/** A pure step, so that quick keys act on what the ones before them chose. `points`: newest first. */
export function pressInRewind(
  place: RewindPlace,
  press: PanelPress,
  around: { points: readonly RewindPoint[]; page: number; scroll: (place: RewindPlace) => number },
): { now: RewindPlace; effect?: RewindEffect } {
  if (press.key === "close") return { now: place, effect: { do: "close" } };
  const point = around.points[place.selected];
  if (place.at === "prompts" || !point) return pressInPrompts(place, press, around);
  const choices = choicesFor(point);
  switch (press.key) {
    case "esc":
      return { now: { at: "prompts", selected: place.selected } };
    case "up":
    case "down": {
      const choice = moved(press, place.choice, { count: choices.length, page: 1 }) ?? place.choice;
      return { now: { ...place, choice } };
    }
    case "pageup":
    case "pagedown":
      return { now: { ...place, from: around.scroll(place) } };
    case "enter": {
      const { answer = "no" } = choices[place.choice] ?? {};
      if (answer === "no") return { now: place, effect: { do: "close" } };
      // Nobody says yes to what is not on the screen.
      if (answer === "files" && place.plan.is !== "known") return { now: place };
      return { now: place, effect: { do: "rewind", point, files: answer === "files" } };
    }
    default:
      return { now: place };
  }
}

function pressInPrompts(
  place: RewindPlace,
  press: PanelPress,
  { points, page }: { points: readonly RewindPoint[]; page: number },
): { now: RewindPlace; effect?: RewindEffect } {
  const selected = moved(press, place.selected, { count: points.length, page });
  if (selected !== undefined) return { now: { at: "prompts", selected } };
  if (press.key === "esc") return { now: place, effect: { do: "close" } };
  if (press.key !== "enter" || points.length === 0) return { now: place };
  return {
    now: { at: "question", selected: place.selected, choice: 0, from: 0, plan: { is: "looked for" } },
  };
}

/** One prompt of the list: what was said, when, and what Wave changed since. */
export function pointItem(point: RewindPoint, { columns, now }: { columns: number; now: number }): Line[] {
  const files = point.filesChanged === 0 ? [] : [`${plural(point.filesChanged, "file")} changed since`];
  const then = point.at === undefined ? Number.NaN : Date.parse(point.at);
  const facts = [...files, ...(Number.isNaN(then) ? [] : [ago(then, now)])].join(" · ");
  const said: Line = [say("plain", point.firstLine)];
  if (columns < STACKED_BELOW)
    return [spread(said, [], columns), spread([say("dim", `  ${facts}`)], [], columns)];
  return [spread(said, facts === "" ? [] : [say("dim", facts)], columns)];
}

const STACKED_BELOW = 60;

export const pointItemHeight = (columns: number): number => (columns < STACKED_BELOW ? 2 : 1);

/** What going back would do, before anybody says yes. */
export function planLines(plan: RewindPlan, options: { folder: string; columns: number }): Line[] {
  const { folder, columns } = options;
  if (plan.is === "looked for") return [[say("dim", "Looking at the files…")]];
  if (plan.is === "unknown") return wrapLine([say("bad", plan.why)], columns);
  const { messages, files, note } = plan.would;
  const leaving = `${plural(messages, "message")} ${messages === 1 ? "leaves" : "leave"} the conversation; the prompt comes back into the input.`;
  return [
    ...wrapLine([say("plain", leaving)], columns),
    ...(files.length === 0 ? [[say("dim", "Wave changed no files since.")]] : []),
    ...files.flatMap((file) => {
      const { does, why } = willDo(file);
      const path = say("plain", shortenPaths(file.path, folder));
      const reason = why === "" ? [] : [say("dim", `  ${why}`)];
      const label = say(file.outcome === "kept" ? "warn" : "good", pad(`  ${does}`, 12));
      return hanging(label, [path, ...reason], columns);
    }),
    ...(note === undefined ? [] : wrapLine([say("warn", note)], columns)),
  ];
}
