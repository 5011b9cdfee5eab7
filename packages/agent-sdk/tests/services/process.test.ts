import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ProcessRequest, runProcess, startProcess } from "../../src/services/process.ts";
import { endProcesses, isAlive, processesWith } from "../support/processes.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { waitFor } from "../support/waitFor.ts";

const PATH = process.env["PATH"] ?? "/usr/bin:/bin";

/** --norc: with a socket on stdin bash reads ~/.bashrc, and then it is that file which reads what the test wrote. */
function shell(script: string, more: Partial<ProcessRequest> = {}): ProcessRequest {
  return {
    file: "bash",
    args: ["--norc", "-c", script],
    cwd: "/",
    env: { PATH },
    keepBytes: 1024 * 1024,
    ...more,
  };
}

const run = (script: string, more?: Partial<ProcessRequest>) => runProcess(shell(script, more));

/** A mark in the environment of everything one test starts, to find it again, and to end it when the test is over. */
function marked(): { mark: string; env: Record<string, string> } {
  const mark = `wave-test-${randomUUID()}`;
  onTestFinished(() => endProcesses(processesWith(mark)));
  return { mark, env: { PATH, WAVE_TEST_MARK: mark } };
}

describe("SIGUSR1 from what Wave started", () => {
  const HOST = `import { runProcess } from "${new URL("../../src/services/process.ts", import.meta.url).href}";
    const script = process.argv[1];
    const run = () => runProcess({ file: "bash", args: ["--norc", "-c", script], cwd: "/", env: { PATH: process.env.PATH }, keepBytes: 100 });
    console.log((await run()).end, (await run()).end);`;
  it.each([
    ["at once", "kill -USR1 $PPID"],
    ["twice", "kill -USR1 $PPID; kill -USR1 $PPID"],
    ["from a grandchild", "p=$PPID; (sleep 0; kill -s SIGUSR1 $p)"],
    ["by its number", "kill -10 $PPID"],
    [
      "the way a debugger does it",
      `"${process.execPath}" -e "process._debugProcess(+process.argv[1])" $PPID`,
    ],
  ])("opens no inspector in a program with the SDK: %s (G67)", async (_how, script) => {
    // Behind it a moment in which the signal arrives; the inspector would say where it listens.
    const args = ["--conditions=@wave/source", "--input-type=module", "-e", HOST, `${script}; sleep 0.1`];
    const host = await runProcess({ ...shell(""), file: process.execPath, args });
    expect({ ...host, durationMs: 0 }).toMatchObject({
      end: "exited",
      code: 0,
      stdout: { text: "exited exited\n" },
      stderr: { text: "" },
    });
  });
});

describe("how a process ended", () => {
  it.each([
    ["echo out; echo err >&2", { end: "exited", code: 0 }],
    ["exit 2", { end: "exited", code: 2 }],
    ["exit 255", { end: "exited", code: 255 }],
    ["kill -KILL $$", { end: "signalled", signal: "SIGKILL" }],
    ["kill -SEGV $$", { end: "signalled", signal: "SIGSEGV" }],
    ["no-such-program-at-all", { end: "exited", code: 127 }],
  ])("%s is told as it was, a signal never as an exit code (G43)", async (script, end) => {
    expect(await run(script)).toMatchObject(end);
  });

  it("is not a timeout when it ended in time while Wave was stopped or busy: an exit code 2 blocks (G1, G43)", async () => {
    const running = run("echo no >&2; exit 2", { timeoutMs: 100 });
    // Nothing of Wave runs, and the clock does: as between SIGSTOP and SIGCONT.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    expect(await running).toMatchObject({ end: "exited", code: 2, stderr: { text: "no\n" } });
  });

  it("comes with both streams, apart and complete (SC-001)", async () => {
    expect(await run("echo out; echo err >&2; exit 3")).toEqual({
      end: "exited",
      code: 3,
      stdout: { text: "out\n", bytes: 4, cut: 0 },
      stderr: { text: "err\n", bytes: 4, cut: 0 },
      durationMs: expect.any(Number),
    });
  });

  it("loses nothing that was printed right before the exit, also when a child holds the pipe (T61, G39)", async () => {
    const { env } = marked();
    const text = "x".repeat(150_000);
    for (let round = 0; round < 40; round++) {
      const result = await run(`sleep 300 & printf '%*s' ${text.length} '' | tr ' ' x`, { env });
      expect(result.stdout).toEqual({ text, bytes: text.length, cut: 0 });
    }
  });
});

