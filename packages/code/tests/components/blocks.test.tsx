import { Box, renderToString } from "ink";
import { describe, expect, it, vi } from "vitest";
import type { Block, Message, Origin, ToolBlock } from "wave-agent-sdk";
import { BlockView } from "../../src/components/BlockView.tsx";
import { splitTranscript, type Item } from "../../src/view/items.ts";
import { openedLines } from "../../src/view/opened.ts";
import { textOf, widthOf } from "../../src/view/span.ts";
import { ACTS, ESCAPES } from "../support/escapes.ts";

// Read when Ink is loaded: screens are compared without colours, wherever the tests run.
vi.hoisted(() => {
  process.env["FORCE_COLOR"] = "0";
});

const origin: Origin = {
  hookEvent: "PreToolUse",
  hook: "no force push",
  source: "/proj/.wave/settings.json",
};
const tool = (name: string, input: Record<string, unknown>, rest: Partial<ToolBlock> = {}): ToolBlock => ({
  type: "tool",
  id: name,
  name,
  parameters: JSON.stringify(input),
  stage: "ended",
  success: true,
  result: "a\nb",
  ...rest,
});

const CONVERSATION: Message[] = [
  { id: "u", role: "user", blocks: [{ type: "text", content: "Please mend the build.\nIt is red." }] },
  {
    id: "h",
    role: "user",
    origin: { ...origin, hookEvent: "UserPromptSubmit" },
    blocks: [{ type: "text", content: "branch main\n2 files changed" }],
  },
  {
    id: "a",
    role: "assistant",
    blocks: [
      {
        type: "reasoning",
        content: "The build is red.\nSo one of the two files is to blame, most likely the newer one.",
      },
      {
        type: "text",
        content: "I look at **both** files:\n\n1. `a.ts`\n2. `b.ts`\n\n```ts\nconst a = 1;\n```",
      },
      tool("Read", { file_path: "/proj/src/a.ts" }),
      tool(
        "Bash",
        { command: "git push --force origin main" },
        {
          success: false,
          error: "blocked by hook no force push",
          result: "Never force-push to main.",
        },
      ),
      tool(
        "Bash",
        { command: "rm -rf build" },
        { input: { command: "rm -rf ./build" }, result: "(no output)" },
      ),
      tool("Bash", { command: "npm test" }, { success: false, result: "Exit code 3\n1 test failed" }),
      tool(
        "Edit",
        { file_path: "/proj/src/a.ts", old_string: "const a = 1;", new_string: "const a = 2;" },
        {
          result: "Changed 1 place in /proj/src/a.ts:\n     7\tconst a = 2;",
        },
      ),
      { type: "warn", content: "the answer was cut" },
      { type: "image", mediaType: "image/png", data: "AAAA".repeat(1000), path: "/proj/shot.png" },
      { type: "error", content: "The model server does not answer." },
      {
        type: "hook",
        hookEvent: "Stop",
        content: "Run the tests first.",
        metadata: { hook: "tests", source: "~/.wave/settings.json" },
      },
    ],
  },
];

function frame(items: readonly Item[], width: number): string {
  const rows = items.map((item) => <BlockView key={item.id} item={item} width={width} folder="/proj" />);
  return renderToString(<Box flexDirection="column">{rows}</Box>, { columns: width });
}

/** What each is when it is opened. */
const opened = (items: readonly Item[], width: number): string =>
  items.flatMap((item) => openedLines(item, { width, folder: "/proj" }).map(textOf)).join("\n");

