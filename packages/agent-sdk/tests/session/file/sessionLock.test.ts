import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { SessionError } from "@/errors.ts";
import { parseHolder, thisProcess, type LockHolder } from "@/workspace/files/lockHolder.ts";
import { loadSession, saveSession } from "@/services/session.ts";
import { successionOf } from "@/workspace/files/fileLock.ts";
import { lockFileOf, lockSession, sessionHolder } from "@/session/file/sessionLock.ts";
import { added, sessionIn, userMessage } from "../../support/sessionRecords.ts";
import { tempFolder } from "../../support/tempFolder.ts";
import { waitFor } from "../../support/waitFor.ts";

const RACER = fileURLToPath(new URL("../../fixtures/sessions/lockRacer.ts", import.meta.url));

/** A process that has ended. */
function deadHolder(): LockHolder {
  return { ...thisProcess(), pid: spawnSync("true").pid, started: "1" };
}

function plantDeadSuccessor(file: string): void {
  const dead = JSON.stringify(deadHolder());
  writeFileSync(lockFileOf(file), dead);
  writeFileSync(successionOf(lockFileOf(file), dead), JSON.stringify(deadHolder()));
}

function dateBack(path: string, seconds: number): void {
  const then = new Date(Date.now() - seconds * 1_000);
  utimesSync(path, then, then);
}

interface Racer extends AsyncDisposable {
  pid: number | undefined;
  order(what: { file: string; at: number } | "release"): Promise<unknown>;
}

