import type { Usage } from "../messages/blocks.ts";

/** In US dollars for a million tokens. */
export interface Price {
  input: number;
  output: number;
  /** Input that is read from the cache. */
  cached: number;
  /** Input that is written to the cache. Absent: the same as other input. */
  written?: number;
}

interface PricedModel extends Price {
  /** With its provider, as Wave names it. Dates at the end of a name do not count. */
  model: string;
  /** For requests of more input than this, another price holds for all of it; `price` absent: Wave does not know it. */
  above?: { tokens: number; price?: Price };
  /** The last day on which it holds. */
  until?: string;
}

const LONG = 272_000;
const UNKNOWN_ABOVE = { tokens: LONG };

/** Only what a provider publishes. A model that is not here has no price, and Wave says so. */
export const PRICES: readonly PricedModel[] = [
  { model: "anthropic/claude-fable-5-1", input: 10, output: 50, cached: 0.25, written: 12.5 },
  { model: "anthropic/claude-fable-5", input: 10, output: 50, cached: 1, written: 12.5 },
  { model: "anthropic/claude-opus-5-5", input: 4, output: 20, cached: 0.2, written: 5 },
  { model: "anthropic/claude-opus-5", input: 5, output: 25, cached: 0.5, written: 6.25 },
  { model: "anthropic/claude-opus-4-8", input: 5, output: 25, cached: 0.5, written: 6.25 },
  { model: "anthropic/claude-opus-4-7", input: 5, output: 25, cached: 0.5, written: 6.25 },
  { model: "anthropic/claude-opus-4-6", input: 5, output: 25, cached: 0.5, written: 6.25 },
  { model: "anthropic/claude-opus-4-5", input: 5, output: 25, cached: 0.5, written: 6.25 },
  { model: "anthropic/claude-sonnet-5-5", input: 2, output: 10, cached: 0.1, written: 2.5 },
  { model: "anthropic/claude-sonnet-5", input: 2, output: 10, cached: 0.2, written: 2.5 },
  { model: "anthropic/claude-sonnet-4-6", input: 3, output: 15, cached: 0.3, written: 3.75 },
  { model: "anthropic/claude-sonnet-4-5", input: 3, output: 15, cached: 0.3, written: 3.75 },
  {
    model: "anthropic/claude-haiku-5-5",
    input: 0.1,
    output: 0.5,
    cached: 0.01,
    written: 0.125,
    above: { tokens: 100_000 },
  },
  { model: "anthropic/claude-haiku-4-5", input: 1, output: 5, cached: 0.1, written: 1.25 },

  { model: "openai/gpt-6-astra", input: 10, output: 50, cached: 1, written: 12.5, above: UNKNOWN_ABOVE },
  {
    model: "openai/gpt-6.1-sol",
    input: 2,
    output: 10,
    cached: 0.1,
    written: 2.5,
    above: { tokens: LONG, price: { input: 4, output: 15, cached: 0.2, written: 5 } },
  },
  { model: "openai/gpt-6.1-terra", input: 1, output: 5, cached: 0.05, written: 1.25, above: UNKNOWN_ABOVE },
  { model: "openai/gpt-6-sol", input: 2, output: 10, cached: 0.2, written: 2.5, above: UNKNOWN_ABOVE },
  { model: "openai/gpt-6-luna", input: 0.1, output: 0.5, cached: 0.01, written: 0.125, above: UNKNOWN_ABOVE },
  { model: "openai/gpt-5.6-terra", input: 2, output: 12, cached: 0.2, above: UNKNOWN_ABOVE },
  { model: "openai/gpt-5.6-luna", input: 0.2, output: 1.2, cached: 0.02, above: UNKNOWN_ABOVE },
  { model: "openai/gpt-5.5", input: 5, output: 30, cached: 0.5, above: UNKNOWN_ABOVE },
  {
    model: "openai/gpt-5.4",
    input: 2.5,
    output: 15,
    cached: 0.25,
    above: { tokens: LONG, price: { input: 5, output: 22.5, cached: 0.5 } },
  },
  { model: "openai/gpt-5.4-mini", input: 0.75, output: 4.5, cached: 0.075, above: UNKNOWN_ABOVE },
  { model: "openai/gpt-5.4-nano", input: 0.2, output: 1.25, cached: 0.02, above: UNKNOWN_ABOVE },
  { model: "openai/gpt-5.2", input: 1.75, output: 14, cached: 0.175 },
  { model: "openai/gpt-5.1", input: 1.25, output: 10, cached: 0.125 },

  { model: "google/gemini-4-argon", input: 2, output: 10, cached: 0.1, until: "2026-11-30" },
  { model: "google/gemini-4-argon", input: 4, output: 20, cached: 0.2 },
  { model: "google/gemini-3.5-flash", input: 1.5, output: 9, cached: 0.15 },
  { model: "google/gemini-3-flash-preview", input: 0.5, output: 3, cached: 0.05 },
  {
    model: "google/gemini-2.5-pro",
    input: 1.25,
    output: 10,
    cached: 0.125,
    above: { tokens: 200_000, price: { input: 2.5, output: 15, cached: 0.25 } },
  },
  { model: "google/gemini-2.5-flash", input: 0.3, output: 2.5, cached: 0.03 },
];

/** What a request of this size costs on this day (year-month-day); undefined where Wave does not know it. */
export function priceOf(model: string, day: string, inputTokens = 0): Price | undefined {
  const name = model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  const priced = PRICES.find((one) => one.model === name && (one.until === undefined || day <= one.until));
  if (!priced) return undefined;
  return priced.above && inputTokens > priced.above.tokens ? priced.above.price : priced;
}

/** In US dollars. */
export function costOf(model: string, day: string, usage: Usage): number | undefined {
  const price = priceOf(model, day, usage.inputTokens);
  if (!price) return undefined;
  const { cachedInputTokens: cached = 0, cacheWriteTokens: written = 0 } = usage;
  const fresh = usage.inputTokens - cached - written;
  const sum =
    fresh * price.input +
    cached * price.cached +
    written * (price.written ?? price.input) +
    usage.outputTokens * price.output;
  return sum / 1_000_000;
}
