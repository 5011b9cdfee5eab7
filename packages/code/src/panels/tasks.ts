import type { BackgroundTask } from "wave-agent-sdk";
import { printableLine } from "../utils/printable.ts";
import { outputText } from "../view/screenText.ts";
import { fitLine, span, type Line } from "../view/span.ts";
import { hardWrap } from "../view/wrap.ts";
import type { PanelKey } from "./frame.ts";
import { say, spread, type Meaning } from "./lines.ts";
import { moved, type PanelPress } from "./press.ts";

/** Where somebody is: choosing a task, or reading what one printed. "end": what comes is followed. */
export type TasksPlace =
  | { at: "list"; selected: number }
  | { at: "output"; selected: number; id: string; from: number | "end" };

export type TasksEffect = { do: "end"; id: string } | { do: "close" };

const END: PanelKey = { keys: "x", does: "end it" };

export function tasksKeys(place: TasksPlace["at"], hasRunning: boolean): readonly PanelKey[] {
  const end = hasRunning ? [END] : [];
  if (place === "output") return [{ keys: "↑↓", does: "scroll" }, ...end, { keys: "Esc", does: "back" }];
  return [
    { keys: "↑↓", does: "choose" },
    { keys: "Enter", does: "read its output" },
    ...end,
    { keys: "Esc", does: "close" },
  ];
}

/** A pure step. `scroll`: where a key leads in what a task printed. */
export function pressInTasks(
  place: TasksPlace,
  press: PanelPress,
  around: {
    tasks: readonly BackgroundTask[];
    page: number;
    scroll: (from: number | "end") => number | "end";
  },
): { now: TasksPlace; effect?: TasksEffect } {
  const { tasks, page } = around;
  if (press.key === "close") return { now: place, effect: { do: "close" } };
  const chosen = place.at === "output" ? tasks.find(({ id }) => id === place.id) : tasks[place.selected];
  if (press.key === "text" && press.text === "x")
    return chosen?.state === "running"
      ? { now: place, effect: { do: "end", id: chosen.id } }
      : { now: place };
  if (place.at === "output") {
    if (press.key === "esc") return { now: { at: "list", selected: place.selected } };
    return { now: { ...place, from: around.scroll(place.from) } };
  }
  if (press.key === "esc") return { now: place, effect: { do: "close" } };
  if (press.key === "enter" && chosen)
    return { now: { at: "output", selected: place.selected, id: chosen.id, from: "end" } };
  const selected = moved(press, place.selected, { count: tasks.length, page });
  return { now: selected === undefined ? place : { at: "list", selected } };
}

/** "running for 2 min", "failed: exit code 1". */
export function taskState(
  { state, since, end = "Exit code 0" }: BackgroundTask,
  now: number,
): { words: string; meaning: Meaning } {
  if (state === "running") return { words: `running for ${time(now - since)}`, meaning: "accent" };
  if (state === "killed") return { words: "ended by Wave", meaning: "dim" };
  return end === "Exit code 0"
    ? { words: "done", meaning: "good" }
    : { words: end.replace(/^./, (letter) => letter.toLowerCase()), meaning: "bad" };
}

export function taskItem(task: BackgroundTask, { columns, now }: { columns: number; now: number }): Line[] {
  const { words, meaning } = taskState(task, now);
  const line = fitLine([say("plain", printableLine(task.title))], columns);
  const facts: Line = [say("dim", `  ${task.id} · `), say(meaning, words)];
  return [line, spread(facts, [], columns)];
}

export const TASK_ITEM_HEIGHT = 2;

export function taskOutput({ output }: BackgroundTask, columns: number): Line[] {
  if (output.trim() === "") return [[say("dim", "It has printed nothing yet.")]];
  return hardWrap([span(outputText(output.replace(/\n$/, "")))], columns);
}

function time(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