function startRacer(): Racer {
  const child = fork(RACER, { execArgv: [] });
  return {
    pid: child.pid,
    order: async (what) => {
      child.send(what);
      const [answer]: unknown[] = await once(child, "message");
      return answer;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

function refusal(attempt: () => unknown): SessionError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof SessionError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("the lock of a session", () => {
  it("says who has it, and that a copy is possible (G56)", () => {
    using folder = tempFolder();
    const file = join(folder.path, "s1.jsonl");
    const unlock = lockSession(file);
    const error = refusal(() => saveSession(sessionIn(folder.path), []));
    expect(error.kind).toBe("in-use");
    expect(error.message).toMatch(
      new RegExp(
        `^Session s1 is open in this process \\(${process.pid}\\) since \\d\\d:\\d\\d: close it there, or go on in a copy of it \\(--fork\\)\\.$`,
      ),
    );
    expect(error.held).toEqual(sessionHolder(file));
    expect(error.held?.sessionId).toBe("s1");
    unlock();
    expect(sessionHolder(file)).toBeUndefined();
    lockSession(file)();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("names the other process, and what it wrote stays its own (G56)", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "s1.jsonl");
    await using racer = startRacer();
    expect(await racer.order({ file, at: 0 })).toBe("won");
    const error = refusal(() => saveSession(sessionIn(folder.path), [added(userMessage("m1"))]));
    expect(error.message).toMatch(
      new RegExp(`^Session s1 is open in process ${racer.pid} since [\\d:]+: .*--fork`),
    );
    expect(await loadSession(file)).toBeUndefined();
  });

  it.each<[string, (mine: LockHolder) => string]>([
    ["a process that has ended", () => JSON.stringify(deadHolder())],
    ["a process whose pid somebody else has now", (mine) => JSON.stringify({ ...mine, started: "1" })],
    ["nobody that can be read, after a power failure", () => ""],
    ["nobody that can be read, after damage", () => '{"pid": -1}'],
  ])("is taken over from %s (G56)", (_who, content) => {
    using folder = tempFolder();
    const file = join(folder.path, "s1.jsonl");
    writeFileSync(lockFileOf(file), content(thisProcess()));
    const unlock = lockSession(file);
    expect(parseHolder(readFileSync(lockFileOf(file), "utf8"))?.pid).toBe(process.pid);
    expect(refusal(() => lockSession(file)).kind).toBe("in-use");
    unlock();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("is taken over from a process that is a zombie (G56)", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "s1.jsonl");
    // The shell becomes sleep, which never asks what became of the shell's child.
    const script = "exec 3<&0; cat <&3 & echo $!; exec sleep 60";
    const parent = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "ignore"] });
    const [printed]: Buffer[] = await once(parent.stdout, "data");
    const pid = Number(printed);
    const stat = () => readFileSync(`/proc/${pid}/stat`, "latin1").split(" ");
    await waitFor("sleep runs", () => readFileSync(`/proc/${parent.pid}/comm`, "latin1") === "sleep\n");
    parent.stdin.end();
    await waitFor("the child has ended", () => stat()[2] === "Z");
    writeFileSync(lockFileOf(file), JSON.stringify({ ...thisProcess(), pid, started: stat()[21] }));
    try {
      expect(lockSession(file)).toBeTypeOf("function");
    } finally {
      parent.kill("SIGKILL");
    }
  });

  it.each<[string, Partial<LockHolder>]>([
    ["another machine", { host: "elsewhere.example" }],
    ["this machine in a container", { pids: "pid:[1]" }],
  ])("of a process on %s stands until it has been silent for minutes (G56)", (_where, more) => {
    using folder = tempFolder();
    const file = join(folder.path, "s1.jsonl");
    const holder = { ...deadHolder(), ...more };
    writeFileSync(lockFileOf(file), JSON.stringify(holder));
    const { message } = refusal(() => lockSession(file));
    const place = more.host === undefined ? `in another container of ${hostname()}` : `on ${more.host}`;
    expect(message).toMatch(
      new RegExp(`process ${holder.pid} ${place} since .*, which cannot be seen from here`),
    );
    expect(message).toMatch(/If that process is gone, the session is free in 1\d\d s/);
    expect(message).toContain(`delete ${lockFileOf(file)}`);

    dateBack(lockFileOf(file), 100);
    refusal(() => lockSession(file));
    dateBack(lockFileOf(file), 130);
    expect(sessionHolder(file)).toBeUndefined();
    lockSession(file)();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("of a Wave elsewhere that does not show whether it lives stands for ever (G56)", () => {
    using folder = tempFolder();
    const file = join(folder.path, "s1.jsonl");
    const { beats: _, ...holder } = { ...deadHolder(), pids: "pid:[1]" };
    writeFileSync(lockFileOf(file), JSON.stringify(holder));
    dateBack(lockFileOf(file), 100_000);
    expect(refusal(() => lockSession(file)).message).toMatch(/If that process is gone, delete /);
  });

  it("does not take a process of the same number in another container for this one", () => {
    using folder = tempFolder();
    const file = join(folder.path, "s1.jsonl");
    writeFileSync(lockFileOf(file), JSON.stringify({ ...thisProcess(), pids: "pid:[1]" }));
    expect(refusal(() => lockSession(file)).message).toContain(
      `open in process ${process.pid} in another container`,
    );
  });

  it("is dated anew as long as its session is open, and no longer", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      using folder = tempFolder();
      const handle = sessionIn(folder.path);
      saveSession(handle, []);
      const lock = lockFileOf(handle.file);
      dateBack(lock, 100);
      vi.advanceTimersByTime(20_000);
      expect(Date.now() - statSync(lock).mtimeMs).toBeLessThan(10_000);
      handle.close?.();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("that another Wave took over keeps the one that had it from writing", async () => {
    using folder = tempFolder();
    const handle = sessionIn(folder.path);
    saveSession(handle, [added(userMessage("m1"))]);
    const lock = lockFileOf(handle.file);
    rmSync(lock);
    // Removed by hand: it is simply taken again.
    expect(saveSession(handle, [added(userMessage("m2"))], { sync: true })).toEqual({ saved: true });
    rmSync(lock);
    writeFileSync(lock, JSON.stringify({ ...thisProcess(), pids: "pid:[1]" }));
    expect(saveSession(handle, [added(userMessage("m3"))], { sync: true })).toMatchObject({
      saved: false,
      promised: true,
      problem: expect.stringMatching(/another Wave has taken the session over.*copy/),
    });
    handle.close?.();
    expect((await loadSession(handle.file))?.messages.map(({ id }) => id)).toEqual(["m1", "m2"]);
    expect(readdirSync(folder.path)).toEqual(["s1.jsonl", "s1.jsonl.lock"]);
  });

  it("that somebody else has by now is not removed by the one who had it (G56)", () => {
    using folder = tempFolder();
    const file = join(folder.path, "s1.jsonl");
    const unlock = lockSession(file);
    writeFileSync(lockFileOf(file), JSON.stringify(deadHolder()));
    unlock();
    expect(readdirSync(folder.path)).toEqual(["s1.jsonl.lock"]);
  });
});

describe("two processes that want the same session at the same moment", () => {
  const RACES = process.env["WAVE_SOAK"] ? 1_000 : 50;
  const plants: [string, (file: string) => void][] = [
    ["no lock", () => {}],
    ["a dead lock", (file) => writeFileSync(lockFileOf(file), JSON.stringify(deadHolder()))],
    ["a dead lock whose successor died as well", plantDeadSuccessor],
  ];

  it.each(plants)(
    `find %s: one gets it and the other is told, ${RACES} times (G56)`,
    async (_what, plant) => {
      using folder = tempFolder();
      await using one = startRacer();
      await using other = startRacer();
      for (let race = 0; race < RACES; race++) {
        const file = join(folder.path, `race-${race}.jsonl`);
        plant(file);
        const order = { file, at: Date.now() + 5 };
        const outcomes = await Promise.all([one.order(order), other.order(order)]);
        expect(outcomes.toSorted()).toEqual(["in use", "won"]);
        const holder = parseHolder(readFileSync(lockFileOf(file), "utf8"));
        expect(holder?.pid).toBe(outcomes[0] === "won" ? one.pid : other.pid);
        await Promise.all([one.order("release"), other.order("release")]);
      }
      expect(readdirSync(folder.path)).toEqual([]);
    },
  );
});
