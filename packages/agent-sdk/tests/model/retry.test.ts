import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ModelError } from "@/errors.ts";
import type { RetryNotice } from "@/services/aiService.ts";
import { withRetries } from "@/model/attempts.ts";
import type { RetryAdvice } from "@/model/call.ts";
import { longWait, readRetryAfter, retryWaitMs } from "@/model/retry.ts";

const later = (afterMs?: number): Extract<RetryAdvice, { again: "later" }> => ({
  again: "later",
  attempts: 5,
  afterMs,
  why: "busy",
});

describe("the wait before the next attempt", () => {
  const rows: [string, number, RetryAdvice, number, number | undefined][] = [
    ["is half of the first step at least", 1, later(), 0, 250],
    ["is the whole first step at most", 1, later(), 1, 500],
    ["doubles", 2, later(), 1, 1000],
    ["doubles again", 4, later(), 1, 4000],
    ["does not exist after the last attempt", 5, later(), 1, undefined],
    ["does not grow without end", 20, { ...later(), attempts: 99 }, 1, 30_000],
    ["is what the server asked for", 1, later(7000), 0, 7000],
    ["is nothing when the server asked for nothing", 1, later(0), 0.5, 0],
    ["does not exist when asking again is of no use", 1, { again: "no" }, 0, undefined],
    ["is nothing when the request was changed", 1, { again: "at-once" }, 0, 0],
  ];
  it.each(rows)("%s", (_what, failed, advice, random, expected) => {
    expect(retryWaitMs({ failed, advice, random })).toBe(expected);
  });
});

describe("an answer that breaks off every time", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is asked for as often as the advice says, with growing waits, and each time begins anew", async () => {
    let asked = 0;
    const notices: RetryNotice[] = [];
    const answer = withRetries(
      async () => {
        asked++;
        const error = new ModelError("broken-stream", "It broke.");
        return { end: "failed", error, retry: { ...later(), attempts: 4, restarts: true } };
      },
      { signal: undefined, onRetry: (notice) => void notices.push(notice) },
    );
    const failure = answer.catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await failure).toMatchObject({
      kind: "broken-stream",
      message: "It broke. (Wave tried 4 times.)",
    });
    expect(asked).toBe(4);
    expect(notices.map(({ attempt, restarts }) => [attempt, restarts])).toEqual([
      [1, true],
      [2, true],
      [3, true],
    ]);
    expect(notices.map(({ waitMs }) => waitMs)).toEqual(
      notices.map(({ waitMs }) => waitMs).toSorted((a, b) => a - b),
    );
  });
});

describe("a server that asks to wait", () => {
  const rows: [number | undefined, string | undefined][] = [
    [undefined, undefined],
    [60_000, undefined],
    [60_001, "61 s"],
    [120_000, "120 s"],
    [3_600_000, "60 min"],
    [86_400_000, "24 h"],
  ];
  it.each(rows)("for %s ms is longer than Wave waits: %s", (afterMs, expected) => {
    expect(longWait(afterMs)).toBe(expected);
  });
});

describe("retry-after", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const rows: [Record<string, string | string[] | undefined>, number | undefined][] = [
    [{ "retry-after": "3" }, 3000],
    [{ "retry-after": " 1.5 " }, 1500],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:10 GMT" }, 10_000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after": ["4", "5"] }, 4000],
    [{}, undefined],
  ];
  it.each(rows)("%o is %s ms", (headers, expected) => {
    expect(readRetryAfter(headers, now)).toBe(expected);
  });
});
