import { describe, expect, it } from "vitest";
import { describeChange } from "../../src/asking/change.ts";
import { describeRequest, hiddenIn } from "../../src/asking/describe.ts";
import { arrange } from "../../src/asking/arrange.ts";
import { layOut } from "../../src/asking/layout.ts";
import { pending } from "./requests.ts";

const writing = (before: string | undefined, after: string) =>
  pending({
    toolName: "Write",
    input: { file_path: "/p/a.ts", content: after },
    change: { path: "/p/a.ts", before, after },
  });

const drawn = (request: ReturnType<typeof pending>, width = 60) =>
  arrange(layOut(describeRequest(request), width), Infinity, width).rows.map(({ tone, gutter, pieces }) => [
    tone,
    (gutter + pieces.map((piece) => piece.text).join("")).trimEnd(),
  ]);

const lines = (...numbers: number[]) => numbers.map((number) => `line ${number}\n`).join("");

describe("a question about a file", () => {
  it("shows what goes and what comes, with numbers and signs, around it what stays (T73)", () => {
    const before = lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    const after = before.replace("line 2\n", "").replace("line 10\n", "line ten\nand more\n");
    expect(drawn(writing(before, after)).slice(0, 17)).toEqual([
      ["input", "│ /p/a.ts"],
      ["heading", "2 lines added, 2 removed"],
      ["plain", " 1   line 1"],
      ["before", " 2 - line 2"],
      ["plain", " 2   line 3"],
      ["plain", " 3   line 4"],
      ["plain", " 4   line 5"],
      ["heading", "   ⋯"],
      ["plain", " 6   line 7"],
      ["plain", " 7   line 8"],
      ["plain", " 8   line 9"],
      ["before", "10 - line 10"],
      ["after", " 9 + line ten"],
      ["after", "10 + and more"],
      ["plain", "11   line 11"],
      ["plain", "12   line 12"],
      ["plain", "default mode asks before commands"],
    ]);
  });

  it("shows an edit in its place, and what else the call says", () => {
    const request = pending({
      toolName: "Edit",
      input: { file_path: "/p/a", old_string: "b", new_string: "B", replace_all: true },
      change: { path: "/p/a", before: "a\nb\nb\n", after: "a\nB\nB\n" },
    });
    expect(drawn(request).slice(0, 9)).toEqual([
      ["input", "│ /p/a"],
      ["heading", "replace_all"],
      ["input", "│ true"],
      ["heading", "2 lines added, 2 removed"],
      ["plain", "1   a"],
      ["before", "2 - b"],
      ["before", "3 - b"],
      ["after", "2 + B"],
      ["after", "3 + B"],
    ]);
  });

  it("marks where a long line goes on, so that no line can pass for another one", () => {
    expect(drawn(writing(undefined, `${"x".repeat(30)}\n`), 24).slice(3, 5)).toEqual([
      ["after", `1 + ${"x".repeat(20)}`],
      ["after", `  ┊ ${"x".repeat(10)}`],
    ]);
  });

  it.each<[string, string | undefined, string, string]>([
    ["a new file", undefined, "a\nb\n", "a new file, 2 lines, 4 characters"],
    [
      "a new file without an end",
      undefined,
      "a",
      "a new file, 1 line, 1 character, no line break at the end",
    ],
    ["a new file with nothing in it", undefined, "", "a new, empty file"],
    ["nothing", "a\n", "a\n", "changes nothing: this is what is in the file"],
    ["everything gone", "a\nb\n", "", "0 lines added, 2 removed"],
    ["an end that is lost", "a\n", "a", "changes only where lines end, no line break at the end"],
    ["an end that is won", "a", "a\n", "changes only where lines end, a line break at the end"],
    ["Windows lines", "a\r\n", "b\r\n", "1 line added, 1 removed, lines end in CRLF"],
    [
      "lines of both kinds that become one",
      "a\r\nb\n",
      "a\r\nb\r\n",
      "changes only where lines end, lines end in CRLF instead of CRLF and LF",
    ],
  ])("says in words what rows cannot show: %s", (_what, before, after, heading) => {
    expect(describeChange({ path: "/a", before, after }).heading).toBe(heading);
  });

  it("spells out and counts what is hidden in lines that change, and not in those that stay (G36)", () => {
    expect(hiddenIn(writing("a\u200b\nb\n", "a\u200b\nc\n"))).toBe(0);
    const request = writing("a\n", `a\nb\u202e${"\n".repeat(20)}end\n`);
    expect(hiddenIn(request)).toBe(2);
    expect(drawn(request).slice(2, 6)).toEqual([
      ["plain", " 1   a"],
      ["after", " 2 + b\\u202e"],
      ["after", " 3 + [19 empty lines]"],
      ["after", "22 + end"],
    ]);
  });

  it("takes a file that is another one in every line without a noticeable wait", () => {
    const before = "some text of a file\n".repeat(10_000);
    const started = performance.now();
    const change = describeChange({ path: "/a", before, after: before.replaceAll("text", "words") });
    expect(change.rows).toHaveLength(20_000);
    // A hang bound, not a measurement.
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
