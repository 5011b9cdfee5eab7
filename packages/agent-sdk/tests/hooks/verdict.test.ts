import { describe, expect, it } from "vitest";
import type { OnError } from "@/hooks/definition.ts";
import type { HookEvent } from "@/hooks/events.ts";
import type { HookExecutionResult } from "@/hooks/result.ts";
import { readVerdict, type Verdict } from "@/hooks/verdict.ts";

const NAME = "guard";

function read(
  result: Partial<HookExecutionResult>,
  onError: OnError = "continue",
  event: HookEvent = "PreToolUse",
): Verdict {
  const whole = { success: result.exitCode === 0, duration: 10_000, timedOut: false, ...result };
  return readVerdict(event, whole, { name: NAME, source: "settings.json:3", onError });
}

const exited = (exitCode: number, stdout: string | object = "", stderr = "") => ({
  exitCode,
  stdout: typeof stdout === "string" ? stdout : JSON.stringify(stdout),
  stderr,
});
const specific = (fields: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });
const allow = specific({ permissionDecision: "allow", permissionDecisionReason: "fine" });
const ask = specific({ permissionDecision: "ask", permissionDecisionReason: "sure?" });
const deny = specific({ permissionDecision: "deny", permissionDecisionReason: "no" });

describe("exit code and JSON together (JO-7, T2, T3, G6)", () => {
  it.each([
    // JSON, exit code, decision, errors, warnings
    ["nothing", "", 0, "none", 0, 0],
    ["nothing", "", 2, "deny", 0, 0],
    ["nothing", "", 1, "none", 1, 0],
    ["allow", allow, 0, "allow", 0, 0],
    ["allow", allow, 1, "allow", 0, 1],
    ["allow", allow, 255, "allow", 0, 1],
    ["allow", allow, 2, "deny", 0, 1],
    ["ask", ask, 0, "ask", 0, 0],
    ["ask", ask, 3, "ask", 0, 0],
    ["ask", ask, 2, "deny", 0, 1],
    ["deny", deny, 0, "deny", 0, 0],
    ["deny", deny, 1, "deny", 0, 0],
    ["deny", deny, 2, "deny", 0, 0],
    ["a message", { systemMessage: "hm" }, 1, "none", 1, 1],
    ["broken", '{"decision": "block"', 0, "none", 1, 0],
    ["broken", '{"decision": "block"', 2, "deny", 0, 1],
    ["an unknown value", { decision: "blcok" }, 0, "none", 1, 0],
    ["a wrong type", { continue: "no" }, 0, "none", 1, 0],
  ] as const)("%s with exit code: %o, %i is %s", (_name, stdout, code, decision, errors, warnings) => {
    const verdict = read(exited(code, stdout, "words on stderr"));
    expect(verdict.decision).toBe(decision);
    expect(verdict.errors).toHaveLength(errors);
    expect(verdict.warnings).toHaveLength(warnings);
  });

  it("an allow with an odd exit code counts, and is not silent", () => {
    expect(read(exited(1, allow)).warnings).toEqual([
      expect.stringMatching(/^hook .* allowed this and then ended with exit code 1; its JSON counts$/),
    ]);
  });
});

