import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SessionError } from "@/errors.ts";
import type { SessionRecord } from "@/messages/sessionLines.ts";
import * as session from "@/services/session.ts";
import { lockSession } from "@/session/file/sessionLock.ts";
import { added, answered, callMessage, sessionIn, started, userMessage } from "../support/sessionRecords.ts";
import { tempFolder } from "../support/tempFolder.ts";

const { saveSession, loadSession, getLatestSession, cleanupExpiredSessions } = session;

const linesOf = (file: string): Record<string, unknown>[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const decision: SessionRecord = {
  type: "decision",
  record: {
    event: "PreToolUse",
    mode: "default",
    hooks: [],
    skipped: [],
    decision: "pass",
    decidedBy: "mode default",
    durationMs: 1,
  },
};

describe("saving a session", () => {
  it("needs four functions and no more (TS-1)", () => {
    expect(Object.keys(session).toSorted()).toEqual([
      "cleanupExpiredSessions",
      "getLatestSession",
      "loadSession",
      "saveSession",
    ]);
  });

  it("writes a header, then one numbered line per record", () => {
    using folder = tempFolder();
    const handle = { ...sessionIn(folder.path), parent: "s0" };
    expect(saveSession(handle, [added(userMessage("m1")), started("t1")])).toEqual({ saved: true });
    expect(saveSession(handle, [started("t2")], { sync: true })).toEqual({ saved: true });
    handle.close?.();
    const ts = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(linesOf(handle.file)).toEqual([
      { v: 1, seq: 1, ts, type: "header", version: 1, id: "s1", cwd: "/project", parent: "s0" },
      { v: 1, seq: 2, ts, ...added(userMessage("m1")) },
      { v: 1, seq: 3, ts, ...started("t1") },
      { v: 1, seq: 4, ts, ...started("t2") },
    ]);
  });

  it("opens nothing before the first save, and leaves neither descriptor nor lock after the close (TS-1, G56)", () => {
    using folder = tempFolder();
    const handle = sessionIn(join(folder.path, "sessions"));
    expect(existsSync(join(folder.path, "sessions"))).toBe(false);
    saveSession(handle, []);
    expect(readdirSync(join(folder.path, "sessions"))).toEqual(["s1.jsonl", "s1.jsonl.lock"]);
    handle.close?.();
    expect(readdirSync(join(folder.path, "sessions"))).toEqual(["s1.jsonl"]);
    expect(handle).toEqual(sessionIn(join(folder.path, "sessions")));
  });

  it("goes on with the next number after a resume and leaves what is there byte for byte (G60)", () => {
    using folder = tempFolder();
    const first = sessionIn(folder.path);
    saveSession(first, [added(userMessage("m1"))]);
    first.close?.();
    const before = readFileSync(first.file);
    const second = sessionIn(folder.path);
    saveSession(second, [{ type: "resumed", interruptedTools: [] }]);
    second.close?.();
    expect(readFileSync(first.file).subarray(0, before.length).equals(before)).toBe(true);
    expect(linesOf(first.file).map(({ seq, type }) => [seq, type])).toEqual([
      [1, "header"],
      [2, "edit"],
      [3, "resumed"],
    ]);
  });

  it("finds the last number behind a line of several megabytes and behind lines without one (G58, G60)", () => {
    using folder = tempFolder();
    const first = sessionIn(folder.path);
    saveSession(first, [added(userMessage("m1", "x".repeat(3_000_000)))]);
    first.close?.();
    appendFileSync(first.file, "a note of a person\n\n");
    const second = sessionIn(folder.path);
    saveSession(second, [started("t1")]);
    second.close?.();
    expect(JSON.parse(readFileSync(first.file, "utf8").split("\n").at(-2) ?? "")).toMatchObject({ seq: 3 });
  });

  it("says when the file was deleted under it, and is written anew with all there is (G50)", async () => {
    using folder = tempFolder();
    const handle = sessionIn(folder.path);
    saveSession(handle, [added(userMessage("m1"))]);
    rmSync(handle.file);
    const outcome = saveSession(handle, [added(userMessage("m2"))]);
    expect(outcome).toMatchObject({
      saved: false,
      lost: true,
      problem: expect.stringContaining("was deleted or moved away while Wave was using it"),
    });
    const all = [added(userMessage("m1")), added(userMessage("m2"))];
    expect(saveSession(handle, all, { anew: true })).toEqual({ saved: true });
    expect(saveSession(handle, [added(userMessage("m3"))], { sync: true })).toEqual({ saved: true });
    handle.close?.();
    expect(await loadSession(handle.file)).toMatchObject({
      id: "s1",
      messages: [{ id: "m1" }, { id: "m2" }, { id: "m3" }],
      problems: [],
    });
  });
});

describe("loading a session", () => {
  it("gives back what was saved, with the calls that were running (T193, T195)", async () => {
    using folder = tempFolder();
    const handle = sessionIn(folder.path);
    const half = userMessage("m1", 'half an emoji \ud83d and lines\nwith \u2028 and "quotes"');
    saveSession(handle, [
      added(half),
      added(callMessage("m2", "done", "running", "waiting")),
      started("done"),
    ]);
    saveSession(handle, [answered("done", "ok"), started("running"), decision]);
    handle.close?.();
    const before = readFileSync(handle.file);
    const loaded = await loadSession(handle.file);
    expect(loaded).toMatchObject({
      id: "s1",
      file: handle.file,
      cwd: "/project",
      usage: undefined,
      interrupted: ["running"],
      problems: [],
    });
    expect(loaded?.messages[0]).toEqual(half);
    expect(loaded?.messages[1]?.blocks).toMatchObject([
      { result: "ok" },
      { stage: "pending" },
      { stage: "pending" },
    ]);
    expect(loaded).not.toHaveProperty("decisions");
    expect(readFileSync(handle.file).equals(before)).toBe(true);
  });

  it("gives the decisions, with their time, when they are wanted", async () => {
    using folder = tempFolder();
    const handle = sessionIn(folder.path);
    saveSession(handle, [decision]);
    handle.close?.();
    const loaded = await loadSession(handle.file, { decisions: true });
    expect(loaded?.decisions).toMatchObject([
      { event: "PreToolUse", decidedBy: "mode default", ts: expect.any(String) },
    ]);
  });

  it("gives nothing for a file that does not exist and a clear error for one that cannot be read", async () => {
    using folder = tempFolder();
    expect(await loadSession(join(folder.path, "none.jsonl"))).toBeUndefined();
    const error: unknown = await loadSession(folder.path).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SessionError);
    expect(error).toMatchObject({ kind: "unreadable", message: expect.stringContaining(folder.path) });
  });
});

