import {
  limitReached,
  NOTHING_SPENT,
  TimeIsOver,
  type Counted,
  type LimitEnding,
  type Limits,
  type Spent,
} from "../conversation/turn/limits.ts";
import type { Usage } from "../messages/blocks.ts";

/** What the conversations of a session use up, sub-agents included, and the limits that a program set. */
export class Budget {
  #spent: Spent = NOTHING_SPENT;
  readonly #agent: Counted[];
  readonly #deadline: number | undefined;
  #turn: Counted[] = [];

  constructor(limits: Limits | undefined) {
    this.#agent = limits ? [{ limits, whose: "agent", before: NOTHING_SPENT }] : [];
    this.#deadline = limits?.wallMs === undefined ? undefined : performance.now() + limits.wallMs;
  }

  /** A turn of the main conversation begins. Its signal aborts when the time of the turn, or of the agent, is over. */
  turnStarts(limits: Limits | undefined): { signals: AbortSignal[]; ended: () => void } {
    this.#turn = limits ? [{ limits, whose: "turn", before: this.#spent }] : [];
    const times = [
      ...(limits?.wallMs === undefined ? [] : [timer("turn", limits.wallMs, limits.wallMs)]),
      ...this.#agentTime(),
    ];
    return {
      signals: times.map(({ signal }) => signal),
      ended: () => {
        this.#turn = [];
        for (const { stop } of times) stop();
      },
    };
  }

  /** A request was answered. */
  answered(usage: Usage | undefined): void {
    const { modelCalls, tokens, costUsd, uncounted, unpriced } = this.#spent;
    this.#spent = {
      modelCalls: modelCalls + 1,
      tokens: tokens + (usage ? usage.inputTokens + usage.outputTokens : 0),
      costUsd: costUsd + (usage?.costUsd ?? 0),
      uncounted: uncounted + (usage ? 0 : 1),
      unpriced: unpriced + (usage?.costUsd === undefined ? 1 : 0),
    };
  }

  get reached(): LimitEnding | undefined {
    return limitReached([...this.#turn, ...this.#agent], this.#spent);
  }

  #agentTime() {
    const wallMs = this.#agent[0]?.limits.wallMs;
    if (this.#deadline === undefined || wallMs === undefined) return [];
    return [timer("agent", wallMs, Math.max(0, this.#deadline - performance.now()))];
  }
}

function timer(whose: Counted["whose"], wallMs: number, left: number) {
  const over = new AbortController();
  // Node fires at once for more than 24 days.
  const clock = setTimeout(() => over.abort(new TimeIsOver(whose, wallMs)), Math.min(left, 2 ** 31 - 1));
  return { signal: over.signal, stop: () => clearTimeout(clock) };
}
