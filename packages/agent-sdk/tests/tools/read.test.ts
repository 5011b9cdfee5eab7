import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { whyNoImage } from "@/tools/images.ts";
import { toolBench } from "../support/toolBench.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A comment, and the header of a frame with 1 by 1 points. */
const JPEG = Buffer.from("ffd8fffe000441 42ffc0000b080001000101011100ffd9".replaceAll(" ", ""), "hex");
const GIF = Buffer.concat([Buffer.from("GIF89a"), Buffer.from([1, 0, 1, 0, 0, 0, 0, 0x3b])]);
const WEBP = Buffer.concat([
  Buffer.from("RIFF\x16\0\0\0WEBPVP8 "),
  Buffer.from("0a0000001000009d012a01000100", "hex"),
]);

describe("Read of text", () => {
  it("numbers the lines and tells hooks what was read", async () => {
    await using bench = toolBench();
    const path = bench.put("a.txt", "one\ntwo\n");
    expect(await bench.call("Read", { file_path: "a.txt" })).toEqual({
      success: true,
      result: "     1\tone\n     2\ttwo",
      response: {
        type: "text",
        file: { filePath: path, content: "one\ntwo", numLines: 2, startLine: 1, totalLines: 2 },
      },
    });
  });

  it("hears of an interrupt while it reads, and not when it has ended (T64)", async () => {
    await using bench = toolBench();
    bench.put("long.txt", "line\n".repeat(1_000_000));
    const early = AbortSignal.abort(new Error("interrupted"));
    expect(await bench.call("Read", { file_path: "long.txt" }, early)).toMatchObject({ success: false });

    const turn = new AbortController();
    expect(await bench.call("Read", { file_path: "long.txt" }, turn.signal)).toMatchObject({ success: true });
    // An error that nobody waits for any more would end the whole program.
    turn.abort(new Error("interrupted"));
    await new Promise((resolve) => setTimeout(resolve, 50));
  });

  const content = "1\n2\n3\n4\n5";
  it.each([
    [{ offset: 2, limit: 2 }, "     2\t2\n     3\t3\n[Lines 2 to 3 of 5. Read on with offset 4.]"],
    [{ offset: 4 }, "     4\t4\n     5\t5"],
    [{ offset: 0, limit: 1 }, "     1\t1\n[Lines 1 to 1 of 5. Read on with offset 2.]"],
    [{ limit: 5 }, "     1\t1\n     2\t2\n     3\t3\n     4\t4\n     5\t5"],
  ])("with %j gives that part and says how to read on", async (range, expected) => {
    await using bench = toolBench();
    bench.put("a.txt", content);
    expect((await bench.call("Read", { file_path: "a.txt", ...range })).result).toBe(expected);
  });

  it.each([
    ["an empty file", "", {}, /is empty\.$/],
    ["an offset after the end", "a\n", { offset: 7 }, /has only 1 lines; there is nothing from line 7 on\.$/],
    ["a file of one empty line", "\n", {}, /^ {5}1\t$/],
    ["Windows line ends and a byte order mark", "\uFEFFa\r\nb\r\n", {}, /^ {5}1\ta\n {5}2\tb$/],
  ])("of %s says what is there", async (_what, text, range, expected) => {
    await using bench = toolBench();
    bench.put("a.txt", text);
    expect((await bench.call("Read", { file_path: "a.txt", ...range })).result).toMatch(expected);
  });

  it("gives 2000 lines unless asked for more, and says so", async () => {
    await using bench = toolBench();
    bench.put("long.txt", "x\n".repeat(2500));
    const { result } = await bench.call("Read", { file_path: "long.txt" });
    expect(result.split("\n")).toHaveLength(2001);
    expect(result).toMatch(/\[Lines 1 to 2000 of 2500\. Read on with offset 2001\.\]$/);
    const more = await bench.call("Read", { file_path: "long.txt", limit: 3000 });
    expect(more.result.split("\n")).toHaveLength(2500);
  });

  it("cuts long lines and a long text visibly, also characters of two units", async () => {
    await using bench = toolBench();
    bench.put("wide.txt", `${"x".repeat(1999)}😀${"y".repeat(3000)}\nnext\n`);
    const { result } = await bench.call("Read", { file_path: "wide.txt" });
    expect(result).toMatch(/\uFFFD \[… cut: this line has 5001 characters\]\n {5}2\tnext/);
    expect(result.isWellFormed()).toBe(true);

    bench.put("big.txt", `${"z".repeat(1500)}\n`.repeat(200));
    const big = await bench.call("Read", { file_path: "big.txt" });
    expect(big.result.length).toBeLessThan(110_000);
    expect(big.result).toMatch(/\[Lines 1 to 67 of 200\. Read on with offset 68\.\]$/);
  });

  it("keeps characters whole over the pieces a file is read in", async () => {
    await using bench = toolBench();
    bench.put("emoji.txt", `a${"😀\n".repeat(60_000)}`);
    const { result } = await bench.call("Read", { file_path: "emoji.txt", offset: 20_000, limit: 20_000 });
    expect(result).not.toContain("\uFFFD");
    expect(result.match(/\t😀\n/g)).toHaveLength(20_000);
  });

  it("says so when bytes are not UTF-8", async () => {
    await using bench = toolBench();
    bench.put("latin.txt", Buffer.from("caf\xe9\n", "latin1"));
    expect((await bench.call("Read", { file_path: "latin.txt" })).result).toBe(
      "     1\tcaf\uFFFD\n[\uFFFD stands for bytes that are not UTF-8.]",
    );
  });
});

