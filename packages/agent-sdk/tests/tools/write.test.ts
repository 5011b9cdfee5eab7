import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { toolBench } from "../support/toolBench.ts";

describe("Write", () => {
  it("creates a file with the folders it needs", async () => {
    await using bench = toolBench();
    expect(await bench.call("Write", { file_path: "a/b/c.txt", content: "hi\r\nthere\n" })).toMatchObject({
      success: true,
      result: `Created ${bench.path("a/b/c.txt")} (10 bytes).`,
      response: { type: "create", filePath: bench.path("a/b/c.txt"), success: true },
    });
    expect(bench.content("a/b/c.txt")).toBe("hi\r\nthere\n");
    expect(readdirSync(bench.path("a/b"))).toEqual(["c.txt"]);
    expect(statSync(bench.path("a/b/c.txt")).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it("keeps which lines it replaced, as the way back from what it wrote", async () => {
    await using bench = toolBench();
    const path = bench.put("a.txt", "one\r\ntwo\r\nthree\r\n");
    await bench.call("Read", { file_path: path });
    const content = "one\n2\nthree\nfour\n";
    expect((await bench.call("Write", { file_path: path, content })).replaced).toEqual([
      { from: 1, to: 2, lines: ["two"] },
      { from: 3, to: 4, lines: [] },
    ]);
    bench.put("b.txt", "x".repeat(300_000));
    await bench.call("Read", { file_path: "b.txt" });
    expect(await bench.call("Write", { file_path: "b.txt", content })).not.toHaveProperty("replaced");
  });

  it("refuses to overwrite what was not read", async () => {
    await using bench = toolBench();
    const path = bench.put("a.txt", "old");
    const outcome = await bench.call("Write", { file_path: path, content: "new" });
    const sentence = `${path} exists and has not been read in this session. Read it first.`;
    expect(outcome).toEqual({
      success: false,
      result: sentence,
      response: { success: false, error: sentence },
    });
    expect(bench.content("a.txt")).toBe("old");
  });

  it("refuses to overwrite what changed since it was read, also with the same size and time", async () => {
    await using bench = toolBench();
    const path = bench.put("a.txt", "old");
    await bench.call("Read", { file_path: path });
    bench.put("a.txt", "odl");
    const outcome = await bench.call("Write", { file_path: path, content: "new" });
    expect(outcome.result).toBe(`${path} has changed since it was read. Read it again first.`);
    expect(bench.content("a.txt")).toBe("odl");
    await bench.call("Read", { file_path: path });
    expect((await bench.call("Write", { file_path: path, content: "new" })).success).toBe(true);
  });

  it("writes again after its own write, and over a file that was only touched", async () => {
    await using bench = toolBench();
    await bench.call("Write", { file_path: "a.txt", content: "one" });
    bench.put("a.txt", "one");
    expect(await bench.call("Write", { file_path: "a.txt", content: "two\n" })).toMatchObject({
      success: true,
      result: `Replaced the content of ${bench.path("a.txt")}:\n     1\ttwo\n     2\t`,
      response: { type: "update", success: true },
    });
  });

  it("keeps mode, byte order mark and Windows line ends", async () => {
    await using bench = toolBench();
    const path = bench.put("run.sh", "\uFEFFa\r\nb\r\n");
    chmodSync(path, 0o751);
    await bench.call("Read", { file_path: path });
    await bench.call("Write", { file_path: path, content: "c\nd\r\ne" });
    expect(bench.content("run.sh")).toBe("\uFEFFc\r\nd\r\ne");
    expect(statSync(path).mode & 0o7777).toBe(0o751);
    await bench.call("Write", { file_path: path, content: "\uFEFFf\n" });
    expect(bench.content("run.sh")).toBe("\uFEFFf\r\n");
  });

  it("writes through a symbolic link, which stays a link", async () => {
    await using bench = toolBench();
    mkdirSync(bench.path("real"));
    bench.put("real/a.txt", "old");
    symlinkSync("real/a.txt", bench.path("link.txt"));
    await bench.call("Read", { file_path: "link.txt" });
    expect((await bench.call("Write", { file_path: "link.txt", content: "new" })).success).toBe(true);
    expect(readlinkSync(bench.path("link.txt"))).toBe("real/a.txt");
    expect(bench.content("real/a.txt")).toBe("new");
    expect(
      (await bench.call("Write", { file_path: "real/a.txt", content: "known by both names" })).success,
    ).toBe(true);
  });

  it("creates the file that a dangling link names", async () => {
    await using bench = toolBench();
    symlinkSync("later/target.txt", bench.path("link.txt"));
    expect((await bench.call("Write", { file_path: "link.txt", content: "x" })).success).toBe(true);
    expect(lstatSync(bench.path("link.txt")).isSymbolicLink()).toBe(true);
    expect(bench.content("later/target.txt")).toBe("x");
  });

  it("accepts the longest name a file can have", async () => {
    await using bench = toolBench();
    const name = "n".repeat(255);
    expect((await bench.call("Write", { file_path: name, content: "1" })).success).toBe(true);
    expect((await bench.call("Write", { file_path: name, content: "2" })).success).toBe(true);
    expect(readdirSync(bench.dir)).toEqual([name]);
  });

  it.each([
    ["a folder", "folder", /folder is a folder, not a file\.$/],
    ["a path through a file", "file/x", /Cannot \w+ .*: a part of its path is a file, not a folder\.$/],
    ["a name that is too long", "n".repeat(256), /its name is too long\.$/],
    ["a file that is no text", "binary", /is not UTF-8 text/],
  ])("refuses %s with a sentence", async (_what, name, sentence) => {
    await using bench = toolBench();
    mkdirSync(bench.path("folder"));
    bench.put("file", "x");
    bench.put("binary", Buffer.from([0xff, 0xfe, 0, 1]));
    const before = readdirSync(bench.dir);
    const outcome = await bench.call("Write", { file_path: name, content: "x" });
    expect(outcome).toMatchObject({ success: false, result: expect.stringMatching(sentence) });
    expect(readdirSync(bench.dir)).toEqual(before);
  });

  it.skipIf(process.getuid?.() === 0)("does not overwrite a write-protected file", async () => {
    await using bench = toolBench();
    const path = bench.put("a.txt", "old");
    chmodSync(path, 0o444);
    await bench.call("Read", { file_path: path });
    expect((await bench.call("Write", { file_path: path, content: "new" })).result).toMatch(
      /permission denied/,
    );
    expect(readFileSync(path, "utf8")).toBe("old");
  });
});

describe("what the session knows of a file", () => {
  it("is refreshed after a formatter changed the file just edited (T186)", async () => {
    await using bench = toolBench();
    const path = bench.put("a.ts", "let a=1\n");
    await bench.call("Read", { file_path: path });
    await bench.call("Edit", { file_path: path, old_string: "1", new_string: "2" });
    expect(await bench.session.files.refreshIfKnown(path)).toBe(false);
    writeFileSync(path, "let a = 2;\n");
    expect(await bench.session.files.refreshIfKnown(path)).toBe(true);
    expect(await bench.session.files.refreshIfKnown(path)).toBe(false);
    const next = await bench.call("Edit", { file_path: path, old_string: "= 2", new_string: "= 3" });
    expect(next.success).toBe(true);
  });

  it("is not refreshed for files nobody read", async () => {
    await using bench = toolBench();
    const path = bench.put("a.ts", "1");
    expect(await bench.session.files.refreshIfKnown(path)).toBe(false);
    expect(await bench.session.files.refreshIfKnown(bench.path("missing"))).toBe(false);
    expect((await bench.call("Write", { file_path: path, content: "2" })).success).toBe(false);
  });

  it("is forgotten when a hook removes the file", async () => {
    await using bench = toolBench();
    const path = bench.put("a.ts", "1");
    await bench.call("Read", { file_path: path });
    rmSync(path);
    expect(await bench.session.files.refreshIfKnown(path)).toBe(true);
    bench.put("a.ts", "1");
    expect((await bench.call("Write", { file_path: path, content: "2" })).result).toMatch(
      /has not been read/,
    );
  });

  it("is not refreshed after a refused edit: the change of somebody else must be read", async () => {
    await using bench = toolBench();
    const path = bench.put("a.ts", "1");
    await bench.call("Read", { file_path: path });
    bench.put("a.ts", "written by a person");
    expect((await bench.call("Write", { file_path: path, content: "2" })).success).toBe(false);
    expect(await bench.session.files.refreshIfKnown(path)).toBe(false);
    expect((await bench.call("Write", { file_path: path, content: "2" })).success).toBe(false);
    expect(bench.content("a.ts")).toBe("written by a person");
  });
});
