import { describe, expect, it } from "vitest";
import { readHook, type Event, type Hook, type Input, type Says, type Verdict } from "./reference.ts";
import type { Defaults, OnError, Setting } from "./referencePolicy.ts";
import { expectTurn, type Expected, type Gate, type StopHook } from "./referenceTurn.ts";

const SILENT: Says = { stdout: [], stderr: "", end: 0 };
const plain = (text: string, end: Says["end"] = 0, stderr = ""): Says => ({
  stdout: [{ text }],
  stderr,
  end,
});
const exits = (end: Says["end"], stderr = ""): Says => ({ stdout: [], stderr, end });
const prints = (object: Input, end: Says["end"] = 0, stderr = ""): Says => ({
  stdout: [{ object }],
  stderr,
  end,
});
const broken = (end: Says["end"], stderr = ""): Says => ({
  stdout: [{ broken: '{"decision": "block"' }],
  stderr,
  end,
});
const pre = (fields: Input): Input => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });
const allow = pre({ permissionDecision: "allow" });
const deny = pre({ permissionDecision: "deny", permissionDecisionReason: "no" });
const ask = pre({ permissionDecision: "ask", permissionDecisionReason: "sure?" });

const nameOf = (name: string) => ({ any: [name] });
const told = (onError: Setting): StopHook["entries"] => [{ in: "user", onError }];

function hook(name: string, says: Says, more: Partial<StopHook> = {}): StopHook {
  return { name, matches: true, entries: told("continue"), says, saysAgain: says, stubborn: false, ...more };
}

