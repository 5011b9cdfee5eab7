import { describe, expect, it } from "vitest";
import type { OnError } from "@/hooks/failurePolicy.ts";
import { readVerdict, type Verdict } from "@/hooks/verdict.ts";

function read(stdout: string, onError: OnError = "block"): Verdict {
  const result = { success: true, exitCode: 0, duration: 5, timedOut: false, stdout, stderr: "" };
  return readVerdict("PreToolUse", result, { name: "guard", source: "settings.json:3", onError });
}

describe("a field that is there twice", () => {
  const twice = (field: string) =>
    expect.stringContaining(`printed "${field}" more than once in one object; the stricter one counts`);

  it.each([
    [
      "the first is stricter",
      '{"decision": "block", "reason": "no", "decision": "approve", "reason": "ok"}',
      ["decision", "reason"],
    ],
    [
      "the last is stricter",
      '{"decision": "approve", "reason": "ok", "decision": "block", "reason": "no"}',
      ["decision", "reason"],
    ],
    [
      "one in the middle is stricter",
      '{"decision": "approve", "decision": "block", "decision": "approve", "reason": "no"}',
      ["decision"],
    ],
    [
      "it is deeper",
      '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no", "permissionDecision": "allow"}}',
      ["permissionDecision"],
    ],
    [
      "it is around them",
      '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no"}, "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}',
      ["hookSpecificOutput"],
    ],
    [
      "a letter of it is escaped",
      '{"decision": "block", "reason": "no", "d\\u0065cision": "approve"}',
      ["decision"],
    ],
  ])("denies when %s, and says which it is (T108, JO-8)", (_title, stdout, fields) => {
    const verdict = read(stdout);
    expect(verdict).toMatchObject({ decision: "deny", decidedBy: "hook", reason: { text: "no" } });
    for (const field of fields) expect(verdict.warnings).toContainEqual(twice(field));
  });

  it("ends the turn when one of them does, and is a failure when one of them is (JO-7)", () => {
    expect(read('{"continue": false, "stopReason": "stop", "continue": true}').halt).toBe("stop");
    expect(read('{"decision": "blcok", "decision": "approve"}')).toMatchObject({
      decision: "deny",
      decidedBy: "failure",
    });
    expect(read('{"decision": "approve", "decision": "blcok"}', "ask").decision).toBe("ask");
  });

  it("is what the last one says where nothing is stricter, and a message that is there twice is shown once", () => {
    const verdict = read(
      '{"systemMessage": "hm", "hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"a": 1}, "updatedInput": {"a": 2}}}',
    );
    expect(verdict).toMatchObject({ rewrite: { to: { a: 2 } }, warnings: ["hm", twice("updatedInput")] });
  });

  it("is no matter for names that Wave does not read, or that stand in different places", () => {
    for (const stdout of [
      '{"decision": "approve", "note": 1, "note": 2}',
      '{"decision": "approve", "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"decision": "x", "reason": "y", "\\u0061": [{"decision": 1}]}}}',
    ])
      expect(read(stdout)).toMatchObject({ decision: "allow", warnings: [] });
  });

  it("is found in a megabyte, however deep it is nested", () => {
    const depth = 200_000;
    const deep = `{"decision":"block","reason":"no","x":${"[".repeat(depth)}${"]".repeat(depth)},"decision":"approve"}`;
    expect(read(deep)).toMatchObject({ decision: "deny", reason: { text: "no" } });
    const many = Array.from({ length: 10_000 }, (_, index) => `"reason":"${index}"`).join();
    expect(read(`{"decision":"block",${many}}`)).toMatchObject({ decision: "deny" });
  });
});
