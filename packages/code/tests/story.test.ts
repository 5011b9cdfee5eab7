import { describe, expect, it } from "vitest";
import type { DecisionRecord } from "wave-agent-sdk";
import { chooseDecisions } from "../src/commands/hooks/choose.ts";
import { headlineOf, storyOf } from "../src/commands/hooks/story.ts";
import { localTime } from "../src/utils/localTime.ts";
import { hookEntry, record } from "./support/events.ts";

const numbered = (changes: Partial<DecisionRecord>, number = 1) => ({
  ...record(changes),
  ts: "2026-01-02T03:04:05.678Z",
  number,
});

describe("the story of a hook", () => {
  const rows: [what: string, record: Partial<DecisionRecord>, line: string][] = [
    [
      "that was interrupted is that it was interrupted",
      {
        hooks: [
          hookEntry({ ended: "was interrupted", verdict: "interrupted", failure: "interrupted: by you" }),
        ],
      },
      "  guard (/p/.wave/settings.json:6) was interrupted after 3 ms.",
    ],
    [
      "that timed out tells the time once",
      {
        hooks: [
          hookEntry({
            ended: "timed out after 10 s",
            verdict: "could not decide",
            failure: "timeout: too slow",
            failedOpen: true,
          }),
        ],
      },
      "  guard (/p/.wave/settings.json:6) timed out after 10 s: it could not decide (timeout: too slow), and its onError let the action pass.",
    ],
    [
      "whose onError blocked does not say that the hook said no",
      { hooks: [hookEntry({ ended: "exit 1", verdict: "deny", failure: "crash: boom", failedOpen: false })] },
      "  guard (/p/.wave/settings.json:6) ended with exit 1 after 3 ms: it could not decide (crash: boom), and its onError blocked.",
    ],
    [
      "that failed and was passed tells who did that, and how",
      {
        hooks: [hookEntry({ ended: "exit 1", verdict: "deny", failure: "crash: boom", failedOpen: false })],
        brokenGuards: [
          { name: "guard", source: "/p/.wave/settings.json:6", kind: "crash", did: "retried" },
          { name: "guard", source: "/p/.wave/settings.json:6", kind: "crash", did: "switched-off" },
        ],
      },
      "  guard (/p/.wave/settings.json:6) failed (crash), and a person went on without it, and switched it off for the session.",
    ],
    [
      "whose rewrite the call was refused for tells that, and not that it had no objection",
      {
        hooks: [
          hookEntry({ pass: 2, rewriteRefused: "rewrote an input that other hooks had already rewritten" }),
        ],
      },
      "  guard (/p/.wave/settings.json:6), asked again about the changed input, ended with exit 0 after 3 ms: it rewrote an input that other hooks had already rewritten.",
    ],
    [
      "that had no objection and wrote on stderr tells both (T125)",
      { hooks: [hookEntry({ stderr: "cache\nhit" })] },
      "  guard (/p/.wave/settings.json:6) ended with exit 0 after 3 ms: it had no objection, and wrote on stderr: cache / hit.",
    ],
    [
      "that printed no decision although it looks like one tells so (G5)",
      { hooks: [hookEntry({ doubts: "decision is null, which decides nothing" })] },
      "  guard (/p/.wave/settings.json:6) ended with exit 0 after 3 ms: it had no objection, and may have meant something else (decision is null, which decides nothing).",
    ],
    [
      "that was never started takes no time",
      {
        hooks: [
          hookEntry({
            ended: "was not started: no such file: ./x",
            verdict: "could not decide",
            failure: "missing: was not started: no such file: ./x",
            failedOpen: true,
          }),
        ],
      },
      "  guard (/p/.wave/settings.json:6) was not started: no such file: ./x: it could not decide (missing: was not started: no such file: ./x), and its onError let the action pass.",
    ],
    [
      "that rewrote has what was there before and after",
      {
        inputPreview: '{"command":"a"}',
        finalInputPreview: '{"command":"b"}',
        hooks: [hookEntry({ verdict: "allow", rewrote: ["command"], rewriteTaken: true })],
      },
      '  guard (/p/.wave/settings.json:6) ended with exit 0 after 3 ms: it said yes, and changed command: "a" → "b".',
    ],
    [
      "that was overruled says so",
      {
        inputPreview: '{"command":"a"}',
        finalInputPreview: '{"command":"b"}',
        hooks: [hookEntry({ rewrote: ["command"], rewriteTaken: false })],
      },
      "  guard (/p/.wave/settings.json:6) ended with exit 0 after 3 ms: it had no objection, and wanted to change command, but a later hook's change counts.",
    ],
    [
      "that blocked a stop is that it kept the agent going",
      { event: "Stop", hooks: [hookEntry({ ended: "exit 2", verdict: "deny", reason: "not yet" })] },
      "  guard (/p/.wave/settings.json:6) ended with exit 2 after 3 ms: it kept the agent going: not yet.",
    ],
  ];

  it.each(rows)("%s", (_what, changes, line) => {
    expect(storyOf(numbered(changes))).toContain(line);
  });
});

