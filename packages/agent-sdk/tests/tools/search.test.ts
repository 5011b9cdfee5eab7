import { chmodSync, mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { type ToolBench, toolBench } from "../support/toolBench.ts";

/** Files with their content; the first is the newest. */
function project(files: Record<string, string>): ToolBench {
  const bench = toolBench();
  for (const [index, [name, content]] of Object.entries(files).entries()) {
    mkdirSync(dirname(bench.path(name)), { recursive: true });
    const time = new Date(2020, 0, 1, 0, 0, -index);
    utimesSync(bench.put(name, content), time, time);
  }
  return bench;
}

const FILES = {
  "src/new.ts": "const answer = 42;\nexport { answer };\n",
  "src/deep/old.ts": "import { answer } from '../new.ts';\nfunction f() {\n  return answer;\n}\n",
  "README.md": "# Answer\nnothing here\n",
  ".github/ci.yml": "answer: 1\n",
  "node_modules/x/index.ts": "answer\n",
  "src/made.gen.ts": "answer\n",
  ".gitignore": "node_modules/\n*.gen.ts\n",
  ".git/config": "answer\n",
};

const LONG_NAME = `${"a".repeat(60)}${"ab".repeat(40)}!`;

describe("Glob", () => {
  it.each(["*(a|b|ab)c", "*(a*)b", "+(a+)b", `${"*a".repeat(12)}*c`, `${"{a,aa}".repeat(60)}c`])(
    "ends with a sentence where comparing names would take for ever: %s (G13)",
    async (pattern) => {
      await using bench = project({ [LONG_NAME]: "", other: "" });
      const { success, result } = await bench.call("Glob", { pattern });
      expect({ success, result }).toEqual({
        success: false,
        result: "The pattern takes too long to compare with the names of files. Write one with fewer stars.",
      });
    },
  );

  it.each([
    ["**/*.ts", {}, ["src/new.ts", "src/deep/old.ts"]],
    ["*.ts", {}, ["src/new.ts", "src/deep/old.ts"]],
    ["src/*.ts", {}, ["src/new.ts"]],
    ["*.ts", { path: "src/deep" }, ["src/deep/old.ts"]],
    ["*.{md,yml}", {}, ["README.md", ".github/ci.yml"]],
    ["old.ts", {}, ["src/deep/old.ts"]],
    ["src/new.ts", {}, ["src/new.ts"]],
    ["node_modules/**/*.ts", {}, ["node_modules/x/index.ts"]],
    ["**/config", {}, []],
    ["../**/new.ts", { path: "src" }, ["src/new.ts"]],
  ])("%s with %j finds what is not ignored, newest first", async (pattern, more, expected) => {
    await using bench = project(FILES);
    const { response } = await bench.call("Glob", { pattern, ...more });
    expect(response).toEqual({
      filenames: expected.map((name) => bench.path(name)),
      durationMs: expect.any(Number) as number,
      numFiles: expected.length,
      truncated: false,
    });
  });

  it("takes an absolute pattern", async () => {
    await using bench = project(FILES);
    expect((await bench.call("Glob", { pattern: `${bench.dir}/src/*.ts` })).result).toBe(
      bench.path("src/new.ts"),
    );
  });

  it("says so when nothing matches, and when the folder is missing or empty", async () => {
    await using bench = project({ "src/a.ts": "" });
    mkdirSync(bench.path("empty"));
    expect((await bench.call("Glob", { pattern: "*.py" })).result).toBe(
      `No file in ${bench.dir} matches *.py.`,
    );
    expect((await bench.call("Glob", { pattern: "*", path: "empty" })).success).toBe(true);
    expect((await bench.call("Glob", { pattern: "*", path: "scr" })).result).toBe(
      `${bench.path("scr")} does not exist. Did you mean ${bench.path("src")}?`,
    );
  });

  it("shows 200 files and says how many there are", async () => {
    await using bench = project(
      Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`f${index}.txt`, ""])),
    );
    const { result, response } = await bench.call("Glob", { pattern: "*.txt" });
    expect(result.split("\n")).toHaveLength(201);
    expect(result).toMatch(
      /f199\.txt\n\[The newest 200 of 250 files\. Narrow the pattern to see others\.\]$/,
    );
    expect(response).toMatchObject({ numFiles: 250, truncated: true });
  });

  it("finds names with line breaks and does not follow links out of the folder", async () => {
    await using bench = project({ "a\nb.txt": "", "x.md": "" });
    symlinkSync("/etc", bench.path("etc"));
    expect((await bench.call("Glob", { pattern: "**/*.txt" })).result).toBe(bench.path("a\nb.txt"));
    expect((await bench.call("Glob", { pattern: "**/passwd" })).response).toMatchObject({ numFiles: 0 });
  });
});

