import { describe, expect, it } from "vitest";
import { combine } from "@/hooks/combine.ts";
import { effectsOf, HOOK_TEXT_LIMIT } from "@/hooks/effects.ts";
import type { HookEvent } from "@/hooks/events.ts";
import type { HookExecutionResult } from "@/hooks/result.ts";
import { readVerdict } from "@/hooks/verdict.ts";

function ended(event: HookEvent, name: string, result: Partial<HookExecutionResult>) {
  const whole = {
    success: true,
    exitCode: 0,
    stdout: "",
    stderr: "",
    duration: 1,
    timedOut: false,
    ...result,
  };
  return readVerdict(event, whole, { name, source: "settings.json:3", onError: "continue" });
}
const verdict = (name: string, stdout: object, event: HookEvent = "Stop") =>
  ended(event, name, { stdout: JSON.stringify(stdout) });
const goOn = { decision: "block", reason: "tests fail" };
const halt = { continue: false, stopReason: "enough" };

describe("a Stop hook that wants the turn to go on while the turn is ended", () => {
  it.each([
    ["another hook", [verdict("keeper", goOn), verdict("ender", halt)], "another hook's"],
    ["a hook before it", [verdict("ender", halt), verdict("keeper", goOn)], "another hook's"],
    ["itself", [verdict("keeper", { ...goOn, ...halt })], "its own"],
  ])("is told to the user with who overruled it: %s (JO-1, T36)", (_who, verdicts, by) => {
    const effects = effectsOf("Stop", verdicts);
    expect(effects).toContainEqual(
      expect.objectContaining({
        do: "tell-user",
        as: "warning",
        text: `hook keeper wanted the turn to go on, but ${by} "continue": false ends it: tests fail`,
      }),
    );
    expect(effects.filter((effect) => effect.do === "tell-model" || effect.do === "keep-going")).toEqual([]);
    expect(effects).toContainEqual(expect.objectContaining({ do: "end-turn", reason: "enough" }));
  });
});

describe("a prompt that does not go on", () => {
  it.each([
    ["blocked", { decision: "block", reason: "no" }],
    ["ended with continue: false", halt],
  ])("is dropped when it is %s, with what other hooks had to add (FR-009, JO-1)", (_how, said) => {
    const context = verdict("adder", { additionalContext: "by the way" }, "UserPromptSubmit");
    const printed = ended("UserPromptSubmit", "printer", { stdout: "it is Friday" });
    const effects = effectsOf("UserPromptSubmit", [
      context,
      printed,
      verdict("guard", said, "UserPromptSubmit"),
    ]);
    expect(effects).toContainEqual({ do: "drop-prompt" });
    expect(effects.filter((effect) => effect.do === "tell-model")).toEqual([]);
  });
});

describe("what the model is told of a hook", () => {
  it("is a plain message for stderr, and a block with its origin for JSON (FR-008, MB-2)", () => {
    const plain = ended("PostToolUse", "linter", { success: false, exitCode: 2, stderr: "two errors" });
    const json = verdict("linter", { decision: "block", reason: "two errors" }, "PostToolUse");
    const toldAs = (one: typeof plain) =>
      effectsOf("PostToolUse", [one]).flatMap((effect) => (effect.do === "tell-model" ? [effect.as] : []));
    expect([toldAs(plain), toldAs(json)]).toEqual([["message"], ["hook-block"]]);
  });

  it("is cut in the middle when it is long, and the user is told how much", () => {
    const long = ended("UserPromptSubmit", "loader", { stdout: "x".repeat(HOOK_TEXT_LIMIT + 500) });
    const effects = effectsOf("UserPromptSubmit", [long]);
    const told = effects.find((effect) => effect.do === "tell-model");
    expect(told?.text.length).toBeLessThanOrEqual(HOOK_TEXT_LIMIT + 100);
    expect(effects).toContainEqual(
      expect.objectContaining({
        do: "tell-user",
        as: "warning",
        text: expect.stringMatching(/^hook loader said more than the model is given \(16 KiB\): \d+ bytes/),
      }),
    );
  });
});

describe("hooks that say nothing", () => {
  it("decide nothing, and nobody is named as deciding", () => {
    expect(combine([verdict("a", {}), verdict("b", {})])).toMatchObject({ decision: "none", deciders: [] });
  });
});
