import {
  countFailedOpen,
  type AgentEvent,
  type DecisionRecord,
  type FailedOpen,
  type Message,
} from "wave-agent-sdk";
import type { HookCounts, PrintResult } from "./schema.ts";

/** What the result object says about a run beyond how it ended: counted from the events as they pass. */
export interface Tally {
  hooks: HookCounts;
  /** What went on although a hook failed. */
  failedOpen: readonly FailedOpen[];
  /** Answers that a Stop hook sent back (T105). */
  answers: PrintResult["answers"];
  /** The model's latest text: what a Stop hook may send back. */
  lastAnswer: string;
}

/** Before anything has happened. `leftOut`: hooks that settings name and that are not there. */
export const emptyTally = (leftOut = 0): Tally => ({
  hooks: {
    ran: 0,
    allow: 0,
    ask: 0,
    deny: 0,
    none: 0,
    halt: 0,
    could_not_decide: 0,
    interrupted: 0,
    failed_open: 0,
    left_out: leftOut,
  },
  failedOpen: [],
  answers: [],
  lastAnswer: "",
});

export function count(tally: Tally, event: AgentEvent): Tally {
  switch (event.type) {
    case "messages_changed":
      // From the conversation and not from text_delta: a stream that broke and was retried has told some text twice.
      return { ...tally, lastAnswer: answerIn(event.message) ?? tally.lastAnswer };
    case "hooks_decided": {
      const failedOpen = countFailedOpen(tally.failedOpen, event.record);
      const hooks = event.record.hooks.reduce(countHook, tally.hooks);
      return {
        ...tally,
        hooks: { ...hooks, failed_open: failedOpen.reduce((sum, { count }) => sum + count, 0) },
        failedOpen,
        answers: sentBack(event.record)
          ? [...tally.answers, answerSentBack(tally, event.record)]
          : tally.answers,
      };
    }
    default:
      return tally;
  }
}

function answerIn(message: Message | undefined): string | undefined {
  if (message?.role !== "assistant") return undefined;
  const texts = message.blocks.flatMap((block) => (block.type === "text" ? [block.content] : []));
  return texts.length > 0 ? texts.join("\n") : undefined;
}

type Verdict = Exclude<keyof HookCounts, "ran" | "failed_open" | "left_out">;

const VERDICTS: Record<string, Verdict> = {
  allow: "allow",
  ask: "ask",
  deny: "deny",
  none: "none",
  halt: "halt",
  "could not decide": "could_not_decide",
  interrupted: "interrupted",
};

function countHook(counts: HookCounts, hook: DecisionRecord["hooks"][number]): HookCounts {
  const key = verdictOf(hook);
  return {
    ...counts,
    ran: counts.ran + 1,
    [key]: counts[key] + 1,
  };
}

function verdictOf({ verdict, failure }: DecisionRecord["hooks"][number]): Verdict {
  // A hook that failed has a deny or an ask only from its onError; one that was interrupted, from before that.
  if (failure !== undefined && !failure.startsWith("interrupted")) return "could_not_decide";
  // A word that is not in the table would be a verdict nobody taught this list: it must not count as a pass.
  return (Object.hasOwn(VERDICTS, verdict) ? VERDICTS[verdict] : undefined) ?? "could_not_decide";
}

const sentBack = (record: DecisionRecord) => record.event === "Stop" && record.decision === "continued";

function answerSentBack(tally: Tally, record: DecisionRecord): PrintResult["answers"][number] {
  return { text: tally.lastAnswer, sent_back_by: record.decidedBy, reason: record.reason ?? "" };
}
