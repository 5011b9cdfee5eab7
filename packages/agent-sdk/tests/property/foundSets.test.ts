import { expect, it } from "vitest";
import type { PlannedHook, Scenario } from "./generate.ts";
import { onStage, playAndCompare } from "./playAndCompare.ts";
import type { Input, Piece, Says } from "./reference.ts";
import type { OnError } from "./referencePolicy.ts";
import type { Gate } from "./referenceTurn.ts";

/** The smallest sets that random ones were shrunk to when they found a difference. */
const input = { file_path: "@@/one.txt", content: "one" };
const nothing: Says = { stdout: [], stderr: "", end: 0 };
const prints = (...stdout: Piece[]): Says => ({ stdout, stderr: "", end: 0 });
const pre = (fields: Input): Piece => ({
  object: { hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } },
});
const undecided = (label: string): Says => ({ stdout: [], stderr: `[${label}.1.stderr]`, end: 1 });

function hook(label: string, says: Says, onError: OnError = "continue", saysAgain = says): PlannedHook {
  return {
    name: `hook-${label}`,
    matches: true,
    entries: [{ in: "sdk", onError }],
    says,
    saysAgain,
    stubborn: false,
    matcher: undefined,
    delayMs: 0,
    style: { bom: false, crlf: false, pretty: false },
  };
}

const askedPrompt = [
  hook("U1", undecided("U1"), "ask"),
  hook("U2", prints({ object: { systemMessage: "[U2.1.system]" } })),
  hook("U3", undecided("U3")),
];
const deny = { permissionDecision: "deny", permissionDecisionReason: "[P1.1.reason]" };

const rows: [string, Partial<Scenario["hooks"]>, Partial<Gate>][] = [
  [
    "takes a decision in single quotes for broken output, not for text",
    {
      UserPromptSubmit: [hook("U1", prints({ broken: "{'decision': 'block', 'reason': '[U1.1.broken]'}" }))],
    },
    {},
  ],
  [
    "denies a prompt that would have to be asked about in dontAsk",
    { UserPromptSubmit: askedPrompt },
    { mode: "dontAsk", answer: "allow" },
  ],
  ["asks about a prompt under the name prompt", { UserPromptSubmit: askedPrompt }, { answer: "allow" }],
  ["shows errors and warnings when nobody can answer for a prompt", { UserPromptSubmit: askedPrompt }, {}],
  [
    "shows errors and warnings when a person says no to a prompt",
    { UserPromptSubmit: askedPrompt },
    { answer: "deny" },
  ],
  [
    "refuses an updatedInput that is no object beside an unknown decision",
    { PreToolUse: [hook("P1", prints(pre({ permissionDecision: "maybe", updatedInput: "text" })))] },
    {},
  ],
  [
    "refuses an updatedInput that is no object beside a field of a wrong type",
    {
      PreToolUse: [
        hook("P1", prints({ object: { systemMessage: 5, ...objectOf(pre({ updatedInput: "text" })) } })),
      ],
    },
    {},
  ],
  [
    "refuses an updatedInput that is no object after a broken line",
    { PreToolUse: [hook("P1", prints({ broken: '{"decision": block}' }, pre({ updatedInput: "text" })))] },
    {},
  ],
  [
    "keeps the reason of a deny beside an updatedInput that is no object",
    { PreToolUse: [hook("P1", prints(pre({ ...deny, updatedInput: 5 })))] },
    {},
  ],
  [
    "keeps the reason of a deny that brings a late rewrite",
    {
      PreToolUse: [
        hook("P1", nothing, "continue", prints(pre({ ...deny, updatedInput: { ...input, content: "3" } }))),
        hook("P2", prints(pre({ updatedInput: { ...input, content: "2" } })), "continue", nothing),
      ],
    },
    {},
  ],
  [
    "warns the author of a block without any reason, also with exit code 2",
    { PreToolUse: [hook("P1", { stdout: [{ object: { decision: "block" } }], stderr: "", end: 2 })] },
    {},
  ],
];

it.each(rows)("%s (SC-003)", async (_title, hooks, gate) => {
  const scenario: Scenario = {
    gate: { mode: "acceptEdits", answer: "nobody", rules: { deny: [], ask: [], allow: [] }, ...gate },
    defaults: {},
    call: { tool: "Write", input },
    hooks: { UserPromptSubmit: [], PreToolUse: [], PostToolUse: [], Stop: [], ...hooks },
  };
  await onStage(async (stage) => {
    const { wrong } = await playAndCompare(scenario, stage);
    expect(wrong).toEqual([]);
  });
});

function objectOf(piece: Piece): Input {
  return "object" in piece ? piece.object : {};
}
