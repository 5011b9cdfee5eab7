/** What a turn, or an agent in all its turns, may use up. Whatever is left out has no limit. */
export interface Limits {
  /** Requests to the model. */
  modelCalls?: number | undefined;
  /** Tokens in and out, as the model server counts them. */
  tokens?: number | undefined;
  /** Money in US dollars, by the prices that Wave knows. */
  costUsd?: number | undefined;
  /** Time in milliseconds. */
  wallMs?: number | undefined;
}

export type LimitName = keyof Limits;

/** What was used up so far. */
export interface Spent {
  modelCalls: number;
  tokens: number;
  costUsd: number;
  /** Answers whose tokens the server did not count, and answers whose price nobody knows. */
  uncounted: number;
  unpriced: number;
}

export const NOTHING_SPENT: Spent = { modelCalls: 0, tokens: 0, costUsd: 0, uncounted: 0, unpriced: 0 };

/** A turn that ended because a limit was reached. */
export interface LimitEnding {
  because: "limit";
  limit: LimitName;
  reason: string;
  failure?: never;
}

/** One set of limits, whose they are, and what was used up when they began to count. */
export interface Counted {
  limits: Limits;
  whose: "turn" | "agent";
  before: Spent;
}

/** The first limit that was reached, so that no further request may be sent. What cannot be counted counts as reached. */
export function limitReached(counted: readonly Counted[], now: Spent): LimitEnding | undefined {
  for (const { limits, whose, before } of counted) {
    const since = (name: keyof Spent) => now[name] - before[name];
    const { modelCalls, tokens, costUsd } = limits;
    if (modelCalls !== undefined && since("modelCalls") >= modelCalls)
      return ending("modelCalls", `the ${whose}'s limit of ${modelCalls} model calls was reached`);
    if (tokens !== undefined && since("tokens") >= tokens)
      return ending("tokens", `the ${whose}'s limit of ${tokens} tokens was reached`);
    if (tokens !== undefined && since("uncounted") > 0)
      return ending("tokens", "the model server does not count tokens, so a limit in tokens cannot be kept");
    if (costUsd !== undefined && since("costUsd") >= costUsd)
      return ending("costUsd", `the ${whose}'s limit of $${costUsd} was reached`);
    if (costUsd !== undefined && since("unpriced") > 0)
      return ending("costUsd", "Wave knows no price of this model, so a limit in money cannot be kept");
  }
  return undefined;
}

/** The reason of a signal that ends a turn because its time is over. */
export class TimeIsOver extends Error {
  readonly ending: LimitEnding;

  constructor(whose: Counted["whose"], wallMs: number) {
    super(`the ${whose}'s limit of ${wallMs} ms was reached`);
    this.ending = ending("wallMs", this.message);
  }
}

/** How a turn ends whose signal was aborted. */
export const endedBy = ({ reason }: AbortSignal): LimitEnding | { because: "aborted"; reason: string } =>
  reason instanceof TimeIsOver ? reason.ending : { because: "aborted", reason: "interrupted" };

const ending = (limit: LimitName, what: string): LimitEnding => ({
  because: "limit",
  limit,
  reason: `${what}; the work may be unfinished`,
});
