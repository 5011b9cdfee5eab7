import { describe, expect, it } from "vitest";
import type { AgentEvent } from "wave-agent-sdk";
import { rememberEvent, type HookHistory } from "../../src/asking/history.ts";
import { DEFAULT_PREFERENCES, readPreferences } from "../../src/asking/preferences.ts";
import { decided, ended, hookEntry } from "../support/events.ts";

const hook = { name: "guard", source: "settings.json:3" };
const started = (runId: number): AgentEvent => ({
  type: "hook_started",
  event: "PreToolUse",
  hook,
  toolUseId: "call_1",
  runId,
});
const finished = (runId: number): AgentEvent => ({
  type: "hook_finished",
  event: "PreToolUse",
  hook,
  toolUseId: "call_1",
  runId,
  durationMs: 12,
  ended: "exit 0",
});

const remember = (events: AgentEvent[], keep = DEFAULT_PREFERENCES, step = 1_000): HookHistory =>
  events.reduce<HookHistory>(
    (history, event, index) => rememberEvent(history, event, { at: index * step, keep }),
    [],
  );

describe("the history of hooks", () => {
  it("holds each run with how it ended, and what was decided (PD-4)", () => {
    expect(remember([started(1), finished(1), decided({ hooks: [hookEntry()] })])).toMatchObject([
      { kind: "run", runId: 1, hook, at: 0, finished: { durationMs: 12, ended: "exit 0" } },
      { kind: "decision", at: 2_000, record: { decision: "allow" } },
    ]);
  });

  it("keeps the newest, and no more than it may (PD-4)", () => {
    const keep = { ...DEFAULT_PREFERENCES, historyEntries: 10 };
    const history = remember(
      Array.from({ length: 1_000 }, (_, runId) => started(runId)),
      keep,
    );
    expect(history.map((entry) => entry.kind === "run" && entry.runId)).toEqual(
      Array.from({ length: 10 }, (_, index) => 990 + index),
    );
  });

  it("forgets what is too old (PD-4)", () => {
    const keep = { ...DEFAULT_PREFERENCES, historyMinutes: 1 };
    expect(remember([started(1), started(2), started(3)], keep, 40_000)).toMatchObject([
      { runId: 2 },
      { runId: 3 },
    ]);
  });

  it("stays the same for events that are none of its business", () => {
    const history = remember([started(1)]);
    expect(rememberEvent(history, ended(), { at: 5, keep: DEFAULT_PREFERENCES })).toBe(history);
  });
});

describe("preferences", () => {
  it("have defaults (PD-4)", () => {
    expect(readPreferences({})).toEqual({ valid: true, preferences: DEFAULT_PREFERENCES });
  });

  it.each([
    [{ historyEntries: 0 }, /historyEntries/],
    [{ dialogShows: "nothing" }, /dialogShows/],
    [{ unknown: true }, /unknown/],
    ["text", /expected object/],
  ])("that are not valid are refused whole, with the place: %j (PD-4)", (value, problem) => {
    expect(readPreferences(value)).toEqual({ valid: false, problem: expect.stringMatching(problem) });
  });
});