describe("a conversation with every kind of block", () => {
  const { finished } = splitTranscript(CONVERSATION);

  it("at 40 columns (MB-3)", () => {
    expect(frame(finished, 40)).toMatchInlineSnapshot(`
      "> Please mend the build.
        It is red.

      ◆ hook no force push (UserPromptSubmit,
        .wave/settings.json) tells the model:
        branch main
        2 files changed

      ∴ The build is red. S… (3 lines, Ctrl-O)

      I look at both files:

      1. a.ts
      2. b.ts

        const a = 1;

      ✓ Read src/a.ts — 2 lines
      ⊘ Bash git push --force origin main
        blocked by hook no force push
        │ Never force-push to main.
      ✓ Bash rm -rf ./build — no output
        hook changed command: rm -rf build →
          rm -rf ./build
      ✗ Bash npm test — exit 3
        │ 1 test failed
      ✓ Edit src/a.ts — +1 -1
        7 - const a = 1;
        7 + const a = 2;
      ! warning: the answer was cut

      ▣ image shot.png (image/png, 2.9 KB)

      ✗ error: The model server does not
        answer.

      ◆ hook tests (Stop,
        ~/.wave/settings.json) tells the
        model:
        Run the tests first."
    `);
  });

  it("at 80 columns (MB-3)", () => {
    expect(frame(finished, 80)).toMatchInlineSnapshot(`
      "> Please mend the build.
        It is red.

      ◆ hook no force push (UserPromptSubmit, .wave/settings.json) tells the model:
        branch main
        2 files changed

      ∴ The build is red. So one of the two files is to blame, most… (2 lines, Ctrl-O)

      I look at both files:

      1. a.ts
      2. b.ts

        const a = 1;

      ✓ Read src/a.ts — 2 lines
      ⊘ Bash git push --force origin main — blocked by hook no force push
        │ Never force-push to main.
      ✓ Bash rm -rf ./build — no output
        hook changed command: rm -rf build → rm -rf ./build
      ✗ Bash npm test — exit 3
        │ 1 test failed
      ✓ Edit src/a.ts — +1 -1
        7 - const a = 1;
        7 + const a = 2;
      ! warning: the answer was cut

      ▣ image shot.png (image/png, 2.9 KB)

      ✗ error: The model server does not answer.

      ◆ hook tests (Stop, ~/.wave/settings.json) tells the model: Run the tests first."
    `);
  });

  it("at 120 columns (MB-3)", () => {
    expect(frame(finished, 120)).toMatchInlineSnapshot(`
      "> Please mend the build.
        It is red.

      ◆ hook no force push (UserPromptSubmit, .wave/settings.json) tells the model:
        branch main
        2 files changed

      ∴ The build is red. So one of the two files is to blame, most likely the newer one. (2 lines, Ctrl-O)

      I look at both files:

      1. a.ts
      2. b.ts

        const a = 1;

      ✓ Read src/a.ts — 2 lines
      ⊘ Bash git push --force origin main — blocked by hook no force push
        │ Never force-push to main.
      ✓ Bash rm -rf ./build — no output
        hook changed command: rm -rf build → rm -rf ./build
      ✗ Bash npm test — exit 3
        │ 1 test failed
      ✓ Edit src/a.ts — +1 -1
        7 - const a = 1;
        7 + const a = 2;
      ! warning: the answer was cut

      ▣ image shot.png (image/png, 2.9 KB)

      ✗ error: The model server does not answer.

      ◆ hook tests (Stop, ~/.wave/settings.json) tells the model: Run the tests first."
    `);
  });

  it("opened", () => {
    expect(opened(finished.slice(2, 6), 80)).toMatchInlineSnapshot(`
      "∴ The build is red.
        So one of the two files is to blame, most likely the newer one.
      ✓ Read src/a.ts — 2 lines
        file_path: /proj/src/a.ts
        │ a
        │ b
      ⊘ Bash git push --force origin main — blocked by hook no force push
        command: git push --force origin main
        │ Never force-push to main."
    `);
  });

  it.each([40, 41, 60, 80, 120, 200])("leaves no row wider than %i columns", (width) => {
    for (const drawn of [frame(finished, width), opened(finished, width)])
      for (const row of drawn.split("\n")) expect(widthOf(row)).toBeLessThanOrEqual(width);
  });
});

