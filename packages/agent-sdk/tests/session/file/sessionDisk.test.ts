import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadSession, saveSession } from "@/services/session.ts";
import { onOwnDisk } from "../../support/ownDisk.ts";
import { added, sessionIn, userMessage } from "../../support/sessionRecords.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const program = (name: string) => fileURLToPath(new URL(`../../fixtures/sessions/${name}`, import.meta.url));
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("a disk that does not take it", () => {
  it("full: is told, nothing half is left, and saving goes on when there is room (G54)", ({ skip }) => {
    using folder = tempFolder();
    const run = onOwnDisk(folder.path, "size=192k", program("fullDisk.ts"), [folder.path]);
    if ("impossible" in run) return skip(run.impossible);
    const seen = JSON.parse(run.output);
    expect(seen).toMatchObject({
      problem: expect.stringMatching(/^This session is not being saved: the disk of .* is full/),
      endsWithNewline: true,
      again: false,
      newSession: false,
      untouched: true,
      withRoom: true,
      loadProblems: [],
      leftovers: [],
    });
    expect(seen.savedBefore).toBeGreaterThan(5);
    expect(seen.loadedMessages).toBe(seen.savedBefore + 1);
  });

  it("read-only: is told each time, in one sentence", ({ skip }) => {
    using folder = tempFolder();
    const run = onOwnDisk(folder.path, "ro", program("saveTwice.ts"), [
      join(folder.path, "sessions", "s1.jsonl"),
    ]);
    if ("impossible" in run) return skip(run.impossible);
    const problem = expect.stringMatching(
      /^This session is not being saved: .* is on a read-only disk; set WAVE_HOME/,
    );
    expect(JSON.parse(run.output)).toMatchObject([
      { saved: false, problem },
      { saved: false, problem },
    ]);
  });

  it("failing when asked to keep it: never counts as saved, and leaves no second copy (G55)", async ({
    skip,
  }) => {
    using folder = tempFolder();
    const handle = sessionIn(folder.path);
    const inject = [
      "-f",
      "-qq",
      "-o",
      "/dev/null",
      "-e",
      "trace=fdatasync",
      "-e",
      "inject=fdatasync:error=EIO:when=1",
    ];
    const args = [...inject, process.execPath, program("saveTwice.ts"), handle.file];
    const run = spawnSync("strace", args, { encoding: "utf8", timeout: 60_000 });
    if (run.error || run.status !== 0) return skip(`no strace here: ${run.error?.message ?? run.stderr}`);
    expect(JSON.parse(run.stdout)).toMatchObject([
      { saved: false, problem: expect.stringContaining("reports an error (EIO)") },
      { saved: true },
    ]);
    expect(await loadSession(handle.file)).toMatchObject({ messages: [{ id: "m2" }], problems: [] });
  });

  it("that lost what it had taken: goes on in a new file with all of it, and tells (G55)", async ({
    skip,
  }) => {
    using folder = tempFolder();
    const handle = sessionIn(folder.path);
    const inject = ["-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO:when=2"];
    const args = ["-f", "-qq", "-o", "/dev/null", ...inject, process.execPath, program("syncFails.ts")];
    const run = spawnSync("strace", [...args, handle.file], { encoding: "utf8", timeout: 60_000 });
    if (run.error || run.status !== 0) return skip(`no strace here: ${run.error?.message ?? run.stderr}`);
    const { outcomes, files } = JSON.parse(run.stdout);
    expect(outcomes).toMatchObject([
      { saved: true },
      { saved: true },
      { saved: false, problem: expect.stringContaining("written to a new file") },
      { saved: true },
      { saved: true },
    ]);
    // The old file is never written again, and the new one has also what no sync ever spoke of.
    expect(new Set(files.slice(0, 3)).size).toBe(1);
    expect(new Set(files.slice(2)).size).toBe(2);
    expect(await loadSession(handle.file)).toMatchObject({
      messages: [{ id: "synced" }, { id: "unsynced" }, { id: "again" }, { id: "after" }],
      problems: [],
    });
    expect(modeOf(handle.file)).toBe("600");
    expect(readdirSync(folder.path)).toEqual(["s1.jsonl"]);
  });

  it("without hard links: is locked all the same (G56)", ({ skip }) => {
    using folder = tempFolder();
    const inject = [
      "-f",
      "-qq",
      "-o",
      "/dev/null",
      "-e",
      "trace=link,linkat",
      "-e",
      "inject=link,linkat:error=EPERM",
    ];
    const file = join(folder.path, "s1.jsonl");
    const args = [...inject, process.execPath, program("saveTwice.ts"), file];
    const run = spawnSync("strace", args, { encoding: "utf8", timeout: 60_000 });
    if (run.error || run.status !== 0) return skip(`no strace here: ${run.error?.message ?? run.stderr}`);
    expect(JSON.parse(run.stdout)).toEqual([{ saved: true }, { saved: true }]);
    expect(readdirSync(folder.path)).toEqual(["s1.jsonl"]);
  });

  it("forbidden: is told, with the folder", ({ skip }) => {
    if (process.getuid?.() === 0) return skip("root may write everywhere");
    using folder = tempFolder();
    chmodSync(folder.path, 0o500);
    expect(saveSession(sessionIn(folder.path), [])).toMatchObject({
      saved: false,
      problem: expect.stringContaining(`there is no permission to write in ${folder.path}`),
    });
  });

  it("with a file where the folder should be: is told, with the way out", () => {
    using folder = tempFolder();
    writeFileSync(join(folder.path, "home"), "");
    expect(saveSession(sessionIn(join(folder.path, "home", "sessions")), [])).toMatchObject({
      saved: false,
      problem: expect.stringContaining("a file is in its way"),
    });
  });
});

