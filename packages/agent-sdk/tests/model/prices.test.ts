import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Usage } from "@/messages/blocks.ts";
import { sumUsage } from "@/messages/usage.ts";
import { costOf, priceOf, PRICES } from "@/model/prices.ts";
import { PRICES_AS_OF } from "@/model/pricesAsOf.ts";
import { MODEL_PROVIDERS } from "@/utils/modelProviders.ts";

const DAY = "2026-11-06";
const usage = (inputTokens: number, outputTokens: number, more: Partial<Usage> = {}): Usage => ({
  inputTokens,
  outputTokens,
  ...more,
});

describe("what an answer costs", () => {
  it.each<[string, string, Usage, number | undefined]>([
    ["input and output", "anthropic/claude-sonnet-5-5", usage(1_000_000, 100_000), 3],
    [
      "less for what is read from the cache, more for what is written there",
      "anthropic/claude-opus-4-8",
      usage(1_000_000, 0, { cachedInputTokens: 800_000, cacheWriteTokens: 100_000 }),
      0.5 + 0.4 + 0.625,
    ],
    [
      "what the model costs whose name has a date",
      "anthropic/claude-haiku-4-5-20251001",
      usage(1_000_000, 0),
      1,
    ],
    [
      "what the model costs whose name has another date",
      "openai/gpt-5.4-2026-03-05",
      usage(100_000, 0),
      0.25,
    ],
    ["more for a long request, all of it", "openai/gpt-5.4", usage(300_000, 100_000), 1.5 + 2.25],
    [
      "nothing that is known, for a long request whose price is not",
      "openai/gpt-5.5",
      usage(300_000, 0),
      undefined,
    ],
    ["nothing that is known, for a model that is not in the list", "openai/gpt-99", usage(1, 1), undefined],
    [
      "nothing that is known, at a server that only has the model",
      "claude-sonnet-5-5",
      usage(1, 1),
      undefined,
    ],
    ["nothing that is known, at a router", "openrouter/anthropic/claude-sonnet-5-5", usage(1, 1), undefined],
    ["nothing that is known, for a name that goes on", "openai/gpt-5.4-pro", usage(1, 1), undefined],
  ])("is %s", (_what, model, used, cost) => {
    const is = costOf(model, DAY, used);
    if (cost === undefined) expect(is).toBeUndefined();
    else expect(is).toBeCloseTo(cost, 9);
  });

  it("changes on the day on which a provider says so", () => {
    expect(priceOf("google/gemini-4-argon", "2026-11-30")?.input).toBe(2);
    expect(priceOf("google/gemini-4-argon", "2026-12-01")?.input).toBe(4);
  });

  it("comes from a list with a date, of providers that Wave knows, with one price for a day", () => {
    expect(PRICES_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const ids = MODEL_PROVIDERS.map(({ id }) => id);
    for (const { model, input, output, cached } of PRICES) {
      expect(ids).toContain(model.split("/")[0]);
      expect(cached).toBeLessThan(input);
      expect(input).toBeLessThan(output);
    }
    const days = PRICES.map(({ model, until }) => `${model} ${until ?? ""}`);
    expect(new Set(days).size).toBe(days.length);
  });
});

describe("a sum of costs", () => {
  const counts = fc.record(
    {
      inputTokens: fc.nat(1000),
      outputTokens: fc.nat(1000),
      cachedInputTokens: fc.nat(1000),
      costUsd: fc.nat(100),
    },
    { requiredKeys: ["inputTokens", "outputTokens"] },
  );

  it("loses no token and no cent, and counts the tokens that have no price", () => {
    fc.assert(
      fc.property(fc.array(counts, { minLength: 1 }), (list) => {
        const total = list.reduce<Usage | undefined>(sumUsage, undefined);
        const sum = (of: (one: Usage) => number) => list.reduce((all, one) => all + of(one), 0);
        const tokens = (one: Usage) => one.inputTokens + one.outputTokens;
        expect(total && tokens(total)).toBe(sum(tokens));
        if (list.every(({ costUsd }) => costUsd === undefined)) {
          expect(total).not.toHaveProperty("costUsd");
          return;
        }
        expect(total?.costUsd).toBe(sum(({ costUsd = 0 }) => costUsd));
        expect(total?.unpricedTokens ?? 0).toBe(sum((one) => (one.costUsd === undefined ? tokens(one) : 0)));
      }),
    );
  });
});
