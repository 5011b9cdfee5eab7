import { describe, expect, it } from "vitest";
import type { AgentEvent } from "wave-agent-sdk";
import { noteLine } from "../src/output/noteLine.ts";
import { noteReader, type Note } from "../src/output/notes.ts";
import { changed, decided, ended, hookEntry } from "./support/events.ts";

const origin = { hookEvent: "PostToolUse", hook: "flaky", source: "/p/.wave/settings.json:9" };

describe("what print mode says on stderr", () => {
  const rows: [what: string, events: AgentEvent[], notes: Note[]][] = [
    [
      "nothing about a plain turn",
      [decided({ hooks: [hookEntry()] }), changed({ blocks: [{ type: "text", content: "hi" }] }), ended()],
      [],
    ],
    [
      "a failed hook, with its name and file (T124)",
      [
        changed({ blocks: [{ type: "error", content: "boom", origin }] }),
        decided({ event: "PostToolUse", hooks: [hookEntry({ name: "flaky", verdict: "could not decide" })] }),
      ],
      [{ kind: "hook failed", text: "flaky (PostToolUse, /p/.wave/settings.json:9): boom" }],
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
          hooks: [hookEntry({ verdict: "deny", reason: "no" })],
        }),
        ended({ because: "prompt-blocked", reason: "no" }),
      ],
      [{ kind: "blocked", text: "guard (UserPromptSubmit, /p/.wave/settings.json:9): no" }],
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
      [{ kind: "denied", text: "Bash did not run (hook guard): not here" }],
    ],
    [
      "a denial that no record told",
      [
        ended({
          denials: [{ toolName: "Bash", toolUseId: "c1", input: {}, reason: "halt", by: "hook guard" }],
        }),
      ],
      [{ kind: "denied", text: "Bash did not run (hook guard): halt" }],
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
      [{ type: "model_retry", attempt: 2, waitMs: 1500, why: "busy" }],
      [{ kind: "retry", text: "attempt 2 in 1.5 s: busy" }],
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