describe("a process that cannot be started", () => {
  it.each([
    [
      "a program that does not exist",
      { file: "/nowhere/to/be/found" },
      "ENOENT",
      "/nowhere/to/be/found does not exist.",
    ],
    ["a file that is not executable", { file: "/etc/passwd" }, "EACCES", "not executable: /etc/passwd"],
    [
      "an argument that is too long",
      { args: ["-c", `: ${"x".repeat(200_000)}`] },
      "E2BIG",
      "larger than the system allows",
    ],
    [
      "a variable that is too long",
      { env: { PATH, BIG: "x".repeat(200_000) } },
      "E2BIG",
      "larger than the system allows",
    ],
    ["a NUL in an argument", { args: ["-c", "a\0b"] }, "ERR_INVALID_ARG_VALUE", "cannot be started"],
    ["a folder that is gone", { cwd: "/nowhere" }, "ENOENT", "The folder /nowhere does not exist any more"],
    [
      "an empty PATH",
      { file: "no-such-program", env: { PATH: "" } },
      "ENOENT",
      "no-such-program does not exist.",
    ],
  ])("%s is a value with the system's code and one sentence (G43)", async (_what, more, code, sentence) => {
    expect(await run("true", more)).toMatchObject({
      end: "not-started",
      code,
      message: expect.stringContaining(sentence),
      stdout: { text: "", bytes: 0, cut: 0 },
    });
  });

  it.each([
    ["#!/nowhere/interpreter\n", "names /nowhere/interpreter, which does not exist"],
    ["#!/bin/sh\r\necho hi\r\n", "its lines end as on Windows"],
  ])(
    "a script that begins with %j says what is wrong with its first line (G43)",
    async (content, sentence) => {
      using folder = tempFolder();
      const file = join(folder.path, "script");
      writeFileSync(file, content, { mode: 0o755 });
      expect(await run("", { file, args: [] })).toMatchObject({
        end: "not-started",
        message: expect.stringContaining(sentence),
      });
    },
  );

  // Root may enter every folder.
  it.skipIf(process.getuid?.() === 0)(
    "a folder that may not be entered is named, not the command (G43)",
    async () => {
      using folder = tempFolder();
      chmodSync(folder.path, 0o600);
      expect(await run("true", { cwd: folder.path })).toMatchObject({
        end: "not-started",
        code: "EACCES",
        message: `The folder ${folder.path} may not be entered, so nothing can be started in it.`,
      });
    },
  );

  it("a program that is still being written is tried again until it can run (G43)", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "copy-of-true");
    writeFileSync(
      file,
      readFileSync(execFileSync("bash", ["-c", "type -P true"], { encoding: "utf8" }).trim()),
    );
    chmodSync(file, 0o755);
    const writer = openSync(file, "r+");
    const started = runProcess(shell("", { file, args: [] }));
    await sleep(20);
    closeSync(writer);
    expect(await started).toMatchObject({ end: "exited", code: 0 });
  });

  it("a program that somebody never stops writing is given up after a bounded number of tries (G43)", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "copy-of-true");
    writeFileSync(
      file,
      readFileSync(execFileSync("bash", ["-c", "type -P true"], { encoding: "utf8" }).trim()),
      { mode: 0o755 },
    );
    const writer = openSync(file, "r+");
    expect(await runProcess(shell("", { file, args: [] }))).toMatchObject({
      end: "not-started",
      code: "ETXTBSY",
    });
    closeSync(writer);
  });

  it("running out of descriptors is a value, and Wave lives on (G43)", () => {
    const program = fileURLToPath(new URL("../fixtures/outOfDescriptors.ts", import.meta.url));
    const printed = execFileSync("bash", ["-c", `ulimit -n 40; exec "${process.execPath}" "${program}"`], {
      encoding: "utf8",
    });
    expect(JSON.parse(printed)).toEqual({
      withoutDescriptors: "not-started",
      code: "EMFILE",
      afterwards: "exited",
    });
  });
});