describe("what a session leaves on disk", () => {
  it("is readable by its owner only, under every umask (G59, T191)", () => {
    using folder = tempFolder();
    const file = join(folder.path, "home", "sessions", "s1.jsonl");
    const args = ["-c", 'umask 000; exec "$@"', "sh", process.execPath, program("saveTwice.ts"), file];
    expect(spawnSync("sh", args, { encoding: "utf8" }).stdout).toContain('"saved":true');
    expect(modeOf(file)).toBe("600");
    expect(modeOf(join(folder.path, "home", "sessions"))).toBe("700");
    expect(modeOf(join(folder.path, "home"))).toBe("700");
  });

  it("is readable by its owner only while it is written, also when it was wider before (G59, T191)", () => {
    using folder = tempFolder();
    const handle = sessionIn(folder.path);
    writeFileSync(handle.file, "", { mode: 0o644 });
    saveSession(handle, []);
    expect(readdirSync(folder.path).map((name) => modeOf(join(folder.path, name)))).toEqual(["600", "600"]);
    handle.close?.();
  });

  it("is never written through a planted link (G59)", () => {
    using folder = tempFolder();
    const handle = sessionIn(folder.path);
    const victim = join(folder.path, "victim");
    writeFileSync(victim, "precious");
    symlinkSync(victim, handle.file);
    expect(saveSession(handle, [added(userMessage("m1"))])).toMatchObject({
      saved: false,
      problem: expect.stringContaining("is a symbolic link, which Wave does not follow"),
    });
    const other = sessionIn(folder.path, "s2");
    symlinkSync(victim, `${other.file}.lock`);
    expect(saveSession(other, [])).toEqual({ saved: true });
    other.close?.();
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(readdirSync(folder.path).toSorted()).toEqual(["s1.jsonl", "s2.jsonl", "victim"]);
  });

  it("is not a folder or a pipe that has the name of the file (G59)", () => {
    using folder = tempFolder();
    const [dir, pipe] = [sessionIn(folder.path, "dir"), sessionIn(folder.path, "pipe")];
    mkdirSync(dir.file);
    spawnSync("mkfifo", [pipe.file]);
    for (const handle of [dir, pipe]) {
      expect(saveSession(handle, [])).toMatchObject({
        saved: false,
        problem: expect.stringContaining("is not a plain file"),
      });
    }
    expect(readdirSync(folder.path).toSorted()).toEqual(["dir.jsonl", "pipe.jsonl"]);
  });

  it("is not handed to the programs that Wave starts (G59)", () => {
    using folder = tempFolder();
    const handle = sessionIn(folder.path);
    saveSession(handle, []);
    expect(spawnSync("ls", ["-l", "/proc/self/fd"], { encoding: "utf8" }).stdout).not.toContain("s1.jsonl");
    handle.close?.();
  });
});
