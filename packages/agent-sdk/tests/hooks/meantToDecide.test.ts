import { describe, expect, it } from "vitest";
import { buildRecord } from "@/hooks/buildRecord.ts";
import { HOOK_EVENT_NAMES, type HookEvent } from "@/hooks/events.ts";
import { actingOnError, ON_ERROR, type OnError } from "@/hooks/failurePolicy.ts";
import { cutLine } from "@/utils/cutLine.ts";
import { readVerdict, type Verdict } from "@/hooks/verdict.ts";

/** Output of a guard that wanted to decide and did it wrong: never read as "no objection". */
function read(
  printed: string | object,
  event: HookEvent = "PreToolUse",
  onError: OnError = "block",
): Verdict {
  const stdout = typeof printed === "string" ? printed : JSON.stringify(printed);
  const result = { success: true, exitCode: 0, duration: 5, timedOut: false, stdout, stderr: "" };
  return readVerdict(event, result, { name: "guard", source: "settings.json:3", onError });
}

/** What `wave hooks explain` and `/hooks` have to tell of it. */
function entryOf(event: HookEvent, verdict: Verdict) {
  const judged = { pass: 1, results: [], verdicts: [verdict], skipped: [], durationMs: 5 } as const;
  const [entry] = buildRecord(event, "default", [judged]).hooks;
  if (!entry) throw new Error("no entry");
  return entry;
}

const pre = (fields: object, hookEventName: string | null = "PreToolUse") => ({
  hookSpecificOutput: { hookEventName, ...fields },
});
const BLOCKING: HookEvent[] = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "ConfigChange"];
const ALL = HOOK_EVENT_NAMES;
const PRE: HookEvent[] = ["PreToolUse"];
const unknown = (name: string, meant: string) =>
  `it printed the field "${name}", which Wave does not know (did you mean "${meant}"?)`;
const unparsed = "looks like JSON and cannot be parsed";

/** What is left of UTF-16 when it is read as UTF-8. */
function wide(text: string, order?: "swapped"): string {
  const bytes = Buffer.from(text, "utf16le");
  return (order ? bytes.swap16() : bytes).toString("utf8");
}

type Row = [title: string, printed: string | object, events: readonly HookEvent[], words: string];

