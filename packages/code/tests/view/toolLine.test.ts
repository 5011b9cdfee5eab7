import { describe, expect, it } from "vitest";
import type { ToolBlock } from "wave-agent-sdk";
import { textOf, widthOf } from "../../src/view/span.ts";
import { summariseCall } from "../../src/view/toolLine.ts";
import { changeLines, foldedLines, headLines, openLines } from "../../src/view/toolLines.ts";
import { ACTS, ESCAPES } from "../support/escapes.ts";

const call = (name: string, input: Record<string, unknown>, rest: Partial<ToolBlock> = {}): ToolBlock => ({
  type: "tool",
  id: "1",
  name,
  parameters: JSON.stringify(input),
  stage: "ended",
  success: true,
  result: "",
  ...rest,
});

describe("the argument that tells a call from others is", () => {
  const rows: [string, ToolBlock, string][] = [
    ["the command", call("Bash", { command: "npm test", description: "tests" }), "npm test"],
    ["a command on one line", call("Bash", { command: "a\nb" }), "a\\nb"],
    ["a path below the project", call("Read", { file_path: "/proj/src/a.ts" }), "src/a.ts"],
    ["a path and lines", call("Read", { file_path: "/etc/a", offset: 5, limit: 10 }), "/etc/a:5-14"],
    ["a path and a first line", call("Read", { file_path: "/etc/a", offset: 5 }), "/etc/a:5-"],
    ["a pattern", call("Glob", { pattern: "**/*.ts" }), "**/*.ts"],
    ["a pattern and a place", call("Grep", { pattern: "x", path: "/proj/src" }), "x in src"],
    [
      "how many steps are done",
      call("TodoWrite", { todos: [{ status: "completed" }, {}] }),
      "1 of 2 steps done",
    ],
    ["the first text of an unknown tool", call("mcp__a__b", { n: 1, q: "hello" }), "hello"],
    ["everything, when there is no text", call("mcp__a__b", { n: 1 }), '{"n":1}'],
    [
      "the arguments as they came, when they are broken",
      call("Bash", {}, { parameters: '{"comm' }),
      '{"comm',
    ],
    ["the input that ran", call("Bash", { command: "a" }, { input: { command: "b" } }), "b"],
  ];
  it.each(rows)("%s", (_what, block, argument) => {
    expect(summariseCall(block, "/proj").argument).toBe(argument);
  });
});

describe("what came of a call is", () => {
  const failed = (result: string) => call("Bash", { command: "x" }, { success: false, result });
  const edit = { file_path: "/proj/a", old_string: "a\nb", new_string: "c" };
  const rows: [string, ToolBlock, string, string][] = [
    ["nothing while it waits", call("Bash", {}, { stage: "pending" }), "waiting", ""],
    ["nothing while it runs", call("Bash", {}, { stage: "running" }), "running", ""],
    ["a number of lines", call("Bash", { command: "x" }, { result: "a\nb\n" }), "done", "2 lines"],
    ["no output", call("Bash", { command: "x" }, { result: "(no output)" }), "done", "no output"],
    ["an exit code", failed("Exit code 3\nboom"), "failed", "exit 3"],
    [
      "a timeout",
      failed("Timed out after 2 s: all ended; effects may exist."),
      "failed",
      "timed out after 2 s",
    ],
    ["a signal", failed("Killed by SIGKILL"), "failed", "killed by SIGKILL"],
    ["a sentence", failed("Cannot read /proj/a: no."), "failed", "Cannot read a: no."],
    [
      "who blocked it",
      call("Bash", { command: "x" }, { success: false, error: "blocked by hook lint", result: "no" }),
      "refused",
      "blocked by hook lint",
    ],
    ["the lines of an edit", call("Edit", edit, { result: "Changed" }), "done", "+1 -2"],
    [
      "a new file",
      call("Write", { file_path: "a", content: "x\ny" }, { result: "Created a (3 bytes)." }),
      "done",
      "created, 2 lines",
    ],
    [
      "a number of files",
      call("Glob", { pattern: "x" }, { result: "a\nb\n[2 of 3 files.]" }),
      "done",
      "2 files",
    ],
    [
      "no files",
      call("Glob", { pattern: "x" }, { result: "No file in /proj matches x." }),
      "done",
      "no files",
    ],
  ];
  it.each(rows)("%s", (_what, block, state, result) => {
    expect(summariseCall(block, "/proj")).toMatchObject({ state, result });
  });
});

