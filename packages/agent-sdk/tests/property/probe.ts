import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { startScriptedModel } from "../../src/testing/index.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { differences } from "./compare.ts";
import { modelFor, play } from "./play.ts";
import { expectTurn } from "./referenceTurn.ts";
import { report } from "./report.ts";
const hook = (name: string, says: any, more: any = {}) => ({
  name,
  matches: true,
  onError: "continue",
  ownOnError: "continue",
  says,
  saysAgain: says,
  stubborn: false,
  matcher: undefined,
  source: "sdk",
  repeated: undefined,
  delayMs: 0,
  style: { bom: false, crlf: false, pretty: false },
  ...more,
});
const S = (stdout: any[], end: any = 0, stderr = "") => ({ stdout, stderr, end });
const pre = (f: any) => ({ object: { hookSpecificOutput: { hookEventName: "PreToolUse", ...f } } });
const input = { file_path: "@@/one.txt", content: "one" };
const base = {
  gate: { mode: "acceptEdits", answer: "nobody", rules: { deny: [], ask: [], allow: [] } },
  call: { tool: "Write", input },
};
const none = { UserPromptSubmit: [], PreToolUse: [], PostToolUse: [], Stop: [] };
const b = { broken: '{"decision": block}' };
const cases: Record<string, any> = {
  E5a: { ...base, hooks: { ...none, PreToolUse: [hook("hook-P1", S([b, pre({ updatedInput: "text" })]))] } },
  E5b: {
    ...base,
    hooks: {
      ...none,
      PreToolUse: [hook("hook-P1", S([pre({ permissionDecision: "maybe", updatedInput: "text" })]))],
    },
  },
  E5c: {
    ...base,
    hooks: { ...none, PreToolUse: [hook("hook-P1", S([pre({ updatedInput: "text" })], 126))] },
  },
  E5d: {
    ...base,
    hooks: {
      ...none,
      PreToolUse: [hook("hook-P1", S([pre({ updatedInput: "text" }), pre({ permissionDecision: "allow" })]))],
    },
  },
  E5e: {
    ...base,
    hooks: {
      ...none,
      PreToolUse: [
        hook("hook-P1", S([{ object: { systemMessage: 5, ...pre({ updatedInput: "text" }).object } }])),
      ],
    },
  },
  E7a: {
    ...base,
    hooks: {
      ...none,
      PreToolUse: [
        hook(
          "hook-P1",
          S([
            pre({ permissionDecision: "deny", permissionDecisionReason: "[P1.1.reason]", updatedInput: 5 }),
          ]),
        ),
      ],
    },
  },
  E7b: {
    ...base,
    hooks: {
      ...none,
      PreToolUse: [
        hook("hook-P1", S([pre({ updatedInput: { ...input, content: "2" } })])),
        hook("hook-P2", S([]), {
          saysAgain: S([
            pre({
              permissionDecision: "deny",
              permissionDecisionReason: "[P2.2.reason]",
              updatedInput: { ...input, content: "3" },
            }),
          ]),
        }),
      ],
    },
  },
  E7c: {
    ...base,
    hooks: {
      ...none,
      PreToolUse: [
        hook("hook-P1", S([pre({ updatedInput: { ...input, content: 2 } })])),
        hook("hook-P2", S([pre({ permissionDecision: "deny", permissionDecisionReason: "[P2.1.reason]" })])),
      ],
    },
  },
  E2: {
    ...base,
    gate: { ...base.gate, mode: "dontAsk", answer: "allow" },
    hooks: {
      ...none,
      UserPromptSubmit: [hook("hook-U1", S([], 1, "[U1.1.stderr]"), { onError: "ask", ownOnError: "ask" })],
    },
  },
  E3: {
    ...base,
    gate: { ...base.gate, answer: "allow" },
    hooks: {
      ...none,
      UserPromptSubmit: [hook("hook-U1", S([], 1, "[U1.1.stderr]"), { onError: "ask", ownOnError: "ask" })],
    },
  },
  E4: {
    ...base,
    hooks: {
      ...none,
      UserPromptSubmit: [
        hook("hook-U1", S([], 1, "[U1.1.stderr]"), { onError: "ask", ownOnError: "ask" }),
        hook("hook-U2", S([{ object: { systemMessage: "[U2.1.system]" } }])),
        hook("hook-U3", S([], 1, "[U3.1.stderr]")),
      ],
    },
  },
  E4b: {
    ...base,
    gate: { ...base.gate, answer: "deny" },
    hooks: {
      ...none,
      UserPromptSubmit: [
        hook("hook-U1", S([], 1, "[U1.1.stderr]"), { onError: "ask", ownOnError: "ask" }),
        hook("hook-U2", S([{ object: { systemMessage: "[U2.1.system]" } }])),
        hook("hook-U3", S([], 1, "[U3.1.stderr]")),
      ],
    },
  },
  E6: {
    ...base,
    hooks: { ...none, PreToolUse: [hook("hook-P1", S([{ object: { decision: "block" } }], 2))] },
  },
};
using folder = tempFolder();
const pipe = join(folder.path, "pipe");
execFileSync("mkfifo", [pipe]);
const calls = new Map();
await using model = await startScriptedModel(modelFor(calls));
for (const [k, s] of Object.entries(cases)) {
  if (process.argv[2] && !k.startsWith(process.argv[2])) continue;
  const r = await play(s, { model, calls, pipe }, { id: k, timeoutSeconds: 2 });
  const expected = expectTurn(r.scenario);
  const wrong = differences(expected, r.seen, r.scenario);
  console.log("##", k, wrong.length ? "" : "ok");
  if (wrong.length)
    console.log(
      report({ ...r, expected, wrong }, k)
        .replace(/\nexpected \{[^]*?\n\}\n/, "\n")
        .replaceAll(/\/tmp\/wave-test-\w+/g, "~")
        .replaceAll(/,"origin":\{[^}]*\}/g, ""),
    );
}