/** Faults under every word of onError. */
const BROKEN: Row[] = [
  ["a letter is missing", { decison: "block" }, BLOCKING, unknown("decison", "decision")],
  [
    "a letter is missing, deeper",
    pre({ permissionDecison: "deny" }),
    PRE,
    unknown("hookSpecificOutput.permissionDecison", "permissionDecision"),
  ],
  ["the colon is missing", '{"permissionDecision" deny}', PRE, unparsed],
  ["the colon is missing, deeper", '{"hookSpecificOutput": {"permissionDecision" "deny"}}', PRE, unparsed],
  ["another sign stands for the colon", '{"decision" = "block"}', BLOCKING, unparsed],
  ["another sign stands for the colon, without quotes", "{decision => block}", BLOCKING, unparsed],
  ["letters are swapped", { decisoin: "whatever" }, BLOCKING, unknown("decisoin", "decision")],
  ["two letters are wrong", { desicion: "block" }, BLOCKING, unknown("desicion", "decision")],
  ["the case is another", { Decision: "block" }, BLOCKING, unknown("Decision", "decision")],
  ["a misspelt field is null", { Decision: null }, BLOCKING, unknown("Decision", "decision")],
  [
    "words are joined by a line",
    { permission_decision: "deny" },
    PRE,
    unknown("permission_decision", "permissionDecision"),
  ],
  [
    "words are joined by a dash",
    pre({ "permission-decision": "deny" }),
    PRE,
    unknown("hookSpecificOutput.permission-decision", "permissionDecision"),
  ],
  [
    "half the name is there, with a decision",
    { permission: "deny" },
    PRE,
    unknown("permission", "permissionDecision"),
  ],
  ["a misspelt continue", { contineu: false }, ALL, unknown("contineu", "continue")],
  [
    "a misspelt envelope",
    { hook_specific_output: { permissionDecision: "deny" } },
    ALL,
    unknown("hook_specific_output", "hookSpecificOutput"),
  ],
  [
    "a misspelt rewrite",
    pre({ updated_input: { command: "ls" } }),
    PRE,
    unknown("hookSpecificOutput.updated_input", "updatedInput"),
  ],
  [
    "a rewrite that lacks a letter",
    pre({ updateInput: { command: "ls" } }),
    PRE,
    unknown("hookSpecificOutput.updateInput", "updatedInput"),
  ],
  [
    "a typo beside an allow",
    { decision: "approve", permissionDecison: "deny" },
    PRE,
    unknown("permissionDecison", "permissionDecision"),
  ],
  ["a word for false", { continue: "false" }, ALL, "continue: "],
  ["a number for false", { continue: 0 }, ALL, "continue: "],
  ["another case of a value", { decision: "Block" }, BLOCKING, "decision: "],
  ["a decision that is true", pre({ permissionDecision: true }), PRE, "permissionDecision: "],
  ["a list", [{ decision: "block" }], ALL, "without the [ ]"],
  ["a list of something and a decision", ["guard", { continue: false }], ALL, "without the [ ]"],
  ["a list with a typo in it", [{ decison: "block" }], ALL, "without the [ ]"],
  [
    "a pretty list with an allow",
    JSON.stringify([{ decision: "approve" }], undefined, 2),
    PRE,
    "without the [ ]",
  ],
  ["a list that is cut off", '[{"decision": "block"}', ALL, unparsed],
  ["a dictionary of Python", "{'decision': 'block', 'reason': None}", ALL, unparsed],
  ["the words of Python", '{"continue": False}', ALL, unparsed],
  ["a dictionary of Python with its names", "{'permission_decision': 'deny'}", ALL, unparsed],
  ["an object as Node shows it", "{ hookSpecificOutput: { permissionDecision: 'deny' } }", ALL, unparsed],
  ["a comma too many", '{"decision": "block",}', ALL, unparsed],
  ["a comment", '{"decision": "block" // always\n}', ALL, unparsed],
  ["JSON in a text", JSON.stringify('{"decision":"block"}'), ALL, "as if encoded twice"],
  [
    "JSON in a text in a text",
    JSON.stringify(JSON.stringify('{"continue": false}')),
    ALL,
    "as if encoded twice",
  ],
  [
    "JSON in a text behind a greeting",
    `hello\n${JSON.stringify('{"decison":"block"}')}\r\n`,
    ALL,
    "without quotes",
  ],
  ["JSON in UTF-16", wide('{"decision":"block"}'), ALL, "UTF-16"],
  ["JSON in UTF-16 with its mark", wide('\uFEFF{\r\n  "continue": false}\r\n'), ALL, "UTF-16"],
  [
    "JSON in UTF-16, the other way round",
    wide('{"permissionDecision":"deny","reason":"né"}', "swapped"),
    ALL,
    "UTF-16",
  ],
  ["a number that is none", '{"decision": "block", "score": NaN}', ALL, unparsed],
];

/** Faults only where onError holds back; with "continue" a warning, and what was printed has no effect or its own. */
const DOUBTFUL: Row[] = [
  ["a decision that is null", { decision: null }, BLOCKING, "decision is null"],
  [
    "a permissionDecision that is null",
    pre({ permissionDecision: null }),
    PRE,
    "hookSpecificOutput.permissionDecision is null",
  ],
  [
    "null beside other things",
    { decision: null, systemMessage: null, continue: true },
    BLOCKING,
    "decision is null",
  ],
  [
    "null beside context",
    pre({ permissionDecision: null, additionalContext: "c" }),
    PRE,
    "permissionDecision is null",
  ],
  [
    "an allow without an event name",
    pre({ permissionDecision: "allow" }, null),
    PRE,
    "hookEventName is missing",
  ],
  [
    "an allow for another event",
    pre({ permissionDecision: "allow" }, "Stop"),
    PRE,
    'hookEventName is "Stop"',
  ],
  [
    "a rewrite for another event",
    pre({ updatedInput: { command: "ls" } }, "Stop"),
    PRE,
    'hookEventName is "Stop"',
  ],
  [
    "a block at the wrong level",
    pre({ decision: "block" }),
    PRE,
    "hookSpecificOutput.decision is not supported",
  ],
  ["a rewrite at the wrong level", { updatedInput: { command: "ls" } }, PRE, "updatedInput is not supported"],
  [
    "a halt at the wrong level",
    pre({ continue: false }),
    PRE,
    "hookSpecificOutput.continue is not supported",
  ],
];

const each = (rows: readonly Row[]) =>
  rows.flatMap(([title, printed, events, words]) =>
    events.flatMap((event) =>
      ON_ERROR.map((onError): [string, HookEvent, OnError, string | object, string] => [
        title,
        event,
        onError,
        printed,
        words,
      ]),
    ),
  );

