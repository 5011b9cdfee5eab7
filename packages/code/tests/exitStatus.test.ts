import { describe, expect, it } from "vitest";
import { exitStatus, type RunFacts } from "../src/modes/exitStatus.ts";

const end = (because: NonNullable<RunFacts["end"]>["because"], unanswered = false) => ({
  because,
  unanswered,
});

describe("the exit status of print mode", () => {
  const rows: [what: string, facts: RunFacts, status: number][] = [
    ["done", { end: end("done") }, 0],
    ["the cap on blocked stops", { end: end("stop-cap") }, 0],
    ["a model error", { end: end("model-error") }, 1],
    ["--max-turns", { end: end("max-turns") }, 1],
    ["a full context", { end: end("context-full") }, 1],
    ["a no of a person", { end: end("denied") }, 1],
    ["a failure before the turn", { failed: true }, 1],
    ["wrong usage", { wrongUsage: true }, 2],
    ["a blocked prompt", { end: end("prompt-blocked") }, 3],
    ["an ask that nobody could answer", { end: end("done", true) }, 4],
    ["a hook that ended the run", { end: end("halted") }, 5],
    ["broken settings", { settingsFailed: true }, 78],
    ["Ctrl-C", { endedBy: "SIGINT", end: end("aborted") }, 130],
    ["an abort that no signal asked for", { end: end("aborted") }, 130],
    ["SIGTERM", { endedBy: "SIGTERM", end: end("aborted") }, 143],
    ["SIGHUP", { endedBy: "SIGHUP", end: end("aborted") }, 129],
    ["a reader that went away", { endedBy: "SIGPIPE", end: end("aborted") }, 141],
  ];

  it.each(rows)("of %s", (_what, facts, status) => {
    expect(exitStatus(facts)).toBe(status);
  });

  // Each fact against each that comes after it in the documented order: the earlier one decides.
  const order: [status: number, facts: RunFacts][] = [
    [130, { endedBy: "SIGINT" }],
    [78, { settingsFailed: true }],
    [5, { end: end("halted") }],
    [3, { end: end("prompt-blocked") }],
    [4, { end: end("done", true) }],
    [1, { failed: true }],
    [2, { wrongUsage: true }],
  ];
  const pairs = order.flatMap(([status, facts], index) =>
    order.slice(index + 1).map(([laterStatus, later]): [number, number, RunFacts] => {
      const both = facts.end && later.end ? { ...facts.end, unanswered: true } : (facts.end ?? later.end);
      return [status, laterStatus, { ...later, ...facts, ...(both ? { end: both } : {}) }];
    }),
  );

  it.each(pairs.filter(([first, second]) => !(first === 5 && second === 3)))(
    "%i comes before %i",
    (status, _later, facts) => {
      expect(exitStatus(facts)).toBe(status);
    },
  );

  it("of a model error after an unanswered ask is that of the ask", () => {
    expect(exitStatus({ end: end("model-error", true) })).toBe(4);
  });
});
