import type { ToolCallWire } from "../messages/toolCall.ts";

/** A turn so far: everything from one prompt to the next idle, as data. */
export interface TurnState {
  ending: Ending | undefined;
  /** Calls of the last answer that have no result yet. */
  pendingCalls: readonly ToolCallWire[];
  /** The model ended by itself, and the Stop hooks have not been asked about it. */
  answered: boolean;
  modelCalls: number;
  maxModelCalls: number | undefined;
  /** Blocked stops in a row. */
  stopBlocks: number;
}

/** Why a turn ends. The first reason that is set stays. */
export interface Ending {
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
    | "context-full"
    | "model-error";
  reason?: string;
}

export type Step =
  | { do: "call-model" }
  | { do: "run-tools"; calls: readonly ToolCallWire[] }
  | { do: "ask-stop-hooks" }
  | { do: "finish"; ending: Ending };

/** A Stop hook that always blocks must not keep a turn alive for ever (T100, G14). */
export const STOP_BLOCK_LIMIT = 8;

/** The whole policy of a turn. AIManager performs what this chooses. */
export function nextStep(turn: TurnState): Step {
  if (turn.ending) return { do: "finish", ending: turn.ending };
  if (turn.pendingCalls.length > 0) return { do: "run-tools", calls: turn.pendingCalls };
  if (turn.answered) return { do: "ask-stop-hooks" };
  if (turn.maxModelCalls !== undefined && turn.modelCalls >= turn.maxModelCalls) {
    const reason = `the limit of ${turn.maxModelCalls} model calls for one prompt was reached; the work may be unfinished`;
    return { do: "finish", ending: { because: "max-turns", reason } };
  }
  return { do: "call-model" };
}