const HELD = { continue: "none", ask: "ask", block: "deny" } as const;

describe("a guard that wanted to decide and printed", () => {
  it.each(each(BROKEN))(
    "%s at %s could not decide, and onError %s speaks (T4, T5, T6, T33, T109, G5, JO-7)",
    (_title, event, onError, printed, words) => {
      const did = actingOnError(event, onError);
      const verdict = read(printed, event, onError);
      expect(verdict).toMatchObject({ decision: HELD[did], failure: { kind: "invalid", did } });
      expect(verdict.failure).toMatchObject({ message: expect.stringContaining(words) });
      expect(verdict.context).toBeUndefined();
      expect(verdict.rewrite).toBeUndefined();
      expect(verdict.errors).toHaveLength(did === "continue" ? 1 : 0);
    },
  );

  it.each(each(DOUBTFUL))(
    "%s at %s holds back where onError %s does, and is a warning elsewhere (JO-6, G5, G9)",
    (_title, event, onError, printed, words) => {
      const did = actingOnError(event, onError);
      const verdict = read(printed, event, onError);
      expect([verdict.decision, verdict.errors]).toEqual([HELD[did], []]);
      if (did === "continue") {
        expect(verdict.failure).toBeUndefined();
        expect(verdict.warnings).toEqual([expect.stringContaining(words)]);
        expect(entryOf(event, verdict).doubts).toContain(words);
      } else {
        expect(verdict).toMatchObject({
          decidedBy: "failure",
          failure: { kind: "invalid", did },
          rewrite: undefined,
        });
        expect(verdict.reason?.text).toContain(words);
        expect(entryOf(event, verdict).failure).toContain(words);
      }
    },
  );

  it.each([
    ["a typo", { decison: "approve", decision: "block", reason: "no" }],
    [
      "a misspelt event",
      pre({ permissionDecision: "deny", permissionDecisionReason: "no", updatedInput: {} }, "Stop"),
    ],
    ["null", { decision: null, ...pre({ permissionDecision: "deny", permissionDecisionReason: "no" }) }],
    ["a list around it, on a line of its own", '[\n{"decision": "block", "reason": "no"}\n]'],
  ])("a deny with %s denies in its own words (T111, JO-6)", (_title, printed) => {
    for (const onError of ON_ERROR)
      expect(read(printed, "PreToolUse", onError)).toMatchObject({
        decision: "deny",
        decidedBy: "hook",
        reason: { text: "no" },
      });
  });
});

describe("a guard whose output was too long for Wave to keep", () => {
  const LONG = "x".repeat(1000);
  function readCut(
    head: string,
    tail: string,
    event: HookEvent = "PreToolUse",
    onError: OnError = "continue",
  ) {
    const stdout = `${head}\n${cutLine(2_000_000)}\n${tail}`;
    const truncated = { stdout: 2_000_000, stderr: 0 };
    const result = { success: true, exitCode: 0, duration: 5, timedOut: false, stdout, truncated };
    return readVerdict(event, result, { name: "guard", source: "settings.json:3", onError });
  }

  it.each([
    ["a block before its reason", `{"decision":"block","reason":"${LONG}`, `${LONG}"}`, "deny"],
    ["a block behind its reason", `{"reason":"${LONG}`, `${LONG}","decision":"block"}\n`, "deny"],
    [
      "a deny in the envelope",
      `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"${LONG}`,
      `${LONG}"}}`,
      "deny",
    ],
    ["an ask", `{"permissionDecision":"ask","permissionDecisionReason":"${LONG}`, `${LONG}"}`, "ask"],
    ["a block, cut in an escape", `{"decision":"block","reason":"${LONG}\\`, `"${LONG}"}`, "deny"],
    [
      "a block behind lines of a log",
      `{ not closed\n[x\nhello\n{"decision":"block","reason":"${LONG}`,
      `${LONG}"}`,
      "deny",
    ],
    [
      "a block after something whole",
      `{"systemMessage":"m"}\n{"decision":"block","reason":"${LONG}`,
      `${LONG}"}`,
      "deny",
    ],
  ] as const)("holds back what it held back: %s (T111, JO-7, G7)", (_title, head, tail, decision) => {
    const verdict = readCut(head, tail);
    expect(verdict).toMatchObject({ decision, decidedBy: "hook", errors: [] });
    expect(verdict.warnings.at(-1)).toMatch(
      /cut its JSON in the middle: \[… 2,000,000 bytes cut …\]; what it had/,
    );
  });

  it("ends the turn when it wanted that (JO-7)", () => {
    expect(readCut(`{"continue":false,"stopReason":"${LONG}`, `${LONG}"}`, "Stop")).toMatchObject({
      halt: LONG + LONG,
    });
  });

  it.each([
    ["an allow", `{"decision":"approve","reason":"${LONG}`, `${LONG}"}`],
    [
      "a rewrite",
      `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"${LONG}`,
      `${LONG}"}}}`,
    ],
    ["half a word", `{"reason":"${LONG}","decision":"blo`, `${LONG}"}`],
    ["an allow and a message", `{"systemMessage":"${LONG}`, `${LONG}","decision":"approve"}`],
  ])("lets nothing through: %s counts as not decided (JO-7, G9)", (_title, head, tail) => {
    for (const onError of ON_ERROR)
      expect(readCut(head, tail, "PreToolUse", onError)).toMatchObject({
        decision: HELD[onError],
        rewrite: undefined,
        failure: { kind: "invalid", did: onError },
      });
  });

  it("is text where it has nothing for Wave in it, also when it is deep or has many lines (JO-8)", () => {
    for (const head of [LONG, `[x\n`.repeat(50_000), `{"a":`.repeat(100_000)])
      expect(readCut(head, LONG)).toMatchObject({ decision: "none", failure: undefined });
  });
});

