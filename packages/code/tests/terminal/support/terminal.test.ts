import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sequenceOf } from "./keys.ts";
import { startOnTerminal, startWave } from "./terminal.ts";

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "wave-terminal-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Prints the size of its terminal and every chunk it reads; "q" ends it with 7. */
const ECHO = `
  process.stdin.setRawMode(true);
  process.stdin.on("data", (chunk) => {
    const text = String(chunk);
    console.log("got " + JSON.stringify(text));
    if (text === "q") process.exit(7);
  });
  process.stdout.on("resize", () => console.log("now " + process.stdout.columns + " by " + process.stdout.rows));
  console.log("ready " + process.stdout.columns + " by " + process.stdout.rows);
`;

const node = (script: string, size: { cols?: number; rows?: number } = {}) =>
  startOnTerminal(process.execPath, { args: ["-e", script], cwd: folder, ...size });

describe("a program on the test terminal", () => {
  it("sees a terminal of the given size, and is told when it changes", async () => {
    await using run = node(ECHO, { cols: 50, rows: 12 });
    await run.waitForText("ready 50 by 12");
    run.resize(33, 9);
    await run.waitForText("now 33 by 9");
    expect(run.screen()).toHaveLength(9);
  });

  it("reads keys and typed text as a terminal sends them, and its exit code is known", async () => {
    await using run = node(ECHO);
    await run.waitForText("ready");
    run.type("é漢");
    await run.waitForText('got "é漢"');
    await run.press("up");
    await run.waitForText(String.raw`got "\u001b[A"`);
    await run.press("esc");
    await run.waitForText(String.raw`got "\u001b"`);
    run.type("q");
    expect(await run.exit).toEqual({ code: 7, signal: null });
    expect(run.screen().filter((row) => row !== "")).toEqual([
      "ready 80 by 24",
      'got "é漢"',
      String.raw`got "\u001b[A"`,
      String.raw`got "\u001b"`,
      'got "q"',
    ]);
    expect(run.bytesWritten).toBe(Buffer.byteLength(run.output));
    // Nobody is there to read it: it is no error.
    run.type("late");
  });

  it("gets Ctrl-C as a signal unless it reads raw keys", async () => {
    await using run = node("console.log('ready'); setInterval(() => {}, 1000);");
    await run.waitForText("ready");
    await run.press("ctrl-c");
    expect(await run.exit).toEqual({ code: null, signal: "SIGINT" });
  });

  it("is told when its window is closed, and cannot write any more", async () => {
    const note = join(folder, "hung-up");
    await using run = node(`
      const { writeFileSync, writeSync } = require("node:fs");
      process.on("SIGHUP", () => {
        try { writeSync(1, "x"); } catch (error) { writeFileSync(${JSON.stringify(note)}, error.code); }
        process.kill(process.pid, "SIGKILL");
      });
      console.log("ready");
      setInterval(() => {}, 1000);
    `);
    await run.waitForText("ready");
    run.hangUp();
    expect(await run.exit).toEqual({ code: null, signal: "SIGKILL" });
    expect(readFileSync(note, "utf8")).toBe("EIO");
  });

  it("receives a megabyte that is pasted, whole and between its marks", async () => {
    await using run = node(`
      process.stdin.setRawMode(true);
      let got = "";
      process.stdin.on("data", (chunk) => {
        got += chunk;
        if (got.endsWith("\\u001b[201~")) console.log("pasted " + got.length + " " + got.startsWith("\\u001b[200~"));
      });
      process.stdout.write("\\u001b[?2004h");
      console.log("ready");
    `);
    await run.waitForText("ready");
    run.paste("0123456789abcde\n".repeat(64 * 1024));
    const screen = await run.waitForText("pasted");
    expect(screen).toContain(`pasted ${1024 * 1024 + 12} true`);
  });

  it("leaves what scrolled away in the scrollback, in order", async () => {
    await using run = node("for (let i = 1; i <= 30; i++) console.log('row ' + i);", { rows: 10 });
    await run.exit;
    expect(run.scrollback()).toEqual(Array.from({ length: 21 }, (_, index) => `row ${index + 1}`));
    expect(run.screen()).toEqual([...Array.from({ length: 9 }, (_, index) => `row ${index + 22}`), ""]);
  });

  it("shows a line that the terminal wrapped as one line of its text", async () => {
    await using run = node("console.log('x'.repeat(50)); console.log('end');", { cols: 20 });
    await run.exit;
    expect(run.screen().slice(0, 4)).toEqual(["x".repeat(20), "x".repeat(20), "x".repeat(10), "end"]);
    expect(run.text()).toBe(`${"x".repeat(50)}\nend`);
  });

  it("gets an answer when it asks its terminal where the cursor is", async () => {
    await using run = node(`
      process.stdin.setRawMode(true);
      process.stdin.once("data", (chunk) => { console.log(" answer " + JSON.stringify(String(chunk))); process.exit(); });
      process.stdout.write("abc\\u001b[6n");
    `);
    await run.waitForText(String.raw`answer "\u001b[1;4R"`);
    expect(await run.exit).toEqual({ code: 0, signal: null });
  });

  it("that ends before the awaited text fails the wait at once, with the screen in the message", async () => {
    await using run = node("console.log('something else'); process.exit(3);");
    await expect(run.waitForText("never")).rejects.toThrow(
      /the program ended \(exit code 3\) before there was never on the screen[^]*\| something else/,
    );
  });

  it("that writes something else fails the wait after its time", async () => {
    await using run = node(ECHO);
    await run.waitForText("ready");
    await expect(run.waitForText(/never/, { timeoutMs: 50 })).rejects.toThrow(/50 ms passed.*[^]*\| ready/);
  });

  it("is gone after the test, also when it ignores that its window was closed", async () => {
    let pid: number;
    {
      await using run = node(
        "process.on('SIGHUP', () => {}); console.log('ready'); setInterval(() => {}, 1000);",
      );
      pid = run.pid;
      await run.waitForText("ready");
    }
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});

describe("the keys", () => {
  it.each([
    ["enter", "\r"],
    ["esc", "\u001b"],
    ["shift-tab", "\u001b[Z"],
    ["ctrl-c", "\u0003"],
    ["ctrl-z", "\u001a"],
    ["alt-b", "\u001bb"],
  ] as const)("%s is sent as a terminal sends it", (key, sequence) => {
    expect(sequenceOf(key)).toBe(sequence);
  });
});

describe("wave on the test terminal", () => {
  it("prints its version and ends", async () => {
    await using wave = startWave({ args: ["--version"], cwd: folder });
    expect(await wave.exit).toEqual({ code: 0, signal: null });
    expect(wave.text()).toMatch(/^\d+\.\d+\.\d+/);
  });
});