describe("who spoke is said in words", () => {
  const item = (block: Item["block"], rest: Partial<Item> = {}): Item => ({
    id: "1",
    role: "assistant",
    block,
    spaced: false,
    ...rest,
  });
  const error: Block = { type: "error", content: "no", origin };
  const rows: [string, Item, string][] = [
    ["an error of Wave's", item({ type: "error", content: "no" }), "✗ error: no"],
    [
      "a hook that blocked (T124)",
      item(error, { speech: "blocked" }),
      "⊘ blocked by hook no force push (PreToolUse, .wave/settings.json): no",
    ],
    [
      "a hook that failed (T124)",
      item(error, { speech: "failed" }),
      "✗ hook failed: hook no force push (PreToolUse, .wave/settings.json): no",
    ],
    [
      "a hook of an earlier session",
      item(error),
      "◆ hook no force push (PreToolUse, .wave/settings.json) says: no",
    ],
    ["a warning", item({ type: "warn", content: "hm" }), "! warning: hm"],
    [
      "a warning of a hook",
      item({ type: "warn", content: "hm", origin }),
      "! warning from hook no force push (PreToolUse, .wave/settings.json): hm",
    ],
    [
      "a hook that tells the model something",
      item({
        type: "hook",
        hookEvent: "Stop",
        content: "go on",
        metadata: { hook: "tests", source: "x.json" },
      }),
      "◆ hook tests (Stop, x.json) tells the model: go on",
    ],
    [
      "a hook nobody named",
      item({ type: "hook", hookEvent: "Stop", content: "go on" }),
      "◆ a hook (Stop) tells the model: go on",
    ],
    ["a notice", item({ type: "notice", level: "info", content: "hooks are off" }), "i note: hooks are off"],
  ];
  it.each(rows)("by %s", (_what, one, expected) => {
    expect(frame([one], 100)).toBe(expected);
  });

  it("and lines that are too wide go on under their first word", () => {
    const content = "what it cost\n  the model: many calls and many more tokens";
    expect(frame([item({ type: "notice", level: "info", content })], 30).split("\n")).toEqual([
      "i note: what it cost",
      "    the model: many calls and",
      "    many more tokens",
    ]);
  });

  it("and reasoning is drawn without the signs of Markdown", () => {
    expect(frame([item({ type: "reasoning", content: "**Looking** at `a.ts`" })], 60)).toBe(
      "∴ Looking at a.ts",
    );
  });

  it("and what a hook tells the model shows its beginning", () => {
    const content = Array.from({ length: 9 }, (_, index) => `line ${index}`).join("\n");
    expect(frame([item({ type: "hook", hookEvent: "Stop", content })], 60).split("\n")).toEqual([
      "◆ a hook (Stop) tells the model:",
      "  line 0",
      "  line 1",
      "  line 2",
      "  line 3",
      "  line 4",
      "  line 5",
      "  … 3 more lines (Ctrl-O)",
    ]);
  });
});

it.each(ESCAPES)("no block acts on the terminal with %s (G46)", (_what, bytes) => {
  const from = { hookEvent: bytes, hook: bytes, source: bytes };
  const blocks: Block[] = [
    { type: "text", content: bytes },
    { type: "reasoning", content: bytes },
    { type: "image", mediaType: bytes, data: "", path: bytes },
    { type: "error", content: bytes, origin: from },
    { type: "warn", content: bytes, origin: from },
    { type: "hook", hookEvent: bytes, content: bytes, metadata: { hook: bytes, source: bytes } },
    tool(`Bash${bytes}`, { command: bytes }, { result: bytes }),
  ];
  const { finished } = splitTranscript([
    { id: "u", role: "user", blocks: [{ type: "text", content: bytes }] },
    { id: "o", role: "user", origin: from, blocks: [{ type: "text", content: bytes }] },
    { id: "a", role: "assistant", blocks },
  ]);
  for (const drawn of [frame(finished, 60), opened(finished, 60)]) expect(ACTS.exec(drawn)).toBeNull();
});