describe("a hook that could not decide (T4, T5, T6, G5)", () => {
  const faults: [string, Partial<HookExecutionResult>][] = [
    ["a timeout", { timedOut: true }],
    ["a timeout whose exit code came all the same", { ...exited(0), timedOut: true }],
    ["a signal", { signal: "SIGKILL" }],
    ["a missing program", { error: { way: "not-started", message: "was not started: no such file: x" } }],
    ["exit 126", exited(126)],
    ["exit 127", exited(127)],
    ["exit 1", exited(1)],
    ["exit 255", exited(255)],
    ["broken JSON", exited(0, '{"decision": ')],
    ["JSON of the wrong shape", exited(0, { hookSpecificOutput: "deny" })],
    ["cut arguments", { ...exited(0), argsCut: true }],
    [
      "something Wave does not have",
      { error: { way: "not-understood", message: "was not run: http hooks" } },
    ],
  ];

  it.each(faults)("because of %s blocks, asks or goes on as its onError says", (_name, fault) => {
    expect(read(fault, "block")).toMatchObject({
      decision: "deny",
      decidedBy: "failure",
      errors: [],
      failure: { did: "block" },
    });
    expect(read(fault, "block").reason?.text).toContain(`hook failed: ${NAME} (settings.json:3) `);
    expect(read(fault, "ask")).toMatchObject({ decision: "ask", decidedBy: "failure", errors: [] });
    const open = read(fault, "continue");
    expect(open).toMatchObject({ decision: "none", context: undefined, failure: { did: "continue" } });
    expect(open.errors).toHaveLength(1);
  });

  it.each([
    ["Stop", "block"],
    ["SessionStart", "block"],
    ["SessionEnd", "ask"],
    ["PostToolUse", "ask"],
  ] as const)("at %s with onError %s means continue", (event, onError) => {
    expect(read(exited(1, "", "oops"), onError, event)).toMatchObject({
      decision: "none",
      errors: [{ text: "oops", failure: { kind: "crash", did: "continue" } }],
    });
  });

  it.each([
    ["a timeout", { timedOut: true }],
    ["a signal", { signal: "SIGTERM" }],
    ["cut arguments", { exitCode: 0, argsCut: true }],
  ])("and had printed before %s: what holds back stands, what lets through does not (JO-7)", (_name, end) => {
    const printed = (object: object) => read({ ...end, stdout: JSON.stringify(object) }, "continue");
    expect(printed(deny)).toMatchObject({
      decision: "deny",
      errors: [],
      warnings: [expect.stringContaining("holds")],
    });
    expect(printed(ask)).toMatchObject({ decision: "ask", errors: [] });
    expect(printed({ continue: false, stopReason: "stop" })).toMatchObject({ halt: "stop", errors: [] });
    expect(printed(allow)).toMatchObject({ decision: "none", errors: [{ text: expect.any(String) }] });
    expect(printed(specific({ updatedInput: { command: "x" } }))).toMatchObject({ rewrite: undefined });
    expect(printed(specific({ additionalContext: "c" }))).toMatchObject({ context: undefined });
  });
});

