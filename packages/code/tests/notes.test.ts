import { describe, expect, it } from "vitest";
import type { AgentEvent } from "wave-agent-sdk";
import { noteLine } from "../src/output/noteLine.ts";
import type { Note } from "../src/output/note.ts";
import { noteReader } from "../src/output/notes.ts";
import { changed, decided, ended, hookEntry } from "./support/events.ts";

const origin = { hookEvent: "PostToolUse", hook: "flaky", source: "/p/.wave/settings.json:9" };

const flaky = (changes: Parameters<typeof hookEntry>[0]) =>
  hookEntry({
    name: "flaky",
    source: origin.source,
    verdict: "could not decide",
    failedOpen: changes?.failure !== undefined,
    ...changes,
  });

/** As a hook that could not decide leaves it; `message` without the words that print mode writes itself. */
const failed = (hookEvent: string, content: string, message: string) => ({
  type: "error" as const,
  content,
  origin: { ...origin, hookEvent },
  failure: { kind: "crash", message: `hook failed: ${message}` },
});

const rewritten = {
  toolName: "Bash",
  inputPreview: '{"command":"npm test"}',
  finalInputPreview: '{"command":"npm test -- --ci","timeout":9}',
};

describe("what print mode says on stderr", () => {
  const rows: [what: string, events: AgentEvent[], notes: Note[]][] = [
    [
      "nothing about a plain turn",
      [decided({ hooks: [hookEntry()] }), changed({ blocks: [{ type: "text", content: "hi" }] }), ended()],
      [],
    ],
    [
      "a failed hook with the whole message (T124)",
      [
        changed({
          blocks: [failed("PostToolUse", "boom", "flaky (s) ended with exit code 1: boom; mend it")],
        }),
        decided({ event: "PostToolUse", hooks: [flaky({ ended: "exit 1", failure: "crash: boom" })] }),
      ],
      [{ kind: "hook failed", text: "flaky (s) ended with exit code 1: boom; mend it" }],
    ],
    [
      "all that a failed hook wrote, when that is more than a line",
      [
        changed({
          blocks: [failed("PreToolUse", "one\ntwo", "flaky (s) ended with exit code 7: one …; mend it")],
        }),
        { type: "model_started", call: 2 },
      ],
      [{ kind: "hook failed", text: "flaky (s) ended with exit code 7: one …; mend it\none\ntwo" }],
    ],
    [
      "a failed hook beside one that denied, each as what it is",
      [
        decided({
          toolName: "Bash",
          decision: "deny",
          decidedBy: "hook guard",
          reason: "no",
          hooks: [
            flaky({ ended: "exit 7", failure: "crash: ended with exit code 7", failureKind: "crash" }),
            hookEntry({ verdict: "deny", reason: "no" }),
          ],
        }),
        changed({ blocks: [failed("PreToolUse", "hook failed: flaky (s) x", "flaky (s) x")] }),
        { type: "model_started", call: 2 },
      ],
      [
        { kind: "blocked by", text: "guard: no (Bash did not run)" },
        { kind: "hook failed", text: "flaky (s) x" },
      ],
    ],
    [
      "a word at the start of a session as a word: nothing can be blocked there",
      [
        changed({
          blocks: [{ type: "error", content: "no", origin: { ...origin, hookEvent: "SessionStart" } }],
        }),
        decided({
          event: "SessionStart",
          decision: "pass",
          hooks: [flaky({ ended: "exit 2", verdict: "deny", reason: "no", failedOpen: false })],
        }),
      ],
      [{ kind: "hook said", text: "flaky (SessionStart, /p/.wave/settings.json:9): no" }],
    ],
    [
      "what a hook changed about a call, before and after",
      [
        decided({
          ...rewritten,
          hooks: [flaky({ verdict: "allow", rewrote: ["command", "timeout"], rewriteTaken: true })],
        }),
      ],
      [
        {
          kind: "hook",
          text: 'flaky (PreToolUse, /p/.wave/settings.json:9) changed the input of Bash: command: "npm test" → "npm test -- --ci"; timeout: nothing → 9',
        },
      ],
    ],
    [
      "which change was overruled",
      [
        decided({
          ...rewritten,
          hooks: [flaky({ verdict: "allow", rewrote: ["command"], rewriteTaken: false })],
        }),
      ],
      [
        {
          kind: "hook",
          text: "flaky (PreToolUse, /p/.wave/settings.json:9) wanted to change the input of Bash: command; a later hook's change counts",
        },
      ],
    ],
    [
      "a blocked prompt as a block and not as an error (T124)",
      [
        changed({
          blocks: [
            {
              type: "error",
              content: "no",
              origin: { ...origin, hookEvent: "UserPromptSubmit", hook: "guard" },
            },
          ],
        }),
        decided({
          event: "UserPromptSubmit",
          decision: "blocked",
          hooks: [hookEntry({ source: origin.source, verdict: "deny", reason: "no" })],
        }),
        ended({ because: "prompt-blocked", reason: "no" }),
      ],
      [{ kind: "blocked by", text: "guard (UserPromptSubmit, /p/.wave/settings.json:9): no" }],
    ],
    [
      "a denied call once",
      [
        decided({
          decision: "deny",
          decidedBy: "hook guard",
          reason: "not here",
          toolName: "Bash",
          toolUseId: "c1",
        }),
        ended({
          denials: [{ toolName: "Bash", toolUseId: "c1", input: {}, reason: "not here", by: "hook guard" }],
        }),
      ],
      [{ kind: "blocked by", text: "guard: not here (Bash did not run)" }],
    ],
    [
      "a call that did not run because a hook failed as a failure, and not as a block (T124)",
      [
        decided({
          decision: "deny",
          decidedBy: "hook slow",
          reason: "hook failed: slow (s) timed out after 1 s; raise it",
          toolName: "Bash",
          hooks: [
            hookEntry({ name: "slow", verdict: "deny", failureKind: "timeout", failure: "timeout: x" }),
          ],
        }),
      ],
      [{ kind: "hook failed", text: "slow (s) timed out after 1 s; raise it" }],
    ],
    [
      "a question that nobody could answer",
      [
        decided({
          decision: "deny",
          decidedBy: "nobody could answer",
          reason:
            "Not run: this needs approval, and nobody can be asked here. Asked by hook a.b: hook failed: a.b (s) x",
          toolName: "Bash",
        }),
      ],
      [
        {
          kind: "not run",
          text: "Bash (needs approval, and nobody can be asked here): hook a.b: hook failed: a.b (s) x",
        },
      ],
    ],
    [
      "a call that a rule would allow, with the flag that adds the rule",
      [
        decided({
          decision: "deny",
          decidedBy: "nobody could answer",
          reason: "Not run: this needs approval, and nobody can be asked here.",
          toolName: "Bash",
          inputPreview: JSON.stringify({ command: "npm run build" }),
          allowedBy: "Bash(npm run build:*)",
        }),
      ],
      [
        {
          kind: "not run",
          text: "npm run build (needs approval; allow it with --allowed-tools 'Bash(npm run build:*)')",
        },
      ],
    ],
    [
      "a denial that no record told",
      [
        ended({
          denials: [{ toolName: "Bash", toolUseId: "c1", input: {}, reason: "halt", by: "hook guard" }],
        }),
      ],
      [{ kind: "blocked by", text: "guard: halt (Bash did not run)" }],
    ],
    [
      "a warning of a hook",
      [changed({ blocks: [{ type: "warn", content: "careful", origin }] })],
      [{ kind: "warning", text: "flaky (PostToolUse, /p/.wave/settings.json:9): careful" }],
    ],
    [
      "a warning of Wave",
      [changed({ blocks: [{ type: "warn", content: "cut" }] })],
      [{ kind: "warning", text: "cut" }],
    ],
    [
      "what a hook told the model, shortened",
      [
        changed({
          role: "user",
          origin,
          blocks: [{ type: "text", content: `${"x".repeat(300)}\ntwo\nthree` }],
        }),
      ],
      [
        {
          kind: "hook",
          text: `flaky (PostToolUse, /p/.wave/settings.json:9) told the model: ${"x".repeat(160)}… (and 2 more lines)`,
        },
      ],
    ],
    [
      "what a hook told the model in JSON",
      [
        changed({
          role: "user",
          blocks: [
            {
              type: "hook",
              hookEvent: "Stop",
              content: "go on",
              metadata: { hook: "again", source: "/p/s:1" },
            },
          ],
        }),
      ],
      [{ kind: "hook", text: "again (Stop, /p/s:1) told the model: go on" }],
    ],
    [
      "notices",
      [
        { type: "notice", level: "info", text: "a" },
        { type: "notice", level: "error", text: "b" },
      ],
      [
        { kind: "note", text: "a" },
        { kind: "error", text: "b" },
      ],
    ],
    [
      "retries",
      [{ type: "model_retry", attempt: 2, attempts: 5, waitMs: 1500, why: "busy" }],
      [{ kind: "retry", text: "attempt 2 failed: busy; trying again in 1.5 s (3 of 5)" }],
    ],
    [
      "a model error once",
      [
        changed({ blocks: [{ type: "error", content: "wrong key" }] }),
        ended({ because: "model-error", reason: "wrong key" }),
      ],
      [{ kind: "error", text: "wrong key" }],
    ],
    [
      "why it ended, when nothing else told it",
      [ended({ because: "aborted", reason: "interrupted" })],
      [{ kind: "error", text: "interrupted" }],
    ],
    [
      "each block once, also when its message changes again",
      [
        changed({ blocks: [{ type: "warn", content: "w" }] }),
        changed({
          blocks: [
            { type: "warn", content: "w" },
            { type: "text", content: "t" },
          ],
        }),
      ],
      [{ kind: "warning", text: "w" }],
    ],
  ];

  it.each(rows)("%s", (_what, events, notes) => {
    expect(events.flatMap(noteReader())).toEqual(notes);
  });

  it("is one prefix per thing, with short paths and harmless characters", () => {
    const line = noteLine(
      { kind: "hook failed", text: "x (/p/.wave/s.json:1): a\n\u001b[2Jb\n" },
      { paint: (_, text) => text, folder: "/p" },
    );
    expect(line).toBe("hook failed: x (.wave/s.json:1): a\n  \\x1b[2Jb\n");
  });
});