describe("input", () => {
  const large = "x".repeat(10 * 1024 * 1024);

  it("arrives whole, followed by the end of the file (T66)", async () => {
    expect(await run("wc -c", { stdin: large })).toMatchObject({ stdout: { text: `${large.length}\n` } });
  });

  it.each([
    ["never reads it", "exit 2"],
    ["closes it and goes on", "exec 0<&-; sleep 0.1; exit 2"],
    ["reads a little of it", "head -c 10 >/dev/null; exit 2"],
  ])("does not hurt when a program %s (T66, T67, G40)", async (_what, script) => {
    expect(await run(script, { stdin: large })).toMatchObject({ end: "exited", code: 2 });
  });

  it("that nobody reads does not keep the time limit from working (T66, G40)", async () => {
    expect(await run("sleep 300", { stdin: large, timeoutMs: 100 })).toMatchObject({
      end: "timed-out",
      afterMs: 100,
    });
  });

  it("is empty when there is none", async () => {
    expect(await run("cat; echo end")).toMatchObject({ stdout: { text: "end\n" } });
  });
});

describe("output", () => {
  it("beyond the limit keeps head and tail, with a line that says how much is missing (T68, G41)", async () => {
    const result = await run("printf 'A%.0s' {1..60}; printf 'B%.0s' {1..1000}; printf 'C%.0s' {1..60}", {
      keepBytes: 100,
    });
    expect(result.stdout).toEqual({
      text: `${"A".repeat(50)}\n[… 1,020 bytes cut …]\n${"C".repeat(50)}`,
      bytes: 1120,
      cut: 1020,
    });
  });

  it("of exactly the limit is whole (G41)", async () => {
    expect((await run("printf 'A%.0s' {1..100}", { keepBytes: 100 })).stdout).toEqual({
      text: "A".repeat(100),
      bytes: 100,
      cut: 0,
    });
  });

  it("cut at any byte never shows half a character (G42)", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "text");
    const text = "aé€😀".repeat(20);
    writeFileSync(file, text);
    for (let keepBytes = 20; keepBytes < 60; keepBytes++) {
      const { stdout } = await run(`cat ${file}`, { keepBytes });
      const [head = "", tail = ""] = stdout.text.split(/\n\[….*…\]\n/);
      expect(stdout.text).not.toContain("\uFFFD");
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect(stdout.cut).toBe(Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail));
    }
  });

  it("that splits a character between two writes is put together again, live and afterwards (G42)", async () => {
    const live: string[] = [];
    const result = await run("printf '\\xf0\\x9f'; sleep 0.05; printf '\\x98\\x80'", {
      onOutput: (text) => live.push(text),
    });
    expect(result.stdout.text).toBe("😀");
    expect(live.join("")).toBe("😀");
  });

  it("that is not UTF-8 is replaced, never thrown, and a BOM stays (T115, G42)", async () => {
    expect((await run("printf '\\xef\\xbb\\xbfa\\xffb'")).stdout.text).toBe("\uFEFFa\uFFFDb");
  });

  it("of both streams is passed on as it comes, each under its name", async () => {
    const live = { stdout: "", stderr: "" };
    await run("echo one; echo two >&2", { onOutput: (text, stream) => (live[stream] += text) });
    expect(live).toEqual({ stdout: "one\n", stderr: "two\n" });
  });

  it("of one byte at a time costs no more than other output (G41)", async () => {
    const { stdout } = await run("for i in {1..3000}; do echo -n x; done", { keepBytes: 1000 });
    expect(stdout).toMatchObject({ bytes: 3000, cut: 2000 });
  });
});

