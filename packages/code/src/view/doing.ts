import type { AgentEvent } from "wave-agent-sdk";
import { printableLine } from "../utils/printable.ts";
import { fitLine, span, textOf, widthOf } from "./span.ts";

/** What a turn is busy with. As data: some of its words depend on the moment in which they are read. */
export type Doing =
  | { is: "busy"; with: string }
  /** The model failed and is asked again at a time; 0 ms: at once. */
  | { is: "retrying"; at: number; waitMs: number; why: string }
  /** Somebody pressed Esc; what runs may take a moment to end. */
  | { is: "stopping" };

/** What an event says about it; undefined: nothing new. */
export function doingAfter(event: AgentEvent, now: number): Doing | undefined {
  switch (event.type) {
    case "compaction_started":
      return { is: "busy", with: "compacting the conversation" };
    case "compaction_delta":
      return { is: "busy", with: "compacting the conversation, the summary is coming" };
    case "model_started":
      return { is: "busy", with: "thinking" };
    case "text_delta":
      return { is: "busy", with: "writing" };
    case "tool_started":
      return { is: "busy", with: `running ${event.name}` };
    case "model_retry":
      return { is: "retrying", at: now + event.waitMs, waitMs: event.waitMs, why: event.why };
    default:
      return undefined;
  }
}

export interface WorkFacts {
  doing: Doing;
  /** When the turn began. */
  since: number;
  /** Hooks that run now. They are what everything else waits for; the one that has run longest is named. */
  hooks: readonly { name: string; event: string; since: number }[];
  /** Undefined: nothing counts on this screen, for those who have it read to them. */
  now: number | undefined;
}

/** A hook that answers within a second needs no clock. */
const TIMED_AFTER_MS = 1_000;

/** "hook lint for 3 s at PreToolUse · Esc stops". Where it is too long, what is done gives way, not the key. */
export function workingWords({ doing, since, hooks, now }: WorkFacts, width: number): string {
  const longest = hooks.toSorted((a, b) => a.since - b.since)[0];
  const ran = longest && now !== undefined ? now - longest.since : 0;
  const hook = longest ? hookWords(longest, { ran, others: hooks.length - 1 }) : undefined;
  // One number at a time: that of the hook tells more.
  const total = now === undefined || ran >= TIMED_AFTER_MS ? [] : [`${seconds(now - since)} s`];
  const parts =
    doing.is === "stopping"
      ? { what: `stopping${hook === undefined ? "" : ` ${hook}`} …`, rest: total }
      : { what: hook ?? wordsOf(doing, now), rest: [...total, "Esc stops"] };
  const rest = parts.rest.map((part) => ` · ${part}`).join("");
  return textOf(fitLine([span(parts.what)], Math.max(1, width - widthOf(rest)))) + rest;
}

function wordsOf(doing: Exclude<Doing, { is: "stopping" }>, now: number | undefined): string {
  if (doing.is === "busy") return printableLine(doing.with);
  const why = printableLine(doing.why);
  if (now === undefined && doing.waitMs > 0)
    return `retrying the model after ${Math.ceil(doing.waitMs / 1_000)} s (${why})`;
  // A clock that is read once a second may be behind: never more than was announced.
  const left = now === undefined ? 0 : Math.min(doing.waitMs, doing.at - now);
  return left > 0
    ? `retrying the model in ${Math.ceil(left / 1_000)} s (${why})`
    : `asking the model again (${why})`;
}

function hookWords(
  { name, event }: WorkFacts["hooks"][number],
  { ran, others }: { ran: number; others: number },
): string {
  const time = ran >= TIMED_AFTER_MS ? ` for ${seconds(ran)} s` : "";
  const more = others === 0 ? "" : ` and ${others} more`;
  return `hook ${printableLine(name)}${time} at ${event}${more}`;
}

const seconds = (ms: number) => Math.max(0, Math.floor(ms / 1_000));
