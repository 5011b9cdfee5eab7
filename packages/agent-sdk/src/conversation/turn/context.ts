import type { TurnFailure } from "../../errors.ts";

/** How full the model's context is, and what may be done about it. */
export interface ContextState {
  /** Of the last request and its answer; undefined until the model server has counted them. */
  tokens: number | undefined;
  /** What the model takes; undefined when nobody said. */
  size: number | undefined;
  /** In a session a compaction follows another only when there was room in between: it must not become a loop. */
  compaction: "may-help" | "did-not-help" | "just-made";
  /** The server took the last request for too long. */
  refusal: TurnFailure | undefined;
}

/** Beyond this share the next answer or tool result may not fit any more. */
export const NEARLY_FULL = 0.85;

export function isNearlyFull({ tokens, size }: Pick<ContextState, "tokens" | "size">): boolean {
  return tokens !== undefined && size !== undefined && tokens > size * NEARLY_FULL;
}

/** An answer came. Only one with room left lets a later compaction be of use again. */
export function afterAnswer(context: ContextState, tokens: number | undefined): ContextState {
  const next = { ...context, tokens: tokens ?? context.tokens, refusal: undefined };
  if (isNearlyFull(next)) return { ...next, compaction: helpsAgain(context) ? "may-help" : "did-not-help" };
  return { ...next, compaction: "may-help" };
}

/** A summary was made, or could not be made: either way the next request has to show what came of it. */
export function afterCompaction(context: ContextState, outcome: "compacted" | "failed"): ContextState {
  if (outcome === "failed") return { ...context, compaction: "just-made" };
  return { ...context, tokens: undefined, refusal: undefined, compaction: "just-made" };
}

/** A person took the summary back: nothing makes another one by itself until the model has no room at all. */
export function afterUndo(context: ContextState): ContextState {
  return { ...context, tokens: undefined, compaction: "did-not-help" };
}

/** A new prompt may try once more what the last turn tried. */
export function atTurnStart(context: ContextState): ContextState {
  const compaction = helpsAgain(context) ? "may-help" : "did-not-help";
  return { ...context, refusal: undefined, compaction };
}

const helpsAgain = ({ compaction }: ContextState) => compaction === "may-help";