describe("Grep", () => {
  it.each([
    [{ pattern: "answer" }, "src/new.ts\nsrc/deep/old.ts\n.github/ci.yml"],
    [{ pattern: "answer", "-i": true, glob: "*.md" }, "README.md"],
    [{ pattern: "answer", type: "ts", path: "src/deep" }, "src/deep/old.ts"],
    [{ pattern: "answer", glob: "*.ts" }, "src/new.ts\nsrc/deep/old.ts"],
    [{ pattern: "answer", glob: "*.gen.ts", path: "src/made.gen.ts" }, "src/made.gen.ts"],
    [{ pattern: "answer", glob: "!*.md" }, "src/new.ts\nsrc/deep/old.ts\n.github/ci.yml"],
    [{ pattern: "answer", glob: "**/*" }, "src/new.ts\nsrc/deep/old.ts\n.github/ci.yml"],
    [{ pattern: "answer", output_mode: "count" }, ".github/ci.yml:1\nsrc/deep/old.ts:2\nsrc/new.ts:2"],
    [{ pattern: "return", output_mode: "content" }, "src/deep/old.ts:3:  return answer;"],
    [{ pattern: "return", output_mode: "content", "-n": false }, "src/deep/old.ts:  return answer;"],
    [
      { pattern: "return", output_mode: "content", "-A": 1, "-B": 1 },
      "src/deep/old.ts-2-function f() {\nsrc/deep/old.ts:3:  return answer;\nsrc/deep/old.ts-4-}",
    ],
    [
      { pattern: "f\\(\\).*answer", output_mode: "content", multiline: true },
      "src/deep/old.ts:2:function f() {\nsrc/deep/old.ts:3:  return answer;",
    ],
    [{ pattern: "answer(?= =)", output_mode: "content" }, "src/new.ts:1:const answer = 42;"],
    [{ pattern: "-e", path: "src" }, expect.stringMatching(/^No matches for -e in .*\/src\.$/)],
    [{ pattern: "42", path: "src/new.ts", output_mode: "content" }, "src/new.ts:1:const answer = 42;"],
    [{ pattern: "no such text" }, expect.stringMatching(/^No matches for no such text in/)],
  ])("with %j finds what ripgrep finds, in a fixed order", async (input, expected) => {
    await using bench = project(FILES);
    expect(await bench.call("Grep", input)).toMatchObject({ success: true, result: expected });
  });

  it("tells hooks what was found", async () => {
    await using bench = project(FILES);
    expect((await bench.call("Grep", { pattern: "answer", path: "src" })).response).toEqual({
      mode: "files_with_matches",
      filenames: ["src/new.ts", "src/deep/old.ts"],
      numFiles: 2,
      truncated: false,
    });
    expect((await bench.call("Grep", { pattern: "42", output_mode: "content" })).response).toEqual({
      mode: "content",
      filenames: [],
      numFiles: 0,
      content: "src/new.ts:1:const answer = 42;",
      numLines: 1,
      truncated: false,
    });
    expect((await bench.call("Grep", { pattern: "answer", output_mode: "count" })).response).toMatchObject({
      mode: "count",
      numFiles: 3,
      numMatches: 5,
    });
  });

  it.each([
    [{ pattern: "(" }, /unclosed group/],
    [{ pattern: "a", type: "klingon" }, /klingon/],
    [{ pattern: "a", path: "scr" }, /scr does not exist\. Did you mean .*src\?$/],
  ])("refuses %j with a reason", async (input, reason) => {
    await using bench = project(FILES);
    expect(await bench.call("Grep", input)).toMatchObject({
      success: false,
      result: expect.stringMatching(reason),
    });
  });

  it("cuts many and long lines visibly", async () => {
    await using bench = project({ "many.txt": "hit\n".repeat(1000), "wide.txt": `hit${"x".repeat(5000)}\n` });
    const many = await bench.call("Grep", { pattern: "hit", path: "many.txt", output_mode: "content" });
    expect(many.result.split("\n")).toHaveLength(201);
    expect(many.result).toMatch(
      /\[The first 200 of 1000\. Narrow the search or set head_limit to see others\.\]$/,
    );
    const three = await bench.call("Grep", {
      pattern: "hit",
      path: "many.txt",
      output_mode: "content",
      head_limit: 3,
    });
    expect(three.result).toMatch(/^many\.txt:1:hit\n.*\n.*\n\[The first 3 of 1000\..*\]$/);
    const wide = await bench.call("Grep", { pattern: "hit", path: "wide.txt", output_mode: "content" });
    expect(wide.result.length).toBeLessThan(700);
    expect(wide.result).toMatch(/\[\.\.\. .*\]$/);
  });

  it("stays under 30,000 characters whatever the limit", async () => {
    await using bench = project({ "many.txt": `hit${"y".repeat(400)}\n`.repeat(1000) });
    const { result } = await bench.call("Grep", { pattern: "hit", output_mode: "content", head_limit: 1000 });
    expect(result.length).toBeLessThan(31_000);
    expect(result).toMatch(/\[The first \d+ of 1000\./);
  });

  it("is not changed by a configuration file of ripgrep's", async () => {
    await using bench = project(FILES);
    bench.session.env["RIPGREP_CONFIG_PATH"] = bench.put("rc", "--invert-match\n");
    expect((await bench.call("Grep", { pattern: "answer", path: "README.md" })).result).toMatch(
      /^No matches/,
    );
  });

  it("keeps a file back whatever its name and its bytes are (G32)", async () => {
    await using bench = project({
      "a.txt": "1\nhit\n3\n4\n5\nhit\n",
      "no/x\ny.txt": "hit in secret\n",
      "no/late.bin": `${"hit in secret\n".repeat(20_000)}\0\n`,
      "no/z:1:y.txt": "hit in secret\n",
      "z.txt": "hit\n",
    });
    bench.searchFilter = (path) => (path.startsWith(bench.path("no/")) ? "rule X" : undefined);
    const content = await bench.call("Grep", { pattern: "hit", output_mode: "content", "-A": 1 });
    expect(content.result).toBe(
      "a.txt:2:hit\na.txt-3-3\n--\na.txt:6:hit\n--\nz.txt:1:hit\n[3 files are kept back by rule X]",
    );
    expect(content.response).toMatchObject({ numLines: 6, truncated: false });
    for (const output_mode of ["count", "files_with_matches"]) {
      const { result } = await bench.call("Grep", { pattern: "hit", output_mode });
      expect(result.replaceAll(/:\d/g, "").split("\n").toSorted()).toEqual([
        "[3 files are kept back by rule X]",
        "a.txt",
        "z.txt",
      ]);
    }
  });

  it("shows names with line breaks and colons, and says when a binary file matches", async () => {
    await using bench = project({ "x\ny:1:z.txt": "hit\n", "b.bin": `${"hit\n".repeat(20_000)}\0\n` });
    expect((await bench.call("Grep", { pattern: "hit", glob: "*.txt", output_mode: "content" })).result).toBe(
      "x\ny:1:z.txt:1:hit",
    );
    const { result } = await bench.call("Grep", { pattern: "hit", path: "b.bin", output_mode: "content" });
    expect(result).toMatch(/^b\.bin: binary file matches|b\.bin:1:hit/);
  });

  // Root may read everything, so there is nothing to see as root.
  it.skipIf(process.getuid?.() === 0)(
    "fails in the same way whether or not a file that is kept back has a match (G32)",
    async () => {
      await using bench = project({ "no/secret": "hit\n", "locked/x": "", "a.txt": "" });
      bench.searchFilter = (path) => (path.startsWith(bench.path("no/")) ? "rule X" : undefined);
      chmodSync(bench.path("locked"), 0o000);
      const right = await bench.call("Grep", { pattern: "hit" });
      const wrong = await bench.call("Grep", { pattern: "hot" });
      chmodSync(bench.path("locked"), 0o755);
      expect(right).toEqual(wrong);
    },
  );

  it("ends when the turn is interrupted", async () => {
    await using bench = project(FILES);
    const outcome = await bench.call("Grep", { pattern: "a" }, AbortSignal.abort());
    expect(outcome).toMatchObject({ success: false, result: "The search was stopped." });
  });
});

describe("LS", () => {
  it("ends with a sentence where comparing names with ignore would take for ever (G13)", async () => {
    await using bench = project({ [LONG_NAME]: "" });
    const { success, result } = await bench.call("LS", { path: bench.dir, ignore: ["*.log", "*(a|b|ab)c"] });
    expect({ success, result }).toEqual({
      success: false,
      result: "The patterns of ignore take too long to compare. Write some with fewer stars.",
    });
  });

  it("lists folders first, then files with their size and links with their target", async () => {
    await using bench = project({ "b.txt": "12345", "a/x": "", ".hidden": "", "c.log": "" });
    symlinkSync("b.txt", bench.path("link"));
    expect(await bench.call("LS", { path: ".", ignore: ["*.log"] })).toEqual({
      success: true,
      result: `${bench.dir}:\na/\n.hidden  0\nb.txt  5\nlink -> b.txt\n[1 left out by ignore]`,
      response: {
        path: bench.dir,
        entries: ["a/", ".hidden  0", "b.txt  5", "link -> b.txt"],
        numEntries: 4,
        truncated: false,
      },
    });
  });

  it("shows 500 entries and says how many there are", async () => {
    await using bench = project(
      Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`f${index}`, ""])),
    );
    const { result } = await bench.call("LS", { path: "." });
    expect(result.split("\n")).toHaveLength(502);
    expect(result).toMatch(/\[The first 500 of 501\. Use Glob to find others by name\.\]$/);
  });

  it.each([
    ["empty", /empty is empty\.$/],
    ["a.txt", /a\.txt is not a folder\. Use Read to see a file\.$/],
    ["emtpy", /emtpy does not exist\. Did you mean .*\/empty\?$/],
  ])("of %s says what is there", async (path, expected) => {
    await using bench = project({ "a.txt": "" });
    mkdirSync(bench.path("empty"));
    expect((await bench.call("LS", { path })).result).toMatch(expected);
  });
});