describe("one hook", () => {
  const nameless = { any: ["h"] };
  const rows: [string, Event, Says, OnError, Partial<Verdict>][] = [
    [
      "exit 0 of a prompt hook gives its stdout",
      "UserPromptSubmit",
      plain(" hi\n"),
      "continue",
      { decision: "none", plain: "hi" },
    ],
    [
      "exit 2 blocks with stderr",
      "PreToolUse",
      exits(2, " no\n"),
      "continue",
      { decision: "deny", reason: { is: "no" }, warns: "no" },
    ],
    [
      "exit 2 without a word names the hook",
      "Stop",
      exits(2),
      "continue",
      { decision: "deny", reason: nameless },
    ],
    [
      "exit 1 is an error with stderr",
      "PostToolUse",
      exits(1, "oops"),
      "continue",
      { decision: "none", error: { text: { all: ["oops"] }, sure: "yes" } },
    ],
    [
      "exit 3 without a word names hook and code",
      "Stop",
      exits(3),
      "continue",
      { error: { text: { all: ["h", "3"] }, sure: "yes" } },
    ],
    [
      "a signal is an error",
      "PreToolUse",
      exits("signal"),
      "continue",
      { decision: "none", error: { text: { all: ["h"] }, sure: "yes" } },
    ],
    ["onError block denies", "PreToolUse", exits(1, "oops"), "block", { decision: "deny", error: undefined }],
    [
      "onError ask asks about a prompt",
      "UserPromptSubmit",
      exits("timeout"),
      "ask",
      { decision: "ask", error: undefined },
    ],
    [
      "onError ask means continue after a tool",
      "PostToolUse",
      exits(1),
      "ask",
      { decision: "none", error: { text: { all: ["h", "1"] }, sure: "yes" } },
    ],
    [
      "onError block means continue at a stop",
      "Stop",
      exits(1),
      "block",
      { decision: "none", error: { text: { all: ["h", "1"] }, sure: "yes" } },
    ],
    [
      "JSON deny counts with exit 0",
      "PreToolUse",
      prints(deny),
      "continue",
      { decision: "deny", reason: { is: "no" }, warns: "no" },
    ],
    [
      "JSON deny counts with exit 1, nothing else is reported",
      "PreToolUse",
      prints(deny, 1, "x"),
      "block",
      { decision: "deny", reason: { is: "no" }, error: undefined, warns: "no" },
    ],
    [
      "JSON deny keeps its own reason with exit 2",
      "PreToolUse",
      prints(deny, 2, "x"),
      "continue",
      { decision: "deny", reason: { is: "no" } },
    ],
    [
      "JSON allow counts with exit 1",
      "PreToolUse",
      prints(allow, 1),
      "block",
      { decision: "allow", error: undefined },
    ],
    [
      "JSON allow with exit 2 is a deny with a warning",
      "PreToolUse",
      prints(allow, 2, "x"),
      "continue",
      { decision: "deny", reason: { is: "x" }, warns: "yes" },
    ],
    [
      "JSON ask with exit 2 is a deny with a warning",
      "PreToolUse",
      prints(ask, 2),
      "continue",
      { decision: "deny", reason: nameless, warns: "yes" },
    ],
    [
      "JSON ask counts with exit 3",
      "PreToolUse",
      prints(ask, 3),
      "block",
      { decision: "ask", reason: { is: "sure?" }, error: undefined },
    ],
    [
      "context counts with exit 1, and onError speaks",
      "PreToolUse",
      prints(pre({ additionalContext: "c" }), 1),
      "continue",
      { decision: "none", context: "c", error: { text: { all: ["h", "1"] }, sure: "yes" } },
    ],
    [
      "a deny printed before a timeout holds, with a warning",
      "PreToolUse",
      prints(deny, "timeout"),
      "continue",
      { decision: "deny", warns: "yes", error: undefined },
    ],
    [
      "an allow printed before a signal does not",
      "PreToolUse",
      prints(allow, "signal"),
      "ask",
      { decision: "ask" },
    ],
    [
      "broken output is an error",
      "PreToolUse",
      broken(0),
      "continue",
      { decision: "none", error: { text: { all: ["h"] }, sure: "yes" } },
    ],
    [
      "broken output of a prompt hook is no context",
      "UserPromptSubmit",
      broken(0),
      "continue",
      { plain: undefined, error: { text: { all: ["h"] }, sure: "yes" } },
    ],
    [
      "broken output with exit 2 denies",
      "PreToolUse",
      broken(2, "x"),
      "continue",
      { decision: "deny", reason: { is: "x" } },
    ],
    [
      "an unknown decision is broken output",
      "PreToolUse",
      prints(pre({ permissionDecision: "maybe" })),
      "block",
      { decision: "deny", reason: nameless },
    ],
    [
      "what holds back counts in a broken object",
      "Stop",
      prints({ decision: "block", reason: 5 }),
      "continue",
      { decision: "deny", reason: nameless, error: undefined },
    ],
    [
      "context of a broken object does not count",
      "PostToolUse",
      prints({
        continue: "no",
        hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "c" },
      }),
      "continue",
      { context: undefined, error: { text: { all: ["h"] }, sure: "yes" } },
    ],
    [
      "null is absent",
      "PreToolUse",
      prints({ decision: null, ...allow }),
      "continue",
      { decision: "allow", warns: "no" },
    ],
    [
      "null as the only decision is no decision where onError holds back",
      "PreToolUse",
      prints(pre({ permissionDecision: null, additionalContext: "c" })),
      "block",
      { decision: "deny", byFailure: true, context: undefined },
    ],
    [
      "and a warning where it does not",
      "PreToolUse",
      prints(pre({ permissionDecision: null, additionalContext: "c" })),
      "continue",
      { decision: "none", context: "c", warns: "yes", error: undefined },
    ],
    [
      "a misspelt decision is broken output",
      "PreToolUse",
      prints(pre({ permissionDecison: "deny" })),
      "ask",
      { decision: "ask", byFailure: true },
    ],
    [
      "also when there is no other field",
      "UserPromptSubmit",
      prints({ Decision: "block" }),
      "continue",
      { decision: "none", plain: undefined, error: { text: { all: ["h"] }, sure: "yes" } },
    ],
    [
      "a misspelt field of another event is ignored with a warning",
      "Stop",
      prints({ permission_decision: "deny" }),
      "continue",
      { decision: "none", warns: "yes", error: undefined },
    ],
    [
      "a field twice is read both ways",
      "PreToolUse",
      {
        stdout: [{ twice: [{ decision: "block", reason: "no" }, { decision: "approve" }] }],
        stderr: "",
        end: 0,
      },
      "continue",
      { decision: "deny", reason: { is: "no" }, warns: "yes" },
    ],
    [
      "an allow under another event's name is no decision where onError holds back",
      "PreToolUse",
      prints({ hookSpecificOutput: { hookEventName: "Stop", permissionDecision: "allow" } }),
      "block",
      { decision: "deny", byFailure: true },
    ],
    [
      "approve at the top is an allow",
      "PreToolUse",
      prints({ decision: "approve" }),
      "continue",
      { decision: "allow", warns: "no" },
    ],
    [
      "a block at the top needs no event name",
      "Stop",
      prints({ decision: "block", reason: "more" }),
      "continue",
      { decision: "deny", reason: { is: "more" }, reasonFrom: "json", warns: "no" },
    ],
    [
      "a block without a reason names the hook, with a warning",
      "Stop",
      prints({ decision: "block" }),
      "continue",
      { decision: "deny", reason: nameless, warns: "yes" },
    ],
    [
      "a block without a reason takes stderr with exit 2",
      "Stop",
      prints({ decision: "block" }, 2, "x"),
      "continue",
      { decision: "deny", reason: { is: "x" } },
    ],
    [
      "an allow under another event's name does not count",
      "PreToolUse",
      prints({
        hookSpecificOutput: { hookEventName: "Stop", permissionDecision: "allow", additionalContext: "c" },
      }),
      "continue",
      { decision: "none", context: "c", warns: "yes" },
    ],
    [
      "a deny without an event name counts",
      "PreToolUse",
      prints({ hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "no" } }),
      "continue",
      { decision: "deny", reason: { is: "no" }, warns: "yes" },
    ],
    [
      "of two places the stricter counts",
      "PreToolUse",
      prints({ decision: "block", reason: "top", ...allow }),
      "continue",
      { decision: "deny", reason: { is: "top" }, warns: "yes" },
    ],
    [
      "of two objects the stricter counts",
      "PreToolUse",
      { stdout: [{ object: allow }, { text: "and" }, { object: deny }], stderr: "", end: 0 },
      "continue",
      { decision: "deny", reason: { is: "no" }, warns: "yes" },
    ],
    [
      "a field of another event is ignored with a warning",
      "Stop",
      prints({ hookSpecificOutput: { hookEventName: "Stop", permissionDecision: "deny" } }),
      "continue",
      { decision: "none", warns: "yes" },
    ],
    [
      "an updatedInput that is no object refuses the call",
      "PreToolUse",
      prints(pre({ updatedInput: 5 })),
      "continue",
      { decision: "deny", error: undefined },
    ],
    [
      "continue: false ends the turn",
      "Stop",
      prints({ continue: false, stopReason: "enough" }, 1),
      "continue",
      { halt: { is: "enough" }, error: undefined, warns: "no" },
    ],
    [
      "continue: false with exit 2 does both",
      "PostToolUse",
      prints({ continue: false, stopReason: "enough" }, 2, "x"),
      "continue",
      { halt: { is: "enough" }, decision: "deny", reason: { is: "x" } },
    ],
    [
      "continue: false without a reason names the hook",
      "Stop",
      prints({ continue: false }),
      "continue",
      { halt: nameless, warns: "yes" },
    ],
    [
      "a system message of broken output is shown",
      "Stop",
      prints({ systemMessage: "psst", decision: 7 }),
      "continue",
      { systemMessages: ["psst"], error: { text: { all: ["h"] }, sure: "yes" } },
    ],
    [
      "an object without a known field says nothing",
      "UserPromptSubmit",
      prints({ colour: "red" }),
      "continue",
      { plain: undefined, error: undefined },
    ],
  ];
  it.each(rows)("%s (SC-003)", (_title, event, says, onError, part) => {
    const one: Hook = { ...hook("h", says), entries: told(onError) };
    expect(readHook(event, one, says)).toMatchObject(part);
  });
});

