import { describe, expect, it } from "vitest";
import { workingWords, type Doing, type WorkFacts } from "../../src/view/doing.ts";

const thinking: Doing = { is: "busy", with: "thinking" };
const hook = (name: string, since: number) => ({ name, event: "PreToolUse", since });
const retry: Doing = { is: "retrying", at: 20_000, waitMs: 8_000, why: "429, the server is busy" };
const stopping: Doing = { is: "stopping" };

/** The turn began at 10 s of the clock. */
const rows: [string, Partial<WorkFacts>, string][] = [
  ["what the model does, and since when", {}, "thinking · 5 s · Esc stops"],
  [
    "which hook runs at which event",
    { hooks: [hook("lint", 14_500)] },
    "hook lint at PreToolUse · 5 s · Esc stops",
  ],
  [
    "for how long, after a second",
    { hooks: [hook("b", 14_500), hook("lint", 12_000)] },
    "hook lint for 3 s at PreToolUse and 1 more · Esc stops",
  ],
  [
    "when the model is asked again, and why",
    { doing: retry },
    "retrying the model in 5 s (429, the server is busy) · 5 s · Esc stops",
  ],
  [
    "never more seconds than were announced, with a clock that is behind",
    { doing: { ...retry, at: 25_000 } },
    "retrying the model in 8 s (429, the server is busy) · 5 s · Esc stops",
  ],
  [
    "that it is asked again now",
    { doing: { ...retry, at: 15_000, waitMs: 0, why: "the request was changed" } },
    "asking the model again (the request was changed) · 5 s · Esc stops",
  ],
  ["that it stops, at once", { doing: stopping }, "stopping … · 5 s"],
  [
    "what it waits for while it stops",
    { doing: stopping, hooks: [hook("deaf", 12_000)] },
    "stopping hook deaf for 3 s at PreToolUse …",
  ],
  [
    "nothing that counts, where it is read aloud",
    { now: undefined, hooks: [hook("lint", 12_000)] },
    "hook lint at PreToolUse · Esc stops",
  ],
  [
    "how long the wait is, where nothing counts",
    { now: undefined, doing: retry },
    "retrying the model after 8 s (429, the server is busy) · Esc stops",
  ],
  [
    "a name without what could control the terminal",
    { hooks: [hook("a\u001b[2Jb", 14_500)] },
    "hook a\\x1b[2Jb at PreToolUse · 5 s · Esc stops",
  ],
];

describe("the line about the work", () => {
  it.each(rows)("says %s (T133, T64)", (_what, facts, words) => {
    expect(workingWords({ doing: thinking, since: 10_000, hooks: [], now: 15_000, ...facts }, 100)).toBe(
      words,
    );
  });

  it("fits 40 columns, with the key that stops it", () => {
    const words = workingWords({ doing: retry, since: 10_000, hooks: [], now: 15_000 }, 38);
    expect(words).toBe("retrying the model … · 5 s · Esc stops");
    expect(words.length).toBeLessThanOrEqual(38);
  });
});
