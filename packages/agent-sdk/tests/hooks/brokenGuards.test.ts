import { describe, expect, it } from "vitest";
import { deniedByFailureAlone } from "@/hooks/brokenGuards.ts";
import { combine } from "@/hooks/combine.ts";
import { readVerdict, type Verdict } from "@/hooks/verdict.ts";

const hook = (name: string) => ({ name, source: "settings.json", onError: "block" as const });
const ended = { success: false, duration: 1, timedOut: false };
const failed = readVerdict("PreToolUse", { ...ended, exitCode: 1 }, hook("broken"));
const denied = readVerdict("PreToolUse", { ...ended, exitCode: 2, stderr: "no" }, hook("strict"));
const halting: Verdict = {
  ...readVerdict("PreToolUse", { ...ended, exitCode: 0 }, hook("last")),
  halt: "enough",
};

describe("whether a person may decide in place of hooks that failed (G1)", () => {
  it.each([
    ["one failed", [failed], true],
    ["two failed", [failed, failed], true],
    ["one failed, and another one said no", [failed, denied], false],
    ["one said no", [denied], false],
    ["one failed, and another one ends the turn", [failed, halting], false],
    ["nothing was said", [], false],
  ])("%s: %s", (_, verdicts: Verdict[], may) => {
    expect(deniedByFailureAlone(combine(verdicts))).toBe(may);
  });
});
