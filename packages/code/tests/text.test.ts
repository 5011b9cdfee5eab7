import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { paintFor } from "../src/output/paint.ts";
import { decode, joinPrompt, PipedTooLong, readPiped } from "../src/modes/readStdin.ts";
import { splitRules } from "../src/cli/splitRules.ts";
import { nearestName } from "wave-agent-sdk";
import { printable, printableJson, printableLine } from "../src/utils/printable.ts";
import { wrapText } from "../src/utils/wrapText.ts";

describe("text of models, hooks and tools", () => {
  const rows: [what: string, text: string, shown: string][] = [
    ["a colour", "\u001b[31mred", "\\x1b[31mred"],
    ["a title sequence", "\u001b]0;title\u0007", "\\x1b]0;title\\x07"],
    ["an 8-bit control sequence", "\u009b2J", "\\x9b2J"],
    ["NUL and DEL", "a\u0000b\u007f", "a\\x00b\\x7f"],
    ["a carriage return that hides the line before it", "safe\rrm", "safe\\rrm"],
    ["line ends of Windows", "a\r\nb", "a\nb"],
    ["line breaks and tabs", "a\n\tb", "a\n\tb"],
    ["text written backwards", "abc\u202edcba", "abc\\u202edcba"],
    ["a zero-width space", "rm\u200b -rf", "rm\\u200b -rf"],
    ["half an emoji", "a\ud83d", "a\\ud83d"],
    ["tag characters", "a\u{e0041}", "a\\u{e0041}"],
    ["emoji, umlauts and joined emoji", "é 👩‍💻 ü", "é 👩‍💻 ü"],
  ];

  it.each(rows)("has %s made harmless (G36, G46)", (_what, text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(JSON.parse(printableJson({ text }))).toEqual({ text });
  });

  it("stays on one line where one line is meant", () => {
    expect(printableLine("a\n\tb")).toBe("a\\n\\tb");
  });

  it("never holds a control byte in JSON", () => {
    const all = String.fromCodePoint(...Array.from({ length: 0x3000 }, (_, code) => code));
    // eslint-disable-next-line no-control-regex
    expect(printableJson(all)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(JSON.parse(printableJson(all))).toBe(all);
  });
});

describe("colours", () => {
  it("are for terminals, and not with NO_COLOR", () => {
    expect(paintFor({ isTTY: true }, {})("red", "x")).toBe("\u001b[31mx\u001b[39m");
    expect(paintFor({ isTTY: true }, { NO_COLOR: "1" })("red", "x")).toBe("x");
    expect(paintFor({ isTTY: true }, { TERM: "dumb" })("red", "x")).toBe("x");
    expect(paintFor({}, {})("red", "x")).toBe("x");
  });
});

describe("wrapped text", () => {
  it.each([
    ["a short line", "one two", 20, ["one two"]],
    ["a long line", "one two three four", 9, ["one two", "three", "four"]],
    ["a long word", "abcdefghij", 4, ["abcd", "efgh", "ij"]],
    ["an indented line", "  one two three", 9, ["  one two", "  three"]],
    ["its own line breaks", "one\n\ntwo", 10, ["one", "", "two"]],
    ["emoji at the edge", "👍👍👍", 4, ["👍👍", "👍"]],
  ])("keeps %s within the width", (_what, text, width, lines) => {
    expect(wrapText(text, width)).toEqual(lines);
  });
});

describe("the nearest name", () => {
  it.each([
    ["modle", "model"],
    ["perm", "permission-mode"],
    ["lsit", "list"],
    ["PRETOOLUSE", "PreToolUse"],
    ["zzz", undefined],
    ["", undefined],
  ])("of %j is %j", (word, near) => {
    expect(nearestName(word, ["model", "permission-mode", "list", "PreToolUse"])).toBe(near);
  });
});

describe("a list of rules", () => {
  it.each([
    ["Bash, Edit", ["Bash", "Edit"]],
    ["Bash(git log:*) Edit", ["Bash(git log:*)", "Edit"]],
    ["Bash(f(a,b))", ["Bash(f(a,b))"]],
    ["", []],
    ["Bash(", undefined],
    ["Bash)", undefined],
  ])("%j is split at commas and blanks outside of brackets", (list, rules) => {
    expect(splitRules(list)).toEqual(rules);
  });
});

describe("piped input", () => {
  it("that is not UTF-8 keeps everything readable, and says that something was replaced", () => {
    expect(decode(Buffer.from([0x61, 0xff, 0x62]))).toEqual({ text: "a\ufffdb", replaced: true });
    expect(decode(Buffer.from("é"))).toEqual({ text: "é", replaced: false });
  });

  it.each([
    ["prompt", "piped\n", "prompt\n\npiped\n"],
    ["prompt", undefined, "prompt"],
    ["prompt", " \n", "prompt"],
    [undefined, "piped", "piped"],
    [" ", "", undefined],
    [undefined, undefined, undefined],
  ])("%j and %j give %j", (argument, piped, prompt) => {
    expect(joinPrompt(argument, piped)).toBe(prompt);
  });
});

describe("piped input", () => {
  const quiet = { onQuiet: () => {} };

  it("without an end is read as far as a prompt can be long, and no further (G40)", async () => {
    let read = 0;
    const endless = new Readable({
      read() {
        read += 1_000;
        this.push(Buffer.alloc(1_000));
      },
    });
    await expect(readPiped(endless, { ...quiet, mostBytes: 100_000 })).rejects.toThrow(PipedTooLong);
    expect(endless.destroyed).toBe(true);
    // One buffer of the stream is ahead.
    expect(read).toBeLessThan(100_000 + 2 * endless.readableHighWaterMark);
  });

  it("may have exactly as much as a prompt may", async () => {
    const input = Readable.from([Buffer.from("a".repeat(60)), Buffer.from("b".repeat(40))]);
    expect((await readPiped(input, { ...quiet, mostBytes: 100 })).text).toHaveLength(100);
  });
});
