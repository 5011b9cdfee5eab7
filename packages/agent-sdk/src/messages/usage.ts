import type { Usage } from "./blocks.ts";

/**
 * Two counts as one. Money is the sum of what has a price; the tokens of the rest are counted beside it, so that nobody takes a part
 * for the whole. Without any price there is nothing to say about money.
 */
export function sumUsage(one: Usage | undefined, other: Usage): Usage {
  if (!one) return other;
  const cached = (one.cachedInputTokens ?? 0) + (other.cachedInputTokens ?? 0);
  const written = (one.cacheWriteTokens ?? 0) + (other.cacheWriteTokens ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(written > 0 && { cacheWriteTokens: written }),
    ...moneyOf(one, other),
  };
}

function moneyOf(one: Usage, other: Usage): Pick<Usage, "costUsd" | "unpricedTokens"> {
  if (one.costUsd === undefined && other.costUsd === undefined) return {};
  const unpriced = unpricedIn(one) + unpricedIn(other);
  return {
    costUsd: (one.costUsd ?? 0) + (other.costUsd ?? 0),
    ...(unpriced > 0 && { unpricedTokens: unpriced }),
  };
}

const unpricedIn = ({ costUsd, unpricedTokens = 0, inputTokens, outputTokens }: Usage) =>
  costUsd === undefined ? inputTokens + outputTokens : unpricedTokens;