describe("JSON between other text (JO-8, T107, T108)", () => {
  const text = JSON.stringify(deny);
  it.each([
    ["alone", text],
    ["behind a greeting", `Welcome back!\n${text}`],
    ["before more text", `${text}\ndone`],
    ["behind a byte-order mark", `\uFEFF${text}`],
    ["with CRLF", `hello\r\n${text}\r\n`],
    ["pretty-printed", JSON.stringify(deny, null, 2)],
    ["in colours", `\u001b[0m${text}\u001b[0m`],
    ["indented", `   ${text}`],
    ["behind an object that is none of Wave's business", `{"level":"info"}\n${text}`],
    ["behind an unclosed brace", `{ not json\n${text}`],
  ])("is found %s", (_name, stdout) => {
    expect(read(exited(0, stdout)).decision).toBe("deny");
  });

  it.each([
    ["an array", "[1, 2]"],
    ["a string", '"deny"'],
    ["an object without a field Wave knows behind other text", 'I found:\n{"level": "info"}'],
    ["two objects without a field Wave knows", '{"level": "info"}\n{"level": "info"}'],
    ["an object in the middle of a line", `log: ${text}`],
    ["broken JSON without a field Wave knows", '{"level":'],
  ])("is plain text when it is %s", (_name, stdout) => {
    const verdict = read(exited(0, stdout), "block", "UserPromptSubmit");
    expect(verdict).toMatchObject({ decision: "none", context: { text: stdout, as: "second-user-message" } });
  });

  it.each([
    ["an empty object", "{}", []],
    ["an object of a log", '{"level": "info", "message": "checked"}', ["level", "message"]],
    [
      "an object over several lines, with a mark and CRLF",
      '\uFEFF{\r\n  "status": "ok"\r\n}\r\n',
      ["status"],
    ],
    ["an object in colours", '\u001b[32m{"status": "ok"}\u001b[0m', ["status"]],
    [
      "the hook's own input",
      '{"session_id":"s","hook_event_name":"UserPromptSubmit"}',
      ["session_id", "hook_event_name"],
    ],
    ["words like Wave's own", '{"decisions":[{"use":"tabs"}],"reasons":["r"]}', ["decisions", "reasons"]],
    ["that something goes on", '{"continued":true,"context":"c"}', ["continued", "context"]],
  ])("is never text for the model when it is all there is: %s (JO-8)", (_name, stdout, unknownFields) => {
    for (const event of ["UserPromptSubmit", "SessionStart"] as const)
      for (const exitCode of [0, 1])
        expect(read(exited(exitCode, stdout), "continue", event)).toMatchObject({
          decision: "none",
          context: undefined,
          warnings: [],
          unknownFields,
        });
  });

  it("that cannot be parsed is a failure, told with its place and its first 200 characters (T109)", () => {
    const broken = `{"decision": "block", "reason": ${"x".repeat(300)}`;
    for (const before of ["", "\n\n  ", "Welcome back!\r\n", "\u001b[32mgreen\u001b[0m\n"]) {
      const shown = `output at character ${before.length} looks like JSON and cannot be parsed: ${broken.slice(0, 200)}`;
      const printed = exited(0, before + broken);
      expect(read(printed)).toMatchObject({
        decision: "none",
        failure: { kind: "invalid", did: "continue" },
      });
      expect(read(printed).errors[0]?.text).toContain(`${shown};`);
      const blocked = read(printed, "block");
      expect([blocked.decision, blocked.decidedBy]).toEqual(["deny", "failure"]);
      expect(blocked.reason?.text).toContain(`${shown};`);
    }
  });

  it('reads "defer" as "ask", and an exit code 2 beside it still blocks (SPEC 6, T33)', () => {
    const defer = specific({ permissionDecision: "defer", permissionDecisionReason: "later" });
    expect(read(exited(0, defer))).toMatchObject({
      decision: "ask",
      reason: { text: "later" },
      failure: undefined,
      warnings: [],
    });
    expect(read(exited(2, defer))).toMatchObject({ decision: "deny" });
  });

  it("counts the strictest of several objects, and says so", () => {
    const verdict = read(exited(0, `${JSON.stringify(allow)}\n${JSON.stringify(deny)}`));
    expect(verdict).toMatchObject({
      decision: "deny",
      reason: { text: "no" },
      warnings: [expect.stringContaining("2 JSON objects")],
    });
  });

  it("ignores fields it does not know, and keeps their names for the record", () => {
    const verdict = read(exited(0, { ...allow, whatever: 1 }));
    expect(verdict).toMatchObject({ decision: "allow", unknownFields: ["whatever"], warnings: [] });
  });

  it("finds a second object right behind the first, on the same line", () => {
    const verdict = read(
      exited(
        0,
        JSON.stringify({ systemMessage: "hi" }) + JSON.stringify({ decision: "block", reason: "no" }),
      ),
    );
    expect(verdict).toMatchObject({ decision: "deny", reason: { text: "no" } });
  });

  it.each([
    ["in the middle of a line", `checking… ${text}`, "start of a line"],
    ["behind a mark of a log", `[guard] ${text}`, "start of a line"],
    ["inside another object", `{"output": ${text}}`, "start of a line"],
    ["behind an object and a comma", `{"suppressOutput": true}, ${text}`, "start of a line"],
    ["with a misspelt word for text", '{"systemMesage": "hm"}', 'did you mean "systemMessage"'],
  ])("that looks like a decision %s is text, and the author is told", (_name, stdout, words) => {
    expect(read(exited(0, stdout))).toMatchObject({
      decision: "none",
      warnings: [expect.stringContaining(words)],
    });
  });

  it.each([
    ["the hook's own input", 'Asked:\n{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"p"}'],
    ["lines of a log", '{"level":"info","message":"m","revision":12,"decision_id":"a"}\n'.repeat(50).trim()],
    ["a list of decisions", '{"decisions":[{"use":"tabs"}],"reasons":["r"]}\n{}'],
    ["that something goes on", 'Yes:\n{"continued":true,"context":"c"}'],
  ])("that only has words like Wave's own is text for the model and costs no word: %s", (_name, stdout) => {
    expect(read(exited(0, stdout), "continue", "UserPromptSubmit")).toMatchObject({
      context: { text: stdout },
      failure: undefined,
      warnings: [],
    });
  });

  it("beyond what Wave looks through could not decide: a deny may stand there (JO-7, T109)", () => {
    const unclosed = '{"level":\n'.repeat(20_000);
    for (const end of ["", '{"decision": "block", "reason": "no"}\n']) {
      const printed = exited(0, unclosed + end);
      expect(read(printed).failure).toMatchObject({ kind: "invalid", did: "continue" });
      expect(read(printed, "block")).toMatchObject({ decision: "deny", decidedBy: "failure" });
    }
  });

  it("reads a thousand unclosed braces without taking for ever", () => {
    const started = performance.now();
    read(exited(0, `{"decision":\n`.repeat(70_000)));
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe("what lets through must be well formed (JO-6, T33, T110, T111)", () => {
  it.each([
    ["no event name", undefined],
    ["the name of another event", "Stop"],
  ])("an object with %s still denies, and neither allows nor rewrites", (_name, event) => {
    const named = (fields: object) =>
      read(exited(0, { hookSpecificOutput: { hookEventName: event, ...fields } }));
    expect(named({ permissionDecision: "deny", permissionDecisionReason: "no" })).toMatchObject({
      decision: "deny",
    });
    expect(named({ permissionDecision: "ask" })).toMatchObject({ decision: "ask" });
    expect(named({ permissionDecision: "allow", updatedInput: { a: 1 } })).toMatchObject({
      decision: "none",
      rewrite: undefined,
    });
    expect(named({ permissionDecision: "allow" }).warnings).toHaveLength(1);
  });

  it.each([
    ["deny", deny],
    ["a top-level block", { decision: "block", reason: "no" }],
    ["a top-level permissionDecision", { permissionDecision: "deny", permissionDecisionReason: "no" }],
  ])("%s carries its reason", (_name, printed) => {
    expect(read(exited(0, printed))).toMatchObject({
      decision: "deny",
      reason: { text: "no" },
      warnings: [],
    });
  });

  it("a deny without a reason names the hook and tells the author", () => {
    const verdict = read(exited(0, { decision: "block" }));
    expect(verdict.reason?.text).toContain(NAME);
    expect(verdict.warnings).toHaveLength(1);
  });

  it("a deny without a reason and exit code 2 takes stderr", () => {
    expect(read(exited(2, { decision: "block" }, "from stderr"))).toMatchObject({
      reason: { text: "from stderr" },
    });
  });

  it("two places that contradict each other: the stricter counts, with a warning", () => {
    const verdict = read(exited(0, { decision: "approve", ...deny }));
    expect(verdict).toMatchObject({ decision: "deny", reason: { text: "no" } });
    expect(verdict.warnings).toHaveLength(1);
  });

  it("an updatedInput that is not an object refuses the call, whatever onError says", () => {
    for (const onError of ["continue", "ask", "block"] as const) {
      expect(read(exited(0, specific({ updatedInput: "rm" })), onError).decision).toBe("deny");
    }
  });

  it("an updatedInput beside exit code 2 has no meaning: the hook's own reason is all that is said", () => {
    const verdict = read(exited(2, specific({ permissionDecision: "deny", updatedInput: 5 }), "from stderr"));
    expect(verdict).toMatchObject({ decision: "deny", reason: { text: "from stderr" }, rewrite: undefined });
  });

  it("continue: false without a reason still ends the turn", () => {
    const verdict = read(exited(0, { continue: false }));
    expect(verdict.halt).toContain(NAME);
    expect(verdict.warnings).toHaveLength(1);
  });

  it("approve at an event that permits nothing says nothing", () => {
    expect(read(exited(0, { decision: "approve" }), "block", "Stop")).toMatchObject({
      decision: "none",
      warnings: [],
    });
  });

  it("an interrupted hook is not one that had no objection", () => {
    expect(read({ aborted: true })).toMatchObject({
      decision: "none",
      failure: { kind: "interrupted" },
      errors: [],
    });
  });

  it("a hook that was not asked has said nothing, whatever its onError", () => {
    const verdict = read({ notAsked: "a hook before it denied" }, "block");
    expect(verdict).toMatchObject({ decision: "none", failure: undefined, errors: [], warnings: [] });
  });

  it("continue: false needs no exit code 0 beside it (JO-7)", () => {
    const verdict = read(exited(1, { continue: false, stopReason: "enough" }));
    expect(verdict).toMatchObject({ halt: "enough", failure: undefined, warnings: [] });
  });

  it("of a deny and a continue: false the end of the turn counts (JO-1)", () => {
    const halt = JSON.stringify({ continue: false, stopReason: "enough" });
    const denial = JSON.stringify(deny);
    expect(read(exited(0, `${denial}\n${halt}`)).halt).toBe("enough");
    expect(read(exited(0, `${halt}\n${denial}`)).halt).toBe("enough");
  });

  it("null is the same as absent", () => {
    expect(read(exited(0, { decision: null, systemMessage: null, ...allow }))).toMatchObject({
      decision: "allow",
      errors: [],
    });
  });
});
