import { describe, expect, it } from "vitest";
import type { SettingsScope } from "@/hooks/definition.ts";
import { HOOK_EVENT_NAMES, HOOK_EVENTS, type HookEvent } from "@/hooks/events.ts";
import type { Entrypoint } from "@/hooks/eventFields.ts";
import { WAYS_TO_FAIL, type FailureWay } from "@/hooks/failures.ts";
import {
  actingOnError,
  describePolicy,
  FAILURE_KINDS,
  ON_ERROR,
  strictestPolicy,
  type FailureKind,
  type FailurePolicy,
  type OnError,
} from "@/hooks/failurePolicy.ts";
import type { HookExecutionResult } from "@/hooks/result.ts";
import { readVerdict } from "@/hooks/verdict.ts";

const BROKEN = '{"decision": ';

/** One result for every way to fail. */
const RESULTS: Record<FailureWay, Partial<HookExecutionResult>> = {
  "not-started": { error: { way: "not-started", message: "was not started: no such file: x" } },
  "not-found": { exitCode: 127, stderr: "bash: x: command not found" },
  "not-reached": { error: { way: "not-reached", message: "was not reached: ECONNREFUSED" } },
  "bad-answer": { error: { way: "bad-answer", message: "answered with status 500" } },
  "timed-out": { timedOut: true, duration: 10_000 },
  killed: { signal: "SIGKILL" },
  "exit-code": { exitCode: 1, stderr: "boom\nand more" },
  "no-answer": { error: { way: "no-answer", message: "ended without an answer to this call" } },
  threw: { error: { way: "threw", message: "threw: boom" } },
  "broken-output": { exitCode: 0, stdout: BROKEN },
  "cut-arguments": { exitCode: 0, argsCut: true },
  "not-understood": { error: { way: "not-understood", message: "was not run: http hooks" } },
  "no-input": { error: { way: "no-input", message: "was not asked: a cycle" } },
};
const WAYS = Object.keys(RESULTS) as FailureWay[];

const policy = (words: Partial<Record<FailureKind, OnError>>, rest: OnError): FailurePolicy => ({
  timeout: rest,
  crash: rest,
  missing: rest,
  invalid: rest,
  ...words,
});

function read(result: Partial<HookExecutionResult>, onError: FailurePolicy, event: HookEvent = "PreToolUse") {
  const whole = { success: false, duration: 10, timedOut: false, ...result };
  return readVerdict(event, whole, { name: "guard", source: "/p/settings.json:3", onError });
}

const DECISIONS: Record<OnError, string> = { continue: "none", ask: "ask", block: "deny" };

describe("every way to fail", () => {
  it.each([
    ["timed-out", "timeout"],
    ["killed", "crash"],
    ["exit-code", "crash"],
    ["threw", "crash"],
    ["not-started", "missing"],
    ["not-found", "missing"],
    ["not-reached", "missing"],
    ["bad-answer", "crash"],
    ["broken-output", "invalid"],
    ["cut-arguments", "invalid"],
    ["not-understood", "invalid"],
    ["no-input", "invalid"],
  ] as const)("%s is of the kind %s (T4, G5)", (way, kind) => {
    expect(WAYS_TO_FAIL[way].kind).toBe(kind);
    expect(read(RESULTS[way], "block").failure).toMatchObject({ kind, did: "block" });
  });

  it("has a row in the table above", () => {
    expect(WAYS.toSorted()).toEqual(Object.keys(WAYS_TO_FAIL).toSorted());
  });

  const rows = WAYS.flatMap((way) =>
    ON_ERROR.flatMap((said) => ON_ERROR.map((others) => [way, said, others] as const)),
  );
  it.each(rows)(
    "%s obeys the word for its kind, %s, and not that for the others, %s (T4, T5, T6)",
    (way, said, others) => {
      const { kind } = WAYS_TO_FAIL[way];
      const verdict = read(RESULTS[way], policy({ [kind]: said }, others));
      expect(verdict.decision).toBe(DECISIONS[said]);
      expect(verdict.decidedBy).toBe(said === "continue" ? "hook" : "failure");
      expect(verdict.errors).toHaveLength(said === "continue" ? 1 : 0);
    },
  );

  const messages = HOOK_EVENT_NAMES.flatMap((event) =>
    WAYS.flatMap((way) => ON_ERROR.map((onError) => [event, way, onError] as const)),
  );
  it.each(messages)(
    "at %s, %s with onError %s: the message names hook, kind and remedy (T124)",
    (event, way, onError) => {
      const { failure } = read(RESULTS[way], onError, event);
      if (!failure || failure.kind === "interrupted") throw new Error("it did not fail");
      const { kind, remedy } = WAYS_TO_FAIL[way];
      expect(failure.message).toMatch(/^hook failed: guard \(\/p\/settings\.json:3\) /);
      expect(failure.message).toContain(`onError for ${kind} says ${actingOnError(event, onError)}: `);
      expect(failure.message).toContain(remedy);
      expect(failure.message.length).toBeLessThan(400);
      expect(failure.message).not.toContain("\n");
      const isAnything = /switch it off in \/hooks/.test(failure.message);
      expect(isAnything).toBe(actingOnError(event, onError) !== "continue");
    },
  );

  it("has a message a person can read, with the first line of what the hook wrote", () => {
    const [first, second] = [read(RESULTS["timed-out"], "block"), read(RESULTS["exit-code"], "continue")];
    expect(first.reason?.text).toBe(
      'hook failed: guard (/p/settings.json:3) timed out after 10 s; onError for timeout says block: the call does not run; raise its "timeout", or switch it off in /hooks',
    );
    expect(second.failure).toMatchObject({
      message:
        "hook failed: guard (/p/settings.json:3) ended with exit code 1: boom …; onError for crash says continue: the call goes on to the usual rules; run its command by hand to see why (wave hooks list shows it)",
      details: "ended with exit code 1: boom\nand more",
    });
    expect(second.errors).toMatchObject([{ text: "boom\nand more" }]);
  });

  const ways: [Entrypoint, SettingsScope, string][] = [
    ["terminal", "user", "switch it off in /hooks"],
    ["terminal", "project", "switch it off in /hooks"],
    ["print", "user", "run without hooks (--no-hooks)"],
    ["print", "local", "run without the project's hooks (--no-project-hooks)"],
    ["sdk", "user", 'create the agent with hookScope "none"'],
    ["sdk", "project", 'create the agent with hookScope "no-project"'],
    ["print", "managed", "ask whoever manages this machine"],
  ];
  it.each(ways)(
    "in a session of %s, of a hook of %s, names a way that is there: %s (T124)",
    (entrypoint, scope, way) => {
      const hook = { name: "guard", source: "f:3", onError: "block", scope, entrypoint } as const;
      expect(
        readVerdict(
          "PreToolUse",
          { success: false, duration: 1, timedOut: false, exitCode: 1 },
          hook,
        ).reason?.text.endsWith(`, or ${way}`),
      ).toBe(true);
    },
  );

  it("of a managed hook sends to whoever can do something about it", () => {
    const whole = { success: false, duration: 10, timedOut: false, exitCode: 1 };
    const hook = {
      name: "guard",
      source: "/etc/wave/settings.json:3",
      onError: "block",
      scope: "managed",
    } as const;
    expect(readVerdict("PreToolUse", whole, hook).reason?.text).toMatch(
      /or ask whoever manages this machine$/,
    );
  });
});

