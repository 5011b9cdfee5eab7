import type { Message, Usage } from "../messages/blocks.ts";
import { newestSummary } from "../messages/context.ts";
import { afterAnswer, afterCompaction, afterUndo, atTurnStart, type ContextState } from "../turn/context.ts";

/** How full the context is, over all turns of a session. */
export class ContextGauge {
  readonly #size: () => number | undefined;
  #state: Omit<ContextState, "size">;

  /** `messages`: those of an earlier session, which tell how full it was. */
  constructor(size: () => number | undefined, messages: readonly Message[]) {
    this.#size = size;
    this.#state = stateOf(messages);
  }

  /** The conversation became another one: what is left of it tells how full it was. */
  measureAnew(messages: readonly Message[]): void {
    this.#state = stateOf(messages);
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
  refused(refusal: string): void {
    this.#state = { ...this.#state, refusal };
  }

  compaction(outcome: "compacted" | "failed"): void {
    this.#state = afterCompaction(this.state, outcome);
  }

  compactionUndone(): void {
    this.#state = afterUndo(this.state);
  }
}

function stateOf(messages: readonly Message[]): Omit<ContextState, "size"> {
  const summary = newestSummary(messages);
  const since = summary ? messages.slice(messages.indexOf(summary) + 1) : messages;
  const usage = since.findLast((message) => message.usage !== undefined)?.usage;
  return { tokens: tokensOf(usage), compaction: "may-help", refusal: undefined };
}

const tokensOf = (usage: Usage | undefined) => usage && usage.inputTokens + usage.outputTokens;
