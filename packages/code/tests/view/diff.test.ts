import { describe, expect, it } from "vitest";
import { boundLines } from "../../src/view/bound.ts";
import type { ToolBlock } from "wave-agent-sdk";
import { compareTexts, diffOfCall, diffOfEdit } from "../../src/view/diff.ts";
import { diffLines } from "../../src/view/diffLines.ts";
import { fileEditOf, type FileEdit } from "../../src/view/fileEdits.ts";
import { textOf } from "../../src/view/span.ts";
import { summariseCall } from "../../src/view/toolLine.ts";
import { ACTS, ESCAPES } from "../support/escapes.ts";

const edit = (before: string, after: string, all = false): FileEdit => ({
  path: "a.ts",
  parts: [{ old: before, new: after, everywhere: all }],
});
const shown = (one: FileEdit, known: { before?: string; result?: string } = {}, width = 40) =>
  diffLines(diffOfEdit(one, known), width).map((line) => textOf(line).trimEnd());

describe("the edit of a call", () => {
  const rows: [string, string, Record<string, unknown>, FileEdit | undefined][] = [
    ["Edit", "one part", { file_path: "a.ts", old_string: "x", new_string: "y" }, edit("x", "y")],
    [
      "Edit",
      "one part everywhere",
      { file_path: "a.ts", old_string: "x", new_string: "y", replace_all: true },
      edit("x", "y", true),
    ],
    [
      "MultiEdit",
      "its parts",
      { file_path: "a.ts", edits: [{ old_string: "x", new_string: "y" }] },
      edit("x", "y"),
    ],
    [
      "Write",
      "the whole text",
      { file_path: "a.ts", content: "y" },
      { path: "a.ts", parts: [{ old: undefined, new: "y", everywhere: false }] },
    ],
    ["Edit", "nothing when a text is missing", { file_path: "a.ts", old_string: "x" }, undefined],
    ["MultiEdit", "nothing when a part is broken", { file_path: "a.ts", edits: [{}] }, undefined],
    ["Write", "nothing without a path", { content: "y" }, undefined],
    ["Bash", "nothing", { command: "ls" }, undefined],
  ];
  it.each(rows)("%s is %s", (name, _what, input, expected) => {
    expect(fileEditOf(name, input)).toEqual(expected);
  });
});

describe("a diff", () => {
  it("has signs and the numbers of the file when its text is known", () => {
    const before = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join("\n");
    expect(shown(edit("line 8\n", "line eight\nand a half\n"), { before })).toEqual([
      " 5   line 5",
      " 6   line 6",
      " 7   line 7",
      " 8 - line 8",
      " 8 + line eight",
      " 9 + and a half",
      "10   line 9",
      "11   line 10",
      "12   line 11",
    ]);
  });

  it("takes its numbers from the lines that the tool quotes", () => {
    const result = "Changed 1 place in a.ts:\n    10\tx\n    11\tlet b;\n    12\tlet c;\n    13\ty";
    expect(shown(edit("let a;", "let b;\nlet c;"), { result })).toEqual([
      "11 - let a;",
      "11 + let b;",
      "12 + let c;",
    ]);
  });

  it("has no numbers when nobody knows them", () => {
    expect(shown(edit("a", "b"))).toEqual(["- a", "+ b"]);
    const twice = "Changed 1 place in a.ts:\n    10\tb\n    11\tb";
    expect(shown(edit("a", "b"), { result: twice })).toEqual(["- a", "+ b"]);
  });

  it("of a new file begins at its first line", () => {
    const write = { path: "a", parts: [{ old: undefined, new: "a\nb\n", everywhere: false }] };
    expect(shown(write)).toEqual(["1 + a", "2 + b"]);
  });

  it("of a Write over a file is what was replaced by what, and nothing where that was not kept", () => {
    const block = (more: Partial<ToolBlock>): ToolBlock => ({
      type: "tool",
      id: "w",
      name: "Write",
      parameters: JSON.stringify({ file_path: "/p/a", content: "a\nB\nc\nd\n" }),
      stage: "ended",
      success: true,
      result: "Replaced the content of /p/a:\n     2\tB",
      ...more,
    });
    const replaced = [
      { from: 1, to: 2, lines: ["b"] },
      { from: 3, to: 4, lines: [] },
    ];
    const known = diffOfCall(block({ replaced }));
    expect(known).toEqual(compareTexts("a\nb\nc\n", "a\nB\nc\nd\n"));
    expect(summariseCall(block({ replaced }), "/p").result).toBe("replaced, +2 -1");
    expect(diffOfCall(block({}))).toBeUndefined();
    expect(diffOfCall(block({ result: "Created /p/a (8 bytes)." }))).toMatchObject({ added: 4, removed: 0 });
  });

  it("of several edits shows where one ends", () => {
    const parts = [
      { old: "a", new: "b", everywhere: false },
      { old: "c", new: "", everywhere: false },
    ];
    expect(shown({ path: "a", parts })).toEqual(["- a", "+ b", " ⋯", "- c"]);
  });

  it("replaces literally, whatever the new text means to a regular expression", () => {
    expect(shown(edit("a", "$&"), { before: "a\n" })).toEqual(["1 - a", "1 + $&"]);
  });

  it("wraps long lines below their text", () => {
    expect(shown(edit("", "abcdefghij"), {}, 7)).toEqual(["+ abcde", "  fghij"]);
  });

  it("makes the words that changed stand out", () => {
    const lines = diffLines(diffOfEdit(edit("const a = 1;", "const a = 2;")), 40);
    expect(lines.map((line) => line.filter(({ inverse }) => inverse).map(({ text }) => text))).toEqual([
      ["1"],
      ["2"],
    ]);
  });

  it("of texts with nothing in common marks no words", () => {
    const lines = diffLines(diffOfEdit(edit("abc def", "uvw xyz")), 40);
    expect(lines.flat().some(({ inverse }) => inverse)).toBe(false);
  });

  it("is bounded, and says what is missing and how to see it", () => {
    const many = Array.from({ length: 30 }, (_, index) => `l${index}`).join("\n");
    const lines = boundLines(diffLines(diffOfEdit(edit("", many)), 40), 3).map(textOf);
    expect(lines).toEqual(["+ l0", "+ l1", "+ l2", "… 27 more lines (Ctrl-O)"]);
  });

  it("of two large texts that differ everywhere shows one instead of the other", () => {
    const text = (word: string) =>
      Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`).join("\n");
    const { added, removed } = diffOfEdit(edit(text("a"), text("b")));
    expect({ added, removed }).toEqual({ added: 20_000, removed: 20_000 });
  });

  it.each(ESCAPES)("cannot act on the terminal with %s (G46)", (_what, bytes) => {
    expect(ACTS.exec(shown(edit(`a ${bytes}`, `b ${bytes}`)).join("\n"))).toBeNull();
  });
});
