import type { PermissionMode } from "wave-agent-sdk";
import { shortCount } from "../utils/shortCount.ts";
import type { Line } from "../view/span.ts";
import { fitItems, type StatusItem } from "./fitItems.ts";
import { plural } from "./hookWords.ts";
import { cut, cutStart, say, type Meaning } from "./lines.ts";

/** What the lines under the input say. Plain data: whoever draws it knows nothing about the agent. */
export interface StatusFacts {
  model: string | undefined;
  /** As a person would write it, e.g. `~/code/shop`. */
  folder: string;
  branch: string | undefined;
  mode: PermissionMode;
  /** Undefined until the model has said how many. */
  tokens: { used: number; contextSize: number | undefined; estimated?: true | undefined } | undefined;
  hooksRunning: readonly { name: string; runningMs: number }[];
  /** One entry per reason. */
  hooksOff: readonly { names: readonly string[]; why: string }[];
  /** The project has an AGENTS.md that nobody approved in this form. */
  instructionsOut: boolean;
  /** Files that changed since they were read, and do not count. */
  changed: number;
  /** How often something went on although a hook failed. */
  failedOpen: number;
  queued: number;
  /** Commands and sub-agents that work in the background. */
  inBackground?: number;
  /** A question is open: nothing goes on before it is answered. */
  awaitsAnswer?: boolean;
}

/** One line about the session, and a second one only while there is something to say about hooks or waiting messages. */
export function statusLines(facts: StatusFacts, columns: number): Line[] {
  const session = [modeItem(facts), ...modelItem(facts), ...placeItems(facts), ...tokenItem(facts)];
  const now = [
    ...answerItem(facts),
    ...runningItem(facts),
    ...offItem(facts),
    ...instructionsItem(facts),
    ...changedItem(facts),
    ...failedOpenItem(facts),
    ...queuedItem(facts),
    ...backgroundItem(facts),
  ];
  return [fitItems(session, columns), ...(now.length === 0 ? [] : [fitItems(now, columns)])];
}

/** The one place on the screen that says the mode. The sign is for those who see no colour. */
const MODES: Record<PermissionMode, { meaning: Meaning; sign: string }> = {
  default: { meaning: "plain", sign: "" },
  acceptEdits: { meaning: "accent", sign: "" },
  plan: { meaning: "accent", sign: "" },
  dontAsk: { meaning: "warn", sign: "" },
  bypassPermissions: { meaning: "bad", sign: "! " },
};

function modeItem({ mode }: StatusFacts): StatusItem {
  const { meaning, sign } = MODES[mode];
  return item(meaning, `${sign}mode ${mode}`, [{ loss: 2, text: sign + mode }]);
}

function modelItem({ model }: StatusFacts): StatusItem[] {
  if (model === undefined) return [];
  const shorter = [
    { loss: 6, text: cut(model, 16) },
    { loss: 9, text: cut(model, 8) },
  ];
  return [item("plain", model, shorter)];
}

function placeItems({ folder, branch }: StatusFacts): StatusItem[] {
  const name = folder.split("/").at(-1) || folder;
  const place = item("dim", folder, [
    { loss: 3, text: cutStart(folder, 24) },
    { loss: 5, text: cut(name, 12) },
    { loss: 8, text: "" },
  ]);
  if (branch === undefined) return [place];
  const shorter = [
    { loss: 4, text: `on ${cut(branch, 12)}` },
    { loss: 7, text: "" },
  ];
  return [place, item("dim", `on ${branch}`, shorter)];
}

function tokenItem({ tokens }: StatusFacts): StatusItem[] {
  if (!tokens) return [];
  const count = `${tokens.estimated ? "about " : ""}${shortCount(tokens.used)}`;
  if (!tokens.contextSize) {
    const shorter = [
      { loss: 1, text: count },
      { loss: 8, text: "" },
    ];
    return [item("plain", `${count} tokens`, shorter)];
  }
  const share = Math.round((tokens.used / tokens.contextSize) * 100);
  // Never left out: a context that is full ends the turn.
  const shorter = [
    { loss: 1, text: `${count}, ${share}%` },
    { loss: 6, text: `${share}%` },
  ];
  return [item(urgency(share), `${count} tokens, ${share}% of the context`, shorter)];
}

function urgency(share: number): Meaning {
  if (share >= 95) return "bad";
  return share >= 80 ? "warn" : "plain";
}