describe("onError by kind, and defaults", () => {
  const failed = { timeout: exits("timeout"), crash: exits(1), missing: exits(127), invalid: broken(0) };
  const rows: [string, StopHook["entries"], Defaults, Says, OnError][] = [
    ["a word is for every kind", told("ask"), {}, failed.missing, "ask"],
    ["a kind has its own word", told({ timeout: "block" }), {}, failed.timeout, "block"],
    ["and leaves the others alone", told({ timeout: "block" }), {}, failed.crash, "continue"],
    [
      "default is for the kinds that are not named",
      told({ crash: "ask", default: "block" }),
      {},
      failed.invalid,
      "block",
    ],
    [
      "exit codes 126 and 127 mean that something is missing",
      told({ missing: "ask" }),
      {},
      exits(126),
      "ask",
    ],
    ["a signal is a crash", told({ crash: "ask" }), {}, exits("signal"), "ask"],
    [
      "of two ways at once the strictest word counts",
      told({ crash: "block", invalid: "ask" }),
      {},
      broken(1),
      "block",
    ],
    [
      "half an object before a timeout is a timeout",
      told({ invalid: "block" }),
      {},
      broken("timeout"),
      "continue",
    ],
    ["a default fills in", [{ in: "user", onError: undefined }], { user: "block" }, failed.crash, "block"],
    [
      "of two defaults the strictest",
      [{ in: "user", onError: undefined }],
      { user: "ask", project: "block" },
      failed.crash,
      "block",
    ],
    [
      "the user's own word stands",
      told("continue"),
      { user: "block", project: "block" },
      failed.crash,
      "continue",
    ],
    ["but not against the machine's owner", told("continue"), { managed: "ask" }, failed.crash, "ask"],
    [
      "a project's word not against the user",
      [{ in: "project", onError: "continue" }],
      { user: "ask" },
      failed.crash,
      "ask",
    ],
    [
      "a copy can only tighten",
      [...told("ask"), { in: "local", onError: { crash: "block" } }],
      {},
      failed.crash,
      "block",
    ],
  ];
  const decisions = { continue: "none", ask: "ask", block: "deny" };
  it.each(rows)("%s (SC-003, T11, G18)", (_title, entries, defaults, says, onError) => {
    const verdict = readHook("PreToolUse", hook("h", says, { entries }), says, defaults);
    expect(verdict).toMatchObject({
      decision: decisions[onError],
      byFailure: onError !== "continue",
      failedOpen: onError === "continue",
    });
  });
});

