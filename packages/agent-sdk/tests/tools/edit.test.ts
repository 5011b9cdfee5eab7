import { chmodSync, statSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { applyEdits } from "@/tools/edits.ts";
import { toolBench } from "../support/toolBench.ts";

describe("an edit of a text", () => {
  const rows: [string, string, Record<string, unknown>, string][] = [
    ["replaces the one place", "a b c", { old_string: "b", new_string: "x" }, "a x c"],
    ["deletes", "a b c", { old_string: " b", new_string: "" }, "a c"],
    ["replaces all", "a b a", { old_string: "a", new_string: "aa", replace_all: true }, "aa b aa"],
    ["takes $ and & as they are", "price", { old_string: "price", new_string: "$& $1 $$" }, "$& $1 $$"],
    ["keeps CRLF", "a\r\nb\r\nc\r\n", { old_string: "a\nb", new_string: "x\ny\nz" }, "x\r\ny\r\nz\r\nc\r\n"],
    [
      "adds CRLF lines for one line",
      "a\r\nb\r\n",
      { old_string: "b", new_string: "b\nc" },
      "a\r\nb\r\nc\r\n",
    ],
    ["joins CRLF lines", "a\r\nb\r\nc\r\n", { old_string: "a\n", new_string: "a " }, "a b\r\nc\r\n"],
    ["takes CRLF written by the model", "a\r\nb\r\n", { old_string: "a\r\nb", new_string: "c" }, "c\r\n"],
    [
      "leaves mixed line ends elsewhere alone",
      "a\nb\r\nc\nd\n",
      { old_string: "b\nc", new_string: "x\ny" },
      "a\nx\ny\nd\n",
    ],
    [
      "replaces all over mixed line ends",
      "q\r\nq\nq\r\n",
      { old_string: "q\n", new_string: "r\n", replace_all: true },
      "r\r\nr\r\nr\r\n",
    ],
    ["starts before a line end", "a\r\n\r\nb\r\n", { old_string: "\n\n", new_string: "\n" }, "a\r\nb\r\n"],
  ];
  it.each(rows)("%s", (_what, text, edit, expected) => {
    const { old_string, new_string, replace_all } = edit as {
      old_string: string;
      new_string: string;
      replace_all?: boolean;
    };
    expect(applyEdits(text, [{ old_string, new_string, replace_all }])).toMatchObject({ text: expected });
  });

  it.each([
    ["a b", "c", "d", /^old_string does not occur in the file\./],
    ["a a a", "a", "d", /^old_string occurs 3 times\./],
    ["aaa", "aa", "d", /^old_string occurs 2 times\./],
    ["a", "a", "a", /are the same/],
  ])("of %j from %j to %j is refused with a reason", (text, old_string, new_string, problem) => {
    expect(applyEdits(text, [{ old_string, new_string }])).toEqual({
      problem: expect.stringMatching(problem),
    });
  });
});

describe("Edit", () => {
  it("shows the changed lines and tells hooks where", async () => {
    await using bench = toolBench();
    const path = bench.put("a.txt", "1\n2\n3\n4\n5\n6\n7\n");
    await bench.call("Read", { file_path: path });
    expect(
      await bench.call("Edit", { file_path: path, old_string: "4\n", new_string: "four\n4b\n" }),
    ).toMatchObject({
      success: true,
      result: `Changed 1 place in ${path}:\n     2\t2\n     3\t3\n     4\tfour\n     5\t4b\n     6\t5\n     7\t6`,
      response: { filePath: path, success: true, replacements: 1 },
    });
    expect(bench.content("a.txt")).toBe("1\n2\n3\nfour\n4b\n5\n6\n7\n");
  });

  it("shows little of a large change and says how much more there is", async () => {
    await using bench = toolBench();
    const path = bench.put("a.txt", "x\n".repeat(500));
    await bench.call("Read", { file_path: path });
    const { result } = await bench.call("Edit", {
      file_path: path,
      old_string: "x",
      new_string: "y".repeat(900),
      replace_all: true,
    });
    expect(result).toMatch(/^Changed 500 places/);
    expect(result).toMatch(/y \[… cut\]\n\[… \d+ more lines\]$/);
    expect(result.length).toBeLessThan(5000);
  });

  it("keeps mode, byte order mark, line ends and the link", async () => {
    await using bench = toolBench();
    const path = bench.put("a.sh", "\uFEFFa\r\nb\r\n");
    chmodSync(path, 0o755);
    symlinkSync("a.sh", bench.path("link"));
    await bench.call("Read", { file_path: "link" });
    expect(
      (await bench.call("Edit", { file_path: "link", old_string: "a\nb", new_string: "c\nd" })).success,
    ).toBe(true);
    expect(bench.content("a.sh")).toBe("\uFEFFc\r\nd\r\n");
    expect(statSync(path).mode & 0o777).toBe(0o755);
  });

  it.each([
    ["that was not read", "fresh.txt", /has not been read in this session\. Read it first\.$/],
    ["that does not exist", "reed.txt", /reed\.txt does not exist\. Did you mean .*read\.txt\?$/],
    ["that is not UTF-8", "latin.txt", /is not UTF-8 text, and a change would damage the rest of it/],
  ])("refuses a file %s", async (_what, name, sentence) => {
    await using bench = toolBench();
    bench.put("fresh.txt", "a");
    bench.put("read.txt", "a");
    bench.put("latin.txt", Buffer.from("a\xe9", "latin1"));
    await bench.call("Read", { file_path: "read.txt" });
    await bench.call("Read", { file_path: "latin.txt" });
    const outcome = await bench.call("Edit", { file_path: name, old_string: "a", new_string: "b" });
    expect(outcome).toMatchObject({ success: false, result: expect.stringMatching(sentence) });
  });

  it("refuses a file that changed since it was read, and leaves it as it is", async () => {
    await using bench = toolBench();
    const path = bench.put("a.txt", "a");
    await bench.call("Read", { file_path: path });
    bench.put("a.txt", "a, by somebody else");
    const outcome = await bench.call("Edit", { file_path: path, old_string: "a", new_string: "b" });
    expect(outcome.result).toBe(`${path} has changed since it was read. Read it again first.`);
    expect(bench.content("a.txt")).toBe("a, by somebody else");
  });
});

describe("MultiEdit", () => {
  it("makes each edit on the result of the one before", async () => {
    await using bench = toolBench();
    const path = bench.put("a.txt", "one two\n");
    await bench.call("Read", { file_path: path });
    const edits = [
      { old_string: "one", new_string: "two" },
      { old_string: "two", new_string: "three", replace_all: true },
    ];
    expect(await bench.call("MultiEdit", { file_path: path, edits })).toMatchObject({
      success: true,
      response: { filePath: path, success: true, replacements: 3 },
    });
    expect(bench.content("a.txt")).toBe("three three\n");
  });

  it("makes none when one does not fit, and says which", async () => {
    await using bench = toolBench();
    const path = bench.put("a.txt", "one two\n");
    await bench.call("Read", { file_path: path });
    const edits = [
      { old_string: "one", new_string: "1" },
      { old_string: "one", new_string: "2" },
    ];
    const outcome = await bench.call("MultiEdit", { file_path: path, edits });
    expect(outcome).toMatchObject({
      success: false,
      result: expect.stringContaining("was not changed. Edit 2 of 2: old_string does not occur"),
    });
    expect(bench.content("a.txt")).toBe("one two\n");
  });
});