describe("the latest session", () => {
  it("is the one that was written last, whichever began last", async () => {
    using folder = tempFolder();
    const [older, newer] = [sessionIn(folder.path, "a-older"), sessionIn(folder.path, "b-newer")];
    for (const handle of [older, newer]) {
      saveSession(handle, [added(userMessage("m1"))]);
      handle.close?.();
    }
    utimesSync(newer.file, 1_000, 1_000);
    expect(await getLatestSession(folder.path)).toMatchObject({ id: "a-older" });
    utimesSync(older.file, 1_000, 1_000);
    expect(await getLatestSession(folder.path)).toMatchObject({ id: "b-newer" });
  });

  it("is one in which something was said, if there is one", async () => {
    using folder = tempFolder();
    expect(await getLatestSession(join(folder.path, "none"))).toBeUndefined();
    const [empty, spoken] = [sessionIn(folder.path, "b-empty"), sessionIn(folder.path, "a-spoken")];
    saveSession(empty, []);
    empty.close?.();
    expect(await getLatestSession(folder.path)).toMatchObject({ id: "b-empty" });
    saveSession(spoken, [added(userMessage("m1"))]);
    spoken.close?.();
    utimesSync(spoken.file, 1_000, 1_000);
    expect(await getLatestSession(folder.path)).toMatchObject({ id: "a-spoken" });
  });
});

describe("sessions that are too old", () => {
  function oldSession(sessionsDir: string, id: string): string {
    const handle = sessionIn(sessionsDir, id);
    saveSession(handle, [added(userMessage("m1"))]);
    handle.close?.();
    utimesSync(handle.file, 1_000, 1_000);
    return handle.file;
  }

  it.each([undefined, 0, -1, Number.NaN])("are all kept when the number of days is %s", async (keepDays) => {
    using folder = tempFolder();
    const file = oldSession(folder.path, "old");
    await cleanupExpiredSessions(folder.path, keepDays);
    expect(existsSync(file)).toBe(true);
  });

  it("are deleted with what crashed processes left of their locks; newer ones and other files stay", async () => {
    using folder = tempFolder();
    const file = oldSession(folder.path, "old");
    const dead = JSON.stringify({ pid: 2 ** 22 + 1, started: "1", host: "", pids: "", nonce: "" });
    writeFileSync(`${file}.lock.draft`, dead);
    writeFileSync(join(folder.path, "notes.txt"), "");
    const fresh = sessionIn(folder.path, "fresh");
    saveSession(fresh, []);
    fresh.close?.();
    await cleanupExpiredSessions(folder.path, 30);
    expect(readdirSync(folder.path).toSorted()).toEqual(["fresh.jsonl", "notes.txt"]);
    await cleanupExpiredSessions(join(folder.path, "none"), 30);
  });

  it("stay as long as somebody has them open (G56)", async () => {
    using folder = tempFolder();
    const file = oldSession(folder.path, "old");
    const unlock = lockSession(file);
    await cleanupExpiredSessions(folder.path, 30);
    expect(readdirSync(folder.path)).toEqual(["old.jsonl", "old.jsonl.lock"]);
    unlock();
    await cleanupExpiredSessions(folder.path, 30);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