describe("a whole turn", () => {
  const call = { tool: "Write" as const, input: { file_path: "/p/one.txt", content: "one" } };
  const gate: Gate = { mode: "acceptEdits", answer: "nobody", rules: { deny: [], ask: [], allow: [] } };
  const writes = (fields: Input, decision?: string): Says =>
    prints(pre({ updatedInput: { ...call.input, ...fields }, permissionDecision: decision ?? null }));
  const play = (hooks: Partial<Record<Event, StopHook[]>>, more: Partial<Gate> = {}): Expected =>
    expectTurn({
      gate: { ...gate, ...more },
      defaults: {},
      call,
      hooks: { UserPromptSubmit: [], PreToolUse: [], PostToolUse: [], Stop: [], ...hooks },
    });

  const rows: [string, Expected, Partial<Expected> | { tool: Partial<Expected["tool"]> }][] = [
    [
      "without hooks runs the tool and ends",
      play({}),
      { modelCalls: 2, because: ["done"], tool: { ran: true } },
    ],
    [
      "drops a blocked prompt and its context",
      play({ UserPromptSubmit: [hook("a", plain("hi")), hook("b", exits(2, "no"))] }),
      { erased: true, modelCalls: 0, plain: [], because: ["prompt-blocked"] },
    ],
    [
      "ends with continue: false before the model is called",
      play({
        UserPromptSubmit: [hook("a", prints({ continue: false, stopReason: "x" })), hook("b", exits(2))],
      }),
      { erased: true, because: ["halted"] },
    ],
    [
      "joins the reasons of all denials in declared order",
      play({ PreToolUse: [hook("a", exits(2, "1")), hook("b", prints(allow)), hook("c", prints(deny))] }),
      { tool: { ran: false, result: [{ is: "1" }, { is: "no" }], resultIsExact: true }, modelCalls: 2 },
    ],
    [
      "leaves a hook out that does not match",
      play({ PreToolUse: [hook("a", exits(2), { matches: false })] }),
      { tool: { ran: true }, runs: { a: 0 } },
    ],
    [
      "denies what nobody can answer",
      play({ PreToolUse: [hook("a", prints(ask))] }, { mode: "bypassPermissions" }),
      { tool: { ran: false }, unanswered: true, because: ["done"] },
    ],
    [
      "ends when a person says no",
      play({ PreToolUse: [hook("a", prints(ask))] }, { answer: "deny" }),
      { tool: { ran: false }, because: ["denied"], modelCalls: 1 },
    ],
    [
      "runs what a hook allows where the mode would ask",
      play({ PreToolUse: [hook("a", prints(allow))] }, { mode: "default" }),
      { tool: { ran: true }, asked: [] },
    ],
    [
      "lets no hook lift a rule",
      play({ PreToolUse: [hook("a", prints(allow))] }, { rules: { deny: ["Write"], ask: [], allow: [] } }),
      { tool: { ran: false } },
    ],
    [
      "lets no hook lift plan mode",
      play({ PreToolUse: [hook("a", prints(allow))] }, { mode: "plan" }),
      { tool: { ran: false } },
    ],
    [
      "runs the later of two rewrites of a field, with a warning",
      play({ PreToolUse: [hook("a", writes({ content: "2" })), hook("b", writes({ content: "3" }))] }),
      {
        tool: { ran: true, input: { file_path: "/p/one.txt", content: "3" } },
        warnedTogether: [["a", "b"]],
        runs: { a: 2, b: 2 },
      },
    ],
    [
      "refuses a rewrite that does not fit, without a second pass",
      play({ PreToolUse: [hook("a", writes({ content: 5 }))] }),
      { tool: { ran: false }, runs: { a: 1 } },
    ],
    [
      "refuses a rewrite of another hook in the second pass",
      play({
        PreToolUse: [
          hook("a", writes({ content: "2" })),
          hook("b", SILENT, { saysAgain: writes({ content: "3" }) }),
        ],
      }),
      { tool: { ran: false } },
    ],
    [
      "drops an allow for the old input",
      play(
        {
          PreToolUse: [hook("a", writes({ content: "2" })), hook("b", prints(allow), { saysAgain: SILENT })],
        },
        { mode: "default" },
      ),
      { tool: { ran: false }, unanswered: true },
    ],
    [
      "keeps the allow of a rewrite that was taken",
      play(
        { PreToolUse: [hook("a", writes({ content: "2" }, "allow"), { saysAgain: SILENT })] },
        { mode: "default" },
      ),
      { tool: { ran: true } },
    ],
    [
      "ends after a tool with continue: false",
      play({ PostToolUse: [hook("a", prints({ continue: false, stopReason: "x" }))] }),
      { because: ["halted"], modelCalls: 1, tool: { ran: true } },
    ],
    [
      "goes on after a blocked stop",
      play({ Stop: [hook("a", exits(2, "more"))] }),
      { modelCalls: 3, because: ["done"], runs: { a: 2 } },
    ],
    [
      "ends after eight blocked stops in a row",
      play({ Stop: [hook("a", exits(2, "more"), { stubborn: true })] }),
      { because: ["stop-cap"], runs: { a: 8 } },
    ],
    [
      "asks about a hook that blocks because it failed, and a yes that names it lets the call run",
      play({ PreToolUse: [hook("a", exits(1), { entries: told("block") })] }, { answer: "without" }),
      { tool: { ran: true }, asked: [{ about: "Write", reasons: [nameOf("a")] }], warns: { a: "yes" } },
    ],
    [
      "does not let it run by a yes that does not name it, and goes on",
      play({ PreToolUse: [hook("a", exits(1), { entries: told("block") })] }, { answer: "allow" }),
      { tool: { ran: false }, because: ["done"], modelCalls: 2 },
    ],
    [
      "asks nobody when another hook really denies",
      play(
        { PreToolUse: [hook("a", exits(1), { entries: told("block") }), hook("b", exits(2, "no"))] },
        { answer: "without" },
      ),
      { tool: { ran: false }, asked: [] },
    ],
    [
      "asks nobody in dontAsk",
      play(
        { PreToolUse: [hook("a", exits(1), { entries: told("block") })] },
        { answer: "without", mode: "dontAsk" },
      ),
      { tool: { ran: false }, asked: [] },
    ],
    [
      "lets a prompt pass without its broken judge",
      play({ UserPromptSubmit: [hook("a", exits(1), { entries: told("block") })] }, { answer: "without" }),
      { erased: false, tool: { ran: true } },
    ],
    [
      "counts what went on although a hook failed, once per call, and nothing that did not go on",
      play({
        UserPromptSubmit: [hook("a", exits(1))],
        PreToolUse: [hook("b", exits(1)), hook("c", exits(2))],
        Stop: [hook("d", exits(1))],
      }),
      { failedOpen: { a: 1, d: 1 } },
    ],
    [
      "ends when one hook blocks the stop and another says continue: false",
      play({ Stop: [hook("a", exits(2, "more")), hook("b", prints({ continue: false, stopReason: "x" }))] }),
      { because: ["halted"], modelCalls: 2 },
    ],
  ];
  it.each(rows)("%s (SC-003)", (_title, expected, part) => {
    expect(expected).toMatchObject(part);
  });
});
