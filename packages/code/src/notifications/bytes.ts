import { printableLine } from "../utils/printable.ts";
import type { Call } from "./attention.ts";
import type { Way } from "./terminals.ts";

const BELL = "\u0007";
const OSC = "\u001b]";
/** Ends a sequence. A bell would end it as well, and would be heard where the sequence is not understood. */
const ST = "\u001b\\";

/** Enough for a tab, and for the first line of a notification. */
const LONGEST = 60;

/** What a person does about it. `detail`: the name of the hook that failed. */
export function callWords(call: Call, detail: string): string {
  if (call === "answer") return "waiting for your answer";
  return call === "hook-failed" ? `hook failed: ${detail}` : "done, waiting for you";
}

/** Nothing of a command or an answer is in it: notifications are kept, and shown on locked screens. */
export function notificationBytes(way: Way, project: string, words: string): string {
  const title = `Wave: ${safe(project)}`;
  switch (way) {
    case "bell":
      return BELL;
    case "osc9":
      return `${OSC}9;${title}: ${safe(words)}${ST}`;
    case "osc777":
      return `${OSC}777;notify;${title};${safe(words)}${ST}`;
    case "osc99":
      // The same name each time: a new one takes the place of the last. kitty shows it when nobody looks at its window.
      return `${OSC}99;i=wave:o=unfocused;${title}: ${safe(words)}${ST}`;
  }
}

/** What the window says Wave is doing. */
export type TitleState = "idle" | "working" | "asking" | "done";

const STATE_WORDS: Record<TitleState, string> = {
  idle: "",
  working: "working - ",
  asking: "asks you - ",
  done: "done - ",
};

/** What is new comes first: a tab shows only the beginning. */
export const titleBytes = (state: TitleState, project: string): string =>
  `${OSC}0;${STATE_WORDS[state]}${safe(project)} - wave${ST}`;

/** The terminal reports when its window gets or loses the keyboard. */
export const REPORT_FOCUS = "\u001b[?1004h";
export const NO_FOCUS_REPORTS = "\u001b[?1004l";

/** The terminal keeps the title that was there. */
export const KEEP_TITLE = "\u001b[22;0t";
/** It is there again. A terminal that keeps none shows its own title for an empty one. */
export const RESTORE_TITLE = `${OSC}0;${ST}\u001b[23;0t`;

/** A folder or a hook may be called anything: nothing in it may end the sequence, or split its fields. */
const safe = (text: string): string =>
  Array.from(printableLine(text).replaceAll(";", ",")).slice(0, LONGEST).join("");
