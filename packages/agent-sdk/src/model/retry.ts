import type { RetryAdvice } from "./call.ts";

export const MAX_ATTEMPTS = 5;
/** A server that refuses connections is rarely back within seconds, and a person is waiting for the word "refused". */
export const MAX_ATTEMPTS_REFUSED = 3;

/** An answer that breaks off at the same place again and again costs its whole time every time. */
export const MAX_ATTEMPTS_BROKEN = 4;
/** Every further one would take minutes of silence. */
export const MAX_ATTEMPTS_SILENT = 2;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A server may ask for an hour; nobody watches a spinner that long, and asking sooner is of no use. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** How long the server wants to be left alone, in words, when that is longer than Wave waits by itself. */
export function longWait(afterMs: number | undefined): string | undefined {
  if (afterMs === undefined || afterMs <= LONGEST_RETRY_AFTER_MS) return undefined;
  const seconds = Math.ceil(afterMs / 1000);
  if (seconds < 600) return `${seconds} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

/** How long to wait before the next attempt, or undefined when this was the last. `random` is in [0, 1). */
export function retryWaitMs(input: {
  failed: number;
  advice: RetryAdvice;
  random: number;
}): number | undefined {
  const { failed, advice, random } = input;
  if (advice.again === "no") return undefined;
  if (advice.again === "at-once") return 0;
  if (failed >= advice.attempts) return undefined;
  if (advice.afterMs !== undefined) return advice.afterMs;
  const backOff = Math.min(FIRST_WAIT_MS * 2 ** (failed - 1), LONGEST_WAIT_MS);
  // Half of it is left to chance, so that many clients that failed together do not come back together.
  return Math.round(backOff * (0.5 + random / 2));
}

/** `retry-after` in seconds or as a date, and the `retry-after-ms` some servers send beside it. */
export function readRetryAfter(
  headers: Record<string, string | string[] | undefined>,
  now: number,
): number | undefined {
  const inMs = positive(Number(headerText(headers["retry-after-ms"])));
  if (inMs !== undefined) return inMs;
  const value = headerText(headers["retry-after"]);
  if (value === undefined) return undefined;
  // Not left to Date.parse: it would read a number such as -1 as a year.
  if (!Number.isNaN(Number(value))) return positive(Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function headerText(value: string | string[] | undefined): string | undefined {
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text === "" ? undefined : text;
}

function positive(value: number): number | undefined {
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
