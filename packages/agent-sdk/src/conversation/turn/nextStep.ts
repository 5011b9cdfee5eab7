import type { TurnFailure } from "../../errors.ts";
import type { ToolCallWire } from "../../messages/toolCall.ts";
import type { LimitEnding } from "./limits.ts";
import { isNearlyFull, type ContextState } from "./context.ts";

/** A turn so far: everything from one prompt to the next idle, as data. */
export interface TurnState {
  ending: Ending | undefined;
  /** Calls of the last answer that have no result yet. */
  pendingCalls: readonly ToolCallWire[];
  /** The model ended by itself, and the Stop hooks have not been asked about it. */
  answered: boolean;
  /** Whether the answer fits the schema that the program gave. */
  output: "none" | "unchecked" | "fits";
  modelCalls: number;
  /** Of those, the ones the server refused as too long: they were no answer and do not count. */
  refusedCalls: number;
  maxModelCalls: number | undefined;
  /** Blocked stops in a row. */
  stopBlocks: number;
  context: ContextState;
  /** A limit that keeps the next request from being sent. */
  limitReached: LimitEnding | undefined;
  /** Something the person typed waits to be told in this turn. */
  steering: "none" | "waits";
}

/** Why a turn ends. The first reason that is set stays. */
export type Ending = (FailedEnding | LimitEnding | OtherEnding) & { reason?: string };

/** The model did not answer. */
export interface FailedEnding {
  because: "model-error" | "context-full";
  failure: TurnFailure;
}

export interface OtherEnding {
  because:
    | "done"
    /** The cap on blocked stops was reached. */
    | "stop-cap"
    | "aborted"
    /** A hook printed `continue: false`. */
    | "halted"
    /** A person said no. */
    | "denied"
    | "max-turns"
    /** The answer never fitted the schema that the program gave. */
    | "output-misfit";
  failure?: never;
}

export type Step =
  | { do: "call-model" }
  | { do: "run-tools"; calls: readonly ToolCallWire[] }
  | { do: "check-output" }
  | { do: "ask-stop-hooks" }
  | { do: "take-steering" }
  | { do: "compact"; because: "refused" | "nearly-full" }
  | { do: "finish"; ending: Ending };

/** A Stop hook that always blocks must not keep a turn alive for ever (T100, G14). */
export const STOP_BLOCK_LIMIT = 8;

/** The whole policy of a turn. AIManager performs what this chooses. */
export function nextStep(turn: TurnState): Step {
  if (turn.ending) return { do: "finish", ending: turn.ending };
  if (turn.pendingCalls.length > 0) return { do: "run-tools", calls: turn.pendingCalls };
  if (turn.answered) return turn.output === "unchecked" ? { do: "check-output" } : { do: "ask-stop-hooks" };
  const { refusal, compaction } = turn.context;
  if (refusal !== undefined) {
    if (compaction !== "just-made") return { do: "compact", because: "refused" };
    return { do: "finish", ending: { because: "context-full", reason: refusal.message, failure: refusal } };
  }
  const counted = turn.modelCalls - turn.refusedCalls;
  if (turn.maxModelCalls !== undefined && counted >= turn.maxModelCalls) {
    const reason = `the limit of ${turn.maxModelCalls} model calls for one prompt was reached; the work may be unfinished`;
    return { do: "finish", ending: { because: "max-turns", reason } };
  }
  if (turn.limitReached) return { do: "finish", ending: turn.limitReached };
  if (turn.steering === "waits") return { do: "take-steering" };
  if (compaction === "may-help" && isNearlyFull(turn.context))
    return { do: "compact", because: "nearly-full" };
  return { do: "call-model" };
}