describe("a background child", () => {
  it("does not delay the result, keeps living and may go on printing (T61, T62, G39)", async () => {
    using folder = tempFolder();
    const marker = join(folder.path, "still here");
    const { mark, env } = marked();
    const waiting = join(folder.path, "go");
    const result = await run(
      `(until [ -e go ]; do sleep 0.01; done; echo late; echo late; touch "still here"; exec sleep 300) & echo done`,
      {
        env,
        cwd: folder.path,
      },
    );
    expect(result).toMatchObject({ end: "exited", code: 0, stdout: { text: "done\n" } });
    writeFileSync(waiting, "");
    await waitFor("the background child wrote its marker", () => existsSync(marker));
    await waitFor("the child is the sleep", () => processesWith(mark).length === 1);
  });

  it("that never stops printing does not keep the result waiting (T61, G39)", async () => {
    const { env } = marked();
    expect(await run("for _ in 1 2 3 4; do cat /dev/zero & done; exit 0", { env })).toMatchObject({
      end: "exited",
      code: 0,
    });
  });

  it("survives an abort that comes after the result (T62)", async () => {
    const { mark, env } = marked();
    const turn = new AbortController();
    await run("sleep 300 & exit 0", { env, signal: turn.signal });
    turn.abort();
    await sleep(300);
    expect(processesWith(mark)).toHaveLength(1);
  });
});