describe("a hook that fails in two ways at once", () => {
  const brokenAndOdd = { exitCode: 1, stdout: BROKEN };
  const cutAndOdd = { exitCode: 1, argsCut: true };
  it.each([
    ["broken output and exit code 1", brokenAndOdd, { crash: "block", invalid: "continue" }, "deny", "crash"],
    ["broken output and exit code 1", brokenAndOdd, { crash: "continue", invalid: "ask" }, "ask", "invalid"],
    ["broken output and exit code 1", brokenAndOdd, { crash: "ask", invalid: "ask" }, "ask", "invalid"],
    ["cut arguments and exit code 1", cutAndOdd, { crash: "block", invalid: "ask" }, "deny", "crash"],
    [
      "broken output and exit code 127",
      { ...brokenAndOdd, exitCode: 127 },
      { missing: "block" },
      "deny",
      "missing",
    ],
    // It was ended while it printed: half an object is no mistake of its own.
    [
      "half an object and a timeout",
      { timedOut: true, stdout: BROKEN },
      { invalid: "block" },
      "none",
      "timeout",
    ],
    [
      "half an object and a signal",
      { signal: "SIGTERM", stdout: BROKEN },
      { invalid: "block" },
      "none",
      "crash",
    ],
  ] as const)("%s: the strictest word counts", (_what, result, words, decision, kind) => {
    const verdict = read(result, policy(words, "continue"));
    expect(verdict).toMatchObject({ decision, failure: { kind } });
  });
});

describe("policies", () => {
  it.each([
    ["continue", "block", "block"],
    ["ask", "continue", "ask"],
    [policy({ timeout: "ask" }, "block"), "ask", policy({ timeout: "ask" }, "block")],
    [
      policy({ timeout: "block" }, "continue"),
      policy({ crash: "ask" }, "continue"),
      policy({ timeout: "block", crash: "ask" }, "continue"),
    ],
    [policy({ timeout: "ask" }, "block"), "block", "block"],
  ] as [FailurePolicy, FailurePolicy, FailurePolicy][])(
    "%j and %j of two files are %j (T11)",
    (a, b, both) => {
      expect(strictestPolicy(a, b)).toEqual(both);
      expect(strictestPolicy(b, a)).toEqual(both);
    },
  );

  it.each([
    ["block", "block"],
    [policy({ timeout: "ask" }, "block"), "ask for timeout, otherwise block"],
    [
      policy({ timeout: "continue", crash: "ask" }, "block"),
      "continue for timeout, ask for crash, otherwise block",
    ],
  ] as [FailurePolicy, string][])("%j is told as %j", (given, words) => {
    expect(describePolicy(given)).toBe(words);
  });

  it.each(HOOK_EVENT_NAMES)("on %s mean continue where the event cannot do it (T7)", (event) => {
    const acting: readonly string[] = HOOK_EVENTS[event].onError;
    for (const word of ON_ERROR)
      expect(actingOnError(event, word)).toBe(acting.includes(word) ? word : "continue");
  });

  it("know four kinds", () => {
    expect(FAILURE_KINDS).toEqual(["timeout", "crash", "missing", "invalid"]);
  });
});