describe("what only looks a little like a decision", () => {
  it.each<[string, object]>([
    ["a revision", { revision: "4f2a", precision: 0.9 }],
    ["a list of numbers", [1, 2]],
    ["a list of other things", [{ level: "info" }, { message: "checked" }]],
    ["an update", { updated: { at: 5 }, continuation: "x" }],
    ["a very long name", { [`decision${"n".repeat(500)}`]: "block" }],
  ])("decides nothing: %s (JO-8)", (_title, printed) => {
    const stdout = JSON.stringify(printed);
    expect(read(stdout, "UserPromptSubmit")).toMatchObject({ decision: "none", failure: undefined });
    expect(read(`I found:\n${stdout}`, "UserPromptSubmit")).toMatchObject({
      decision: "none",
      context: { text: `I found:\n${stdout}` },
    });
  });

  it("is plain text when it is only a word in quotes, or a line of a log (JO-8)", () => {
    for (const stdout of [
      '"deny"',
      '"{\\"a\\": 1}"',
      '"said \\"block\\""',
      "a\0b {\0",
      "[guard] decision: block",
      "[guard, { not closed",
      `[x\n`.repeat(50_000),
    ])
      expect(read(stdout, "UserPromptSubmit")).toMatchObject({ decision: "none", failure: undefined });
  });

  it("leaves an allow what it is: ids, notes and null in other fields say nothing (JO-8)", () => {
    const verdict = read({
      decision: "approve",
      decision_id: "1234",
      decisionReason: "fine",
      continue: null,
      hookSpecificOutput: null,
      systemMessage: null,
    });
    expect(verdict).toMatchObject({
      decision: "allow",
      warnings: [],
      unknownFields: ["decision_id", "decisionReason"],
    });
  });

  it("warns of a misspelt word for text, and believes the rest (JO-8)", () => {
    const verdict = read({ decision: "approve", raeson: "fine", stop_reason: "x" });
    expect(verdict).toMatchObject({ decision: "allow", unknownFields: ["raeson", "stop_reason"] });
    expect(verdict.warnings).toEqual([
      `hook guard: ${unknown("raeson", "reason")}`,
      `hook guard: ${unknown("stop_reason", "stopReason")}`,
    ]);
  });

  it("says nothing of null beside a halt", () => {
    const verdict = read({ decision: null, continue: false, stopReason: "stop" });
    expect(verdict).toMatchObject({ halt: "stop", warnings: [], failure: undefined });
  });

  it("never takes a field of another event for a typo (T112)", () => {
    const verdict = read({ permissionDecision: "deny" }, "Stop");
    expect(verdict).toMatchObject({ decision: "none", failure: undefined });
    expect(verdict.warnings).toEqual([
      expect.stringContaining("permissionDecision is not supported for Stop"),
    ]);
    expect(read({ decison: "block" }, "SessionStart")).toMatchObject({ failure: undefined });
  });
});