describe("the end of a process that does not end by itself", () => {
  const stubborn = {
    sleeps: ["", "sleep 300"],
    "ignores SIGTERM": ["trap '' TERM", "while :; do sleep 1; done"],
    "has children in its group": ["sleep 300 & sleep 300 &", "wait"],
    "has a child that ignores SIGTERM": ["(trap '' TERM; sleep 300; sleep 300) &", "sleep 300"],
    "has a child in a session of its own": ["setsid sleep 300 &", "sleep 300"],
    "forked twice": ["(setsid bash -c 'sleep 300 & sleep 300' &)", "sleep 300"],
    "has a child that Wave's mark was taken from": [
      `env -i PATH="$PATH" WAVE_TEST_MARK="$WAVE_TEST_MARK" setsid bash -c 'trap "" TERM; sleep 300; sleep 300' &`,
      "sleep 300",
    ],
    "stopped itself": ["", "kill -STOP $$; sleep 300"],
    "stopped its child": ["sleep 300 & kill -STOP $!", "wait"],
  };
  const cases = Object.entries(stubborn).map(
    ([what, [setUp, wait]]) => [what, `${setUp}\necho ready\n${wait}`] as const,
  );

  it.each(cases)(
    "at the time limit nothing is left of one that %s (T63, G37, G38)",
    async (_what, script) => {
      const { mark, env } = marked();
      const result = await run(script, { env, timeoutMs: 300 });
      const left = processesWith(mark);
      expect(result).toMatchObject({ end: "timed-out", afterMs: 300 });
      expect(left).toEqual([]);
    },
  );

  it.each(cases)("at an abort nothing is left of one that %s (T64, G38, G45)", async (_what, script) => {
    const { mark, env } = marked();
    const turn = new AbortController();
    const result = await run(script, { env, signal: turn.signal, onOutput: () => turn.abort() });
    const left = processesWith(mark);
    expect(result).toMatchObject({ end: "aborted", stdout: { text: "ready\n" } });
    expect(left).toEqual([]);
  });

  it("can be asked for with kill(), and a second time for nothing (T64)", async () => {
    const started = startProcess(shell("echo started; sleep 300"));
    expect(started.pid).toBeGreaterThan(0);
    started.kill();
    started.kill();
    expect(await started.done).toMatchObject({ end: "aborted" });
  });

  it("keeps what it had printed (T63)", async () => {
    expect(await run("echo before; echo warning >&2; sleep 300", { timeoutMs: 3_000 })).toMatchObject({
      end: "timed-out",
      stdout: { text: "before\n" },
      stderr: { text: "warning\n" },
    });
  });

  it("is given the chance to tidy up before it is killed (T155)", async () => {
    const started = startProcess(
      shell("trap 'echo tidied; exit 0' TERM; echo ready; while :; do sleep 0.01; done", {
        onOutput: () => started.kill(),
      }),
    );
    expect(await started.done).toMatchObject({ end: "aborted", stdout: { text: "ready\ntidied\n" } });
  });

  it("is not started at all when the turn is already aborted", async () => {
    using folder = tempFolder();
    expect(await run("touch started", { cwd: folder.path, signal: AbortSignal.abort() })).toMatchObject({
      end: "aborted",
    });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("reaches what a Wave inside it started, also when that Wave is gone (T63, G38)", async () => {
    using folder = tempFolder();
    const { mark, env } = marked();
    const inner = fileURLToPath(new URL("../fixtures/runsForEver.ts", import.meta.url));
    const script = `'${process.execPath}' '${inner}' & until [ -e inner-runs ]; do sleep 0.01; done; kill -KILL $!; wait; echo ready; sleep 300`;
    const outer = startProcess(
      shell(script, { env, cwd: folder.path, onOutput: (text) => text.includes("ready") && outer.kill() }),
    );
    expect(await outer.done).toMatchObject({ end: "aborted", stdout: { text: "ready\n" } });
    const left = processesWith(mark);
    expect(left).toEqual([]);
  });

  it("is asked of what a wrapper wraps, and the wrapper is heard on descriptor 3 (G48)", async () => {
    const wrapped = `trap 'echo wrapped; exit' TERM; echo ready; while :; do sleep 0.02; done`;
    const outer = startProcess(
      shell(`echo begun >&3; trap 'echo wrapper' TERM; bash -c "${wrapped}"`, {
        isWrapper: true,
        onOutput: (text) => text.includes("ready") && outer.kill(),
      }),
    );
    const run = await outer.done;
    expect(run).toMatchObject({ end: "aborted", report: "begun\n" });
    expect(run.stdout.text).not.toContain("wrapper");
  });

  it("comes with the end of Wave itself, also by an uncaught exception (T65, G38)", async () => {
    const { mark, env } = marked();
    const crashing = fileURLToPath(new URL("../fixtures/crashesWhileRunning.ts", import.meta.url));
    const result = await runProcess(shell("", { file: process.execPath, args: [crashing], env }));
    expect(result).toMatchObject({
      end: "exited",
      code: 1,
      stderr: { text: expect.stringContaining("meant to crash") },
    });
    await waitFor("nothing of it is left", () => processesWith(mark).length === 0);
  });

  it("is not brought about by a time limit that overflows Node's timer", async () => {
    expect(await run("sleep 0.05; echo done", { timeoutMs: 1e12 })).toMatchObject({
      end: "exited",
      stdout: { text: "done\n" },
    });
  });
});

describe("around a process", () => {
  it("there is a process group and a session of its own (G37, G46)", async () => {
    const result = await run(
      'read -r _ _ _ _ group session _ </proc/$$/stat; echo "$((group - $$)) $((session - $$))"',
    );
    expect(result).toMatchObject({ stdout: { text: "0 0\n" } });
  });

  it("there is no terminal (G46)", async () => {
    expect(await run("echo x 2>/dev/null >/dev/tty || echo none")).toMatchObject({
      stdout: { text: "none\n" },
    });
  });

  it("thirty at once bring no warning, and no listener, timer or descriptor stays behind (G49)", async () => {
    // In a program of its own: the test runner opens and closes descriptors as it likes.
    const program = fileURLToPath(new URL("../fixtures/thirtyAtOnce.ts", import.meta.url));
    const { stdout } = await run("", { file: process.execPath, args: [program] });
    const { before, after, timers, warnings } = JSON.parse(stdout.text);
    expect({ after, timers, warnings }).toEqual({ after: before, timers: 0, warnings: [] });
  });

  it("a folder that vanishes while it runs changes nothing", async () => {
    using folder = tempFolder();
    const done = run(`until [ ! -e '${folder.path}' ]; do sleep 0.01; done; echo over`, { cwd: folder.path });
    rmSync(folder.path, { recursive: true });
    expect(await done).toMatchObject({ end: "exited", code: 0, stdout: { text: "over\n" } });
  });

  it("a pid is known as soon as it was started, and is gone when it is over", async () => {
    const started = startProcess(shell("true"));
    const pid = started.pid ?? -1;
    await started.done;
    expect(isAlive(pid)).toBe(false);
  });
});
