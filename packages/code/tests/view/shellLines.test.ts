import type { ToolBlock } from "wave-agent-sdk";
import { describe, expect, it } from "vitest";
import { lineWidth, textOf } from "../../src/view/span.ts";
import { shellLines } from "../../src/view/shellLines.ts";

const block = (more: Partial<ToolBlock>, command = "git status"): ToolBlock => ({
  type: "tool",
  id: "shell_1",
  name: "Bash",
  parameters: JSON.stringify({ command, timeout: 600_000 }),
  stage: "ended",
  ...more,
});
const look = { width: 60, folder: "/p", open: false, running: undefined, liveRows: 5 };
const shown = (one: ToolBlock, more: Partial<typeof look> = {}) =>
  shellLines(one, { ...look, ...more }).map((line) => textOf(line).trimEnd());

describe("a command that the person ran shows", () => {
  const rows: [title: string, block: ToolBlock, lines: string[]][] = [
    ["its output", block({ success: true, result: "one\n  two" }), ["$ git status", "  one", "    two"]],
    [
      "that there was none",
      block({ success: true, result: "(no output)" }),
      ["$ git status", "  (no output)"],
    ],
    [
      "how it failed, below its output",
      block({ success: false, result: "Exit code 2\nboom" }),
      ["$ git status", "  boom", "  ✗ exit 2"],
    ],
    [
      "who kept it from running, and why (T124)",
      block({ success: false, error: "blocked by hook guard", result: "not today" }),
      ["$ git status", "  ⊘ blocked by hook guard", "  not today"],
    ],
    [
      "what a hook made of it",
      block({ success: true, result: "x", input: { command: "git status -s", timeout: 600_000 } }),
      ["$ git status", "  hook changed command: git status → git status -s", "  x"],
    ],
    ["nothing more before it runs", block({ stage: "pending" }), ["$ git status"]],
    [
      "several lines as they were typed",
      block({ success: true, result: "x" }, "cd a\nls"),
      ["$ cd a", "  ls", "  x"],
    ],
  ];
  it.each(rows)("%s", (_title, one, lines) => {
    expect(shown(one)).toEqual(lines);
  });

  it("the last lines while it runs", () => {
    const running = { since: 0, output: { lines: ["a", "b", "c", ""], before: 7 } };
    const lines = shellLines(block({ stage: "running" }), { ...look, running, liveRows: 2 });
    expect(lines.map(textOf)).toEqual(["$ git status", "  … 8 lines above (Ctrl-O)", "  b", "  c"]);
  });

  it("both ends of a long output, and says what is missing", () => {
    const result = Array.from({ length: 200 }, (_, index) => `row ${index}`).join("\n");
    const lines = shown(block({ success: true, result }));
    expect(lines).toHaveLength(52);
    expect(lines.slice(20, 23)).toEqual(["  row 19", "  … 150 more lines (Ctrl-O)", "  row 170"]);
  });

  it("nothing that would control the terminal, in no width (G46)", () => {
    const evil = "\u001b[2J\u202e ".repeat(30);
    for (const width of [40, 80, 200]) {
      for (const line of shellLines(block({ success: false, result: evil }, evil), { ...look, width })) {
        // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
        expect(textOf(line)).not.toMatch(/[\u001b\u202e]/);
        expect(lineWidth(line)).toBeLessThanOrEqual(width);
      }
    }
  });
});