describe("Read of an image", () => {
  it("shows it, whatever its name is", async () => {
    await using bench = toolBench();
    const path = bench.put("picture.bin", PNG);
    const outcome = await bench.call("Read", { file_path: path });
    expect(outcome).toMatchObject({
      success: true,
      response: { type: "image", file: { filePath: path, type: "image/png", originalSize: PNG.length } },
      images: [{ type: "image", mediaType: "image/png", data: PNG.toString("base64"), path }],
    });
  });

  it.each([
    ["image/jpeg", JPEG],
    ["image/gif", GIF],
    ["image/webp", WEBP],
  ])("knows %s by its first bytes", async (mediaType, bytes) => {
    await using bench = toolBench();
    bench.put("x", bytes);
    expect((await bench.call("Read", { file_path: "x" })).images).toMatchObject([{ mediaType }]);
  });

  it.each([
    ["PNG", Buffer.concat([PNG.subarray(0, 8), Buffer.from("xx")])],
    ["PNG", PNG.subarray(0, 30)],
    ["JPEG", JPEG.subarray(0, 8)],
    ["JPEG", Buffer.concat([JPEG.subarray(0, 3), Buffer.alloc(64, "junk")])],
    ["GIF", Buffer.from("GIF89a\0\0\0\0\0\0\0\0")],
    ["WebP", WEBP.subarray(0, 16)],
  ])("says of junk that begins like a %s that it is none, and sends nothing", async (name, bytes) => {
    await using bench = toolBench();
    const path = bench.put("bad", bytes);
    const outcome = await bench.call("Read", { file_path: "bad" });
    expect(outcome).toMatchObject({
      success: false,
      result: `${path} is not a readable ${name}: it begins like one, and its header gives no width and height.`,
    });
    expect(outcome.images).toBeUndefined();
  });

  it.each(["VP8 ", "VP8L", "VP8X"])("knows the size in a WebP of the kind %s", (kind) => {
    const bytes = Buffer.from(WEBP);
    bytes.write(kind, 12, "latin1");
    if (kind === "VP8L") bytes[20] = 0x2f;
    expect(whyNoImage(bytes, "image/webp")).toBeUndefined();
  });

  it("refuses more than 5 MB", async () => {
    await using bench = toolBench();
    bench.put("huge.png", Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]));
    const outcome = await bench.call("Read", { file_path: "huge.png" });
    expect(outcome).toMatchObject({ success: false, result: expect.stringMatching(/at most 5 MB/) });
    expect(outcome.images).toBeUndefined();
  });
});

describe("Read refuses with one sentence", () => {
  it.each([
    ["a binary file", "data.bin", "DIR/data.bin is a binary file (4 bytes), so it cannot be shown as text."],
    ["a folder", "folder", "DIR/folder is a folder. Use LS to see what is in it."],
    ["a wrong letter", "raedme.md", "DIR/raedme.md does not exist. Did you mean DIR/README.md?"],
    ["a wrong case", "readme.MD", "DIR/readme.MD does not exist. Did you mean DIR/README.md?"],
    ["nothing like it", "quite-different.xyz", "DIR/quite-different.xyz does not exist."],
    ["a missing folder", "no/where.txt", "DIR/no/where.txt does not exist; neither does the folder DIR/no."],
    [
      "a path through a file",
      "README.md/x",
      "Cannot read DIR/README.md/x: a part of its path is a file, not a folder.",
    ],
    ["a pipe", "pipe", "DIR/pipe is not a regular file, so it cannot be read."],
    ["a circle of links", "circle", "Cannot read DIR/circle: its symbolic links lead in a circle."],
  ])("%s", async (_what, name, sentence) => {
    await using bench = toolBench();
    bench.put("data.bin", Buffer.from([1, 0, 2, 3]));
    bench.put("README.md", "x");
    mkdirSync(bench.path("folder"));
    execFileSync("mkfifo", [bench.path("pipe")]);
    symlinkSync("circle", bench.path("circle"));
    const { success, result } = await bench.call("Read", { file_path: name });
    expect(success).toBe(false);
    expect(result.replaceAll(bench.dir, "DIR")).toBe(sentence);
  });

  it.skipIf(process.getuid?.() === 0)("a file that may not be read", async () => {
    await using bench = toolBench();
    chmodSync(bench.put("secret", "x"), 0);
    expect((await bench.call("Read", { file_path: "secret" })).result).toMatch(/: permission denied\.$/);
  });
});
