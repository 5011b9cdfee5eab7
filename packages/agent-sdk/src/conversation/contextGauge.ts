import type { TurnFailure } from "../errors.ts";
import type { Message, Usage } from "../messages/blocks.ts";
import { measuredContext } from "../messages/context.ts";
import { afterAnswer, afterCompaction, afterUndo, atTurnStart, type ContextState } from "./turn/context.ts";

/** How full the context is, over all turns of a session. */
export class ContextGauge {
  readonly #size: () => number | undefined;
  #state: Omit<ContextState, "size">;
  /** About how many tokens there are, while no answer has told it. Only shown: nothing is decided by a guess. */
  #estimate: number | undefined;

  /** `messages`: those of an earlier session, which tell how full it was. */
  constructor(size: () => number | undefined, messages: readonly Message[]) {
    this.#size = size;
    this.#state = { tokens: undefined, compaction: "may-help", refusal: undefined };
    this.measureAnew(messages);
  }

  /** The conversation became another one: what is left of it tells how full it was. */
  measureAnew(messages: readonly Message[]): void {
    this.#measure(messages);
    this.#state = { ...this.#state, compaction: "may-help", refusal: undefined };
  }

  /** How full it is for somebody who looks at it. */
  get shown(): { tokens: number | undefined; estimated?: true } {
    const { tokens } = this.#state;
    if (tokens !== undefined || this.#estimate === undefined) return { tokens };
    return { tokens: this.#estimate, estimated: true };
  }

  get state(): ContextState {
    return { ...this.#state, size: this.#size() };
  }

  turnStarts(): void {
    this.#state = atTurnStart(this.state);
  }

  answered(usage: Usage | undefined): void {
    this.#state = afterAnswer(this.state, tokensOf(usage));
  }

  /** The server took the request for too long, and said so. */
  refused(refusal: TurnFailure): void {
    this.#state = { ...this.#state, refusal };
  }

  /** `messages`: with the summary, if there is one. */
  compaction(outcome: "compacted" | "failed", messages: readonly Message[]): void {
    this.#state = afterCompaction(this.state, outcome);
    if (outcome === "compacted") this.#measure(messages);
  }

  compactionUndone(messages: readonly Message[]): void {
    this.#state = afterUndo(this.state);
    this.#measure(messages);
  }

  #measure(messages: readonly Message[]): void {
    const { tokens, estimate } = measuredContext(messages);
    this.#state = { ...this.#state, tokens };
    this.#estimate = estimate;
  }
}

const tokensOf = (usage: Usage | undefined) => usage && usage.inputTokens + usage.outputTokens;