describe("the story of a decision", () => {
  it("has what the model wrote and what ran", () => {
    const story = storyOf(
      numbered({ toolName: "Bash", inputPreview: '{"command":"a"}', finalInputPreview: '{"command":"b"}' }),
    );
    expect(story.slice(0, 4)).toEqual([
      `1. PreToolUse for Bash, ${localTime("2026-01-02T03:04:05.678Z")}`,
      "  It ran; decided by mode default, in mode default.",
      '  Input: {"command":"a"}',
      '  What ran instead: {"command":"b"}',
    ]);
  });

  it.each<[DecisionRecord["event"], DecisionRecord["decision"], string]>([
    ["UserPromptSubmit", "blocked", "The prompt was blocked"],
    ["UserPromptSubmit", "pass", "The prompt went to the model"],
    ["PreToolUse", "deny", "It did not run"],
    ["PostToolUse", "blocked", "The model was told"],
    ["Stop", "continued", "The agent was told to go on"],
    ["Stop", "pass", "The turn ended"],
    ["SessionStart", "pass", "The session began"],
    ["SessionEnd", "pass", "The session ended"],
  ])("of %s with %s is: %s", (event, decision, words) => {
    const one = numbered({ event, decision, decidedBy: "no hook objected" });
    expect(storyOf(one)[1]).toBe(`  ${words}; no hook objected, in mode default.`);
    expect(headlineOf(one)).toBe(`${event}: ${words}; no hook objected`);
  });
});

describe("wave hooks explain", () => {
  const decisions = [
    numbered({ event: "UserPromptSubmit" }, 1),
    numbered({ toolUseId: "call_1", toolName: "Bash" }, 2),
    numbered({ event: "PostToolUse", toolUseId: "call_1", toolName: "Bash" }, 3),
    numbered({ toolUseId: "7", toolName: "Read" }, 4),
    numbered({ event: "Stop" }, 5),
  ];

  it.each([
    ["last", [4]],
    ["1", [1]],
    ["7", [4]],
    ["call_1", [2, 3]],
    ["call", [2, 3]],
    ["Stop", [5]],
    ["stop", [5]],
    ["PreToolUse", [2, 4]],
  ])("finds %s", (wanted, numbers) => {
    const choice = chooseDecisions(decisions, wanted);
    expect(choice.chosen === "some" && choice.decisions.map(({ number }) => number)).toEqual(numbers);
  });

  it.each([
    ["9", "has no decision 9: there are 5."],
    ["SessionEnd", "has no decision of SessionEnd: no hook of it ran."],
    ["Stopp", 'has no call "Stopp". Did you mean Stop?'],
    ["call_2", 'has no call "call_2". Its calls: call_1 (Bash), 7 (Read).'],
  ])("says what is wrong with %s", (wanted, problem) => {
    expect(chooseDecisions(decisions, wanted)).toEqual({ chosen: "none", problem });
  });
});

it("the story of a sub-agent's call says whose it was (T14)", () => {
  const ofAgent = numbered({
    toolName: "Bash",
    toolUseId: "call_1",
    agentId: "agent_1",
    agentType: "explore",
  });
  expect(headlineOf(ofAgent)).toContain(" (call_1) of sub-agent explore (agent_1): ");
  expect(storyOf(numbered({ event: "SubagentStop", agentId: "agent_1", agentType: "explore" }))[0]).toMatch(
    /^1\. SubagentStop.* of sub-agent explore \(agent_1\), /,
  );
  expect(headlineOf(numbered({ toolName: "Bash" }))).not.toContain("sub-agent");
});
