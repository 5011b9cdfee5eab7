import { Lexer } from "marked";
import type { Message, TimedDecision } from "wave-agent-sdk";
import { describe, expect, it } from "vitest";
import { contained, fenced, inlineCode, plainLine, quoted } from "../../src/export/markdownText.ts";
import { defaultName } from "../../src/export/exportSession.ts";
import { sessionMarkdown, type ExportedSession } from "../../src/export/sessionMarkdown.ts";

const EVIL = [
  "```\n# out",
  "````md\n```\ninside",
  "~~~\nopen",
  "<!-- open",
  "<script>",
  "> <!-- nested",
  "- <!-- in a list",
  "text\n===",
  "\u001b[2J\u202E hidden",
  "    ```\nnot a fence",
  "``` `no fence`",
  "",
];

/** What Markdown makes of a page: its headings on the top level. */
const headings = (markdown: string): string[] =>
  new Lexer({ gfm: true })
    .lex(markdown)
    .flatMap((token) => (token.type === "heading" ? [token.raw.trim()] : []));

describe("a piece of somebody's text on a page", () => {
  it.each(EVIL)("%j stays where it is put, and the page goes on after it", (text) => {
    for (const piece of [fenced(text), quoted(text), inlineCode(text), plainLine(text), contained(text)]) {
      const page = `# before\n\n${piece}\n\n# after`;
      expect(headings(page).at(-1), piece).toBe("# after");
      expect(headings(page)[0], piece).toBe("# before");
      for (const unsafe of ["\u001b", "\u202e"]) expect(page).not.toContain(unsafe);
    }
  });

  it.each(EVIL)("%j is the whole content of its fence", (text) => {
    const [token] = new Lexer().lex(fenced(text, "json"));
    expect(token).toMatchObject({ type: "code", lang: "json" });
  });

  it("keeps a whole answer as it was written", () => {
    const answer = "# Heading\n\n- a\n- b\n\n```ts\nlet a = 1 < 2;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |";
    expect(contained(answer)).toBe(answer);
  });
});

const tool = (id: string, more: object): Message["blocks"][number] => ({
  type: "tool",
  id,
  name: "Bash",
  parameters: '{"command":"ls"}',
  stage: "ended",
  success: true,
  result: "a\nb",
  ...more,
});
const decision = (more: Partial<TimedDecision>): TimedDecision => ({
  ts: "2026-11-15T10:00:00.000Z",
  event: "PreToolUse",
  mode: "default",
  hooks: [],
  skipped: [],
  decision: "allow",
  decidedBy: "mode default",
  durationMs: 1,
  ...more,
});
const origin = { hookEvent: "UserPromptSubmit", hook: "ticket", source: "settings.json" };

describe("a session as Markdown", () => {
  const session: ExportedSession = {
    id: "0199",
    cwd: "/home/ada/shop",
    name: "the *login* fix",
    problems: [],
    messages: [
      { id: "m1", role: "user", blocks: [{ type: "text", content: "first line\nsecond line" }] },
      { id: "m2", role: "user", origin, blocks: [{ type: "text", content: "ticket 12" }] },
      {
        id: "m3",
        role: "assistant",
        blocks: [
          { type: "text", content: "I look." },
          tool("t1", {}),
          tool("t2", { success: false, error: "blocked by hook guard", result: "not here" }),
          tool("t3", { parameters: "{broken", input: { command: "ls -a" } }),
          { type: "error", content: "it broke", origin },
        ],
      },
      { id: "m4", role: "assistant", blocks: [{ type: "text", content: "Done." }] },
    ],
    decisions: [
      decision({
        event: "SessionStart",
        decision: "pass",
        decidedBy: "no hook objected",
        hooks: [hook("hello")],
      }),
      decision({ toolName: "Bash", toolUseId: "t1", afterMessage: "m3" }),
      decision({
        toolName: "Bash",
        toolUseId: "t2",
        afterMessage: "m3",
        decision: "deny",
        decidedBy: "hook guard",
        reason: "not here",
        hooks: [hook("guard")],
      }),
      decision({
        event: "Stop",
        decision: "continued",
        decidedBy: "hook again",
        afterMessage: "m4",
        hooks: [hook("again")],
      }),
      decision({
        event: "Stop",
        decision: "continued",
        decidedBy: "hook gone",
        afterMessage: "rewound",
        hooks: [hook("gone")],
      }),
    ],
  };

  function hook(name: string): TimedDecision["hooks"][number] {
    return {
      name,
      source: "s",
      pass: 1,
      ended: "exit 0",
      durationMs: 1,
      verdict: "none",
      stdoutBytes: 0,
      stderrBytes: 0,
    };
  }

  it("has prompts, answers, calls with input and result, and a short line for what hooks decided", () => {
    expect(sessionMarkdown(session)).toBe(`# the \\*login\\* fix

- session \`0199\`
- in \`/home/ada/shop\`

*SessionStart: The session began; no hook objected*

## You

> first line
> second line

**hook ticket (UserPromptSubmit)**

> ticket 12

## Model

I look.

### Bash

\`\`\`json
{
  "command": "ls"
}
\`\`\`

*result*

\`\`\`
a
b
\`\`\`

### Bash, blocked by hook guard

\`\`\`json
{
  "command": "ls"
}
\`\`\`

*result*

\`\`\`
not here
\`\`\`

*PreToolUse for Bash (t2): It did not run; decided by hook guard: not here*

### Bash

\`\`\`json
{broken
\`\`\`

*what ran instead*

\`\`\`json
{
  "command": "ls -a"
}
\`\`\`

*result*

\`\`\`
a
b
\`\`\`

**error of hook ticket (UserPromptSubmit)**

> it broke

## Model

Done.

*Stop: The agent was told to go on; decided by hook again*
`);
  });

  it("tells what a Write replaced", () => {
    const write = tool("w", {
      name: "Write",
      parameters: '{"file_path":"/p/a","content":"a\\nB\\n"}',
      result: "Replaced the content of /p/a:\n     2\tB",
      replaced: [{ from: 1, to: 2, lines: ["b"] }],
    });
    const messages: Message[] = [{ id: "m", role: "assistant", blocks: [write] }];
    expect(sessionMarkdown({ id: "1", cwd: "", name: undefined, problems: [], messages })).toContain(
      "*what changed*\n\n```diff\n a\n-b\n+B\n```\n\n*result*",
    );
  });

  it("says so when nothing was said, and when something of the file is damaged", () => {
    const empty = sessionMarkdown({
      ...session,
      messages: [],
      decisions: [],
      name: undefined,
      problems: ["Line 2 is bad."],
    });
    expect(empty).toContain("# Session 0199\n");
    expect(empty).toContain("- damaged: Line 2 is bad.");
    expect(empty).toContain("Nothing was said in it.");
  });
});

describe("the file of an export", () => {
  it.each([
    ["The Login Fix!", "the-login-fix.md"],
    ["../../etc/passwd", "etc-passwd.md"],
    ["Prüfung № 5", "prüfung-5.md"],
    ["x".repeat(100), `${"x".repeat(60)}.md`],
  ])("of the session %j is %s", (name, file) => {
    expect(defaultName(name, "0")).toBe(file);
  });

  it("of a session without a name has the time it began", () => {
    const began = new Date(2026, 10, 15, 14, 32);
    const id = `${began
      .getTime()
      .toString(16)
      .padStart(12, "0")
      .replace(/^(.{8})/, "$1-")}-7000-8000-000000000000`;
    expect(defaultName(undefined, id)).toBe("wave-2026-11-15-1432.md");
    expect(defaultName("🙂", "not an id")).toBe("wave-session.md");
  });
});