describe("a call in one line", () => {
  const head = (block: ToolBlock, width: number) =>
    headLines(summariseCall(block, "/proj"), width).map(textOf);
  const long = call("Bash", { command: "npm run a-rather-long-script -- --with --flags" }, { result: "a" });

  it("shortens its argument before its result", () => {
    expect(head(long, 40)).toEqual(["Bash npm run a-rather-long-scr… — 1 line"]);
  });

  it("puts a result that finds no room below", () => {
    const error = "blocked by hook no force push";
    expect(head({ ...long, success: false, error }, 38)).toEqual([
      "Bash npm run a-rather-long-script -- …",
      "blocked by hook no force push",
    ]);
  });

  it.each([40, 80, 120, 200])("is never wider than %i columns", (width) => {
    const name = call("mcp__a_server__a_tool_with_a_long_name", { q: "日本語".repeat(20) });
    for (const block of [long, name, { ...name, success: false, result: "x".repeat(300) }])
      for (const line of head(block, width)) expect(widthOf(line)).toBeLessThanOrEqual(width);
  });
});

describe("what hooks changed", () => {
  const lines = (block: ToolBlock) => changeLines(summariseCall(block, "/proj"), 80).map(textOf);

  it("is shown field by field, before and after", () => {
    const changedBy = { command: "hook calm (/proj/.wave/settings.json:3)" };
    const block = call("Bash", { command: "rm -rf /" }, { input: { command: "ls", timeout: 5 }, changedBy });
    expect(lines(block)).toEqual([
      "  hook calm (.wave/settings.json:3) changed command: rm -rf / → ls",
      "  hook changed timeout: (nothing) → 5",
    ]);
  });

  it("is nothing when a path only became absolute", () => {
    expect(lines(call("Read", { file_path: "a.ts" }, { input: { file_path: "/proj/a.ts" } }))).toEqual([]);
  });
});

describe("below a call stands", () => {
  const folded = (block: ToolBlock) => foldedLines(block, 40).map(textOf);

  it("nothing when it went well", () => {
    expect(folded(call("Bash", { command: "x" }, { result: "a\nb" }))).toEqual([]);
  });

  it("the reason when it did not run (T124)", () => {
    const refused = { success: false, error: "blocked by hook lint", result: "Use a branch." };
    expect(folded(call("Bash", { command: "x" }, refused))).toEqual(["  │ Use a branch."]);
    // A sentence breaks between its words.
    const long = { ...refused, result: "a branch ".repeat(20).trim() };
    expect(folded(call("Bash", { command: "x" }, long)).join("\n")).not.toMatch(/(?:bran|branc|bra|br|b)$/m);
  });

  it("the end of what a failed command said", () => {
    const result = `Exit code 1\n${Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n")}`;
    expect(folded(call("Bash", { command: "x" }, { success: false, result }))).toEqual([
      "  … 13 lines above (Ctrl-O)",
      ...[14, 15, 16, 17, 18, 19, 20].map((line) => `  │ line ${line}`),
    ]);
  });

  it("nothing of an edit that failed", () => {
    const edit = { file_path: "a", old_string: "a", new_string: "b" };
    expect(folded(call("Edit", edit, { success: false, result: "a was not changed." }))).toEqual([]);
  });
});

describe("an opened call shows", () => {
  const opened = (block: ToolBlock) => openLines(block, 40).map(textOf);

  it("its whole input with hidden characters visible, and its output", () => {
    const block = call(
      "Bash",
      { command: "echo\u200b a\necho b", timeout: 5 },
      { result: "\u001b[32mgreen\u001b[0m\u0007\nb" },
    );
    expect(opened(block)).toEqual([
      "  command: echo\\u200b a",
      "    echo b",
      "  timeout: 5",
      "  │ green\\x07",
      "  │ b",
    ]);
  });

  it("arguments that are not JSON as they came", () => {
    expect(opened(call("Bash", {}, { parameters: '{"comm', result: "broken" }))).toEqual([
      '  {"comm',
      "  │ broken",
    ]);
  });

  it("all of its output", () => {
    const lines = opened(call("Bash", { command: "x" }, { result: "a\n".repeat(1_500) }));
    expect([lines.length, lines.at(-1)]).toEqual([1_501, "  │ a"]);
  });
});

it.each(ESCAPES)("no call acts on the terminal with %s (G36, G46)", (_what, bytes) => {
  const input = { command: bytes, [bytes]: { deep: bytes } };
  const ended = { result: `Exit code 1\n${bytes}`, success: false };
  const blocks = [
    call(`Bash${bytes}`, input, ended),
    call("Bash", input, { ...ended, error: bytes }),
    call("Bash", input, { ...ended, input: { command: `x${bytes}` } }),
    call("Bash", {}, { ...ended, parameters: bytes }),
    call("Write", { file_path: bytes, content: bytes }, { result: `Created ${bytes}` }),
  ];
  for (const block of blocks) {
    const summary = summariseCall(block, "/proj");
    const lines = [
      ...headLines(summary, 60),
      ...changeLines(summary, 60),
      ...foldedLines(block, 60),
      ...openLines(block, 60),
    ];
    expect(ACTS.exec(lines.map(textOf).join("\n"))).toBeNull();
  }
});