function answerItem({ awaitsAnswer = false }: StatusFacts): StatusItem[] {
  return awaitsAnswer ? [item("warn", "waiting for your answer", [{ loss: 3, text: "your answer?" }])] : [];
}

/** A hook that answers within a second would only flicker. */
const SHOWN_AFTER_MS = 1_000;

function runningItem({ hooksRunning }: StatusFacts): StatusItem[] {
  const [first, ...others] = hooksRunning
    .filter(({ runningMs }) => runningMs >= SHOWN_AFTER_MS)
    .toSorted((a, b) => b.runningMs - a.runningMs);
  if (!first) return [];
  const time = `${Math.floor(first.runningMs / 1_000)} s`;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const shorter = [
    { loss: 4, text: `${cut(first.name, 12)} ${time}${more}` },
    { loss: 6, text: `${cut(first.name, 8)} ${time}${others.length === 0 ? "" : ` +${others.length}`}` },
  ];
  return [item("accent", `hook ${first.name} ${time}${more}`, shorter)];
}

/** A hook that is off never leaves the screen: only reasons and names give way, to how many there are (T57). */
function offItem({ hooksOff }: StatusFacts): StatusItem[] {
  const names = hooksOff.flatMap((off) => off.names.map((name) => cut(name, 24)));
  if (names.length === 0) return [];
  const head = `${plural(names.length, "hook")} off`;
  const reasons = hooksOff.map(({ why }) => why).join("; ");
  const form = (shown: number, room: number) => `${head}: ${firstOf(names, shown)} (${cut(reasons, room)})`;
  const fewer = Array.from({ length: Math.min(names.length - 1, MOST_NAMES) }, (_, at) => at + 1);
  const shorter = [
    { loss: 2, text: form(names.length, 24) },
    ...fewer.toReversed().map((shown) => ({ loss: 3, text: form(shown, 24) })),
    { loss: 5, text: form(1, 12) },
    { loss: 6, text: `${head}: ${firstOf(names, 1)}` },
    { loss: 7, text: head },
  ];
  const each = hooksOff.map((off) => `${off.names.join(", ")} (${off.why})`);
  return [item("warn", `${head}: ${each.join("; ")}`, shorter)];
}

const MOST_NAMES = 8;

function firstOf(names: readonly string[], shown: number): string {
  const more = names.length - shown;
  return `${names.slice(0, shown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Nor does what the model is not told, because nobody approved it. */
function instructionsItem({ instructionsOut }: StatusFacts): StatusItem[] {
  if (!instructionsOut) return [];
  return [
    item("warn", "AGENTS.md is not read (not approved): /hooks trust", [
      { loss: 3, text: "AGENTS.md is not read: /hooks trust" },
      { loss: 6, text: "AGENTS.md is not read" },
    ]),
  ];
}

/** Nor does a change that nobody took over: what is on disk is not what counts. */
function changedItem({ changed }: StatusFacts): StatusItem[] {
  if (changed === 0) return [];
  const head = changed === 1 ? "1 change waits" : `${changed} changes wait`;
  return [
    item("warn", `${head} for review: /hooks trust`, [
      { loss: 2, text: `${head}: /hooks trust` },
      { loss: 5, text: head },
    ]),
  ];
}

/** Never leaves the screen either: what nobody judged is not to be forgotten because a line is full. */
function failedOpenItem({ failedOpen }: StatusFacts): StatusItem[] {
  if (failedOpen === 0) return [];
  return [
    item("bad", `${failedOpen} passed unjudged: a hook failed`, [
      { loss: 3, text: `${failedOpen} unjudged` },
    ]),
  ];
}

function queuedItem({ queued }: StatusFacts): StatusItem[] {
  if (queued === 0) return [];
  return [item("plain", `${plural(queued, "message")} queued`, [{ loss: 1, text: `${queued} queued` }])];
}

function backgroundItem({ inBackground = 0 }: StatusFacts): StatusItem[] {
  if (inBackground === 0) return [];
  return [
    item("plain", `${plural(inBackground, "task")} in the background: /tasks`, [
      { loss: 1, text: `${plural(inBackground, "task")} in the background` },
      { loss: 2, text: `${inBackground} in background` },
    ]),
  ];
}

function item(
  meaning: Meaning,
  full: string,
  shorter: readonly { loss: number; text: string }[],
): StatusItem {
  const form = (text: string): Line => (text === "" ? [] : [say(meaning, text)]);
  return { full: form(full), shorter: shorter.map(({ loss, text }) => ({ loss, form: form(text) })) };
}
