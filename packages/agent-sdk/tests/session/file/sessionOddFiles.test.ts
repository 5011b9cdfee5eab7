import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSession } from "@/session/openSession.ts";
import { searchSessions } from "@/session/file/searchSessions.ts";
import { cleanupExpiredSessions, getLatestSession, loadSession, saveSession } from "@/services/session.ts";
import { listSessions, skippedSessions } from "@/session/file/sessionList.ts";
import { findSession, sessionsDirFor } from "@/session/file/sessionPaths.ts";
import { added, sessionIn, userMessage } from "../../support/sessionRecords.ts";
import { tempFolder } from "../../support/tempFolder.ts";

interface Odd {
  what: string;
  make: (file: string) => void | Promise<void>;
  why: string;
}

const IS_ROOT = process.getuid?.() === 0;

const ODD: Odd[] = [
  {
    what: "a link in a circle",
    make: (file) => symlinkSync(file, file),
    why: "it is a link that leads in a circle",
  },
  {
    what: "a link to nowhere",
    make: (file) => symlinkSync("/nowhere/at/all", file),
    why: "it is a link that leads nowhere",
  },
  {
    what: "a named pipe",
    make: (file) => void execFileSync("mkfifo", [file]),
    why: "it is a named pipe, not a regular file",
  },
  { what: "a folder", make: (file) => mkdirSync(file), why: "it is a folder, not a regular file" },
  {
    what: "a device",
    make: (file) => symlinkSync("/dev/zero", file),
    why: "it is a device, not a regular file",
  },
  {
    what: "a socket",
    make: async (file) => {
      const server = createServer();
      onTestFinished(() => void server.close());
      await new Promise<void>((resolve) => void server.listen(file, resolve));
    },
    why: "it is a socket, not a regular file",
  },
];

const UNREADABLE: Odd = {
  what: "a file that may not be read",
  make: (file) => {
    writeFileSync(file, "{}\n");
    chmodSync(file, 0);
  },
  why: "the system does not let it be read (EACCES)",
};

/** A folder with one good session, and one beside it that looks newer. */
async function folderWith({ make }: Pick<Odd, "make">, options: { good: boolean }) {
  const home = tempFolder();
  onTestFinished(() => home[Symbol.dispose]());
  const sessionsDir = sessionsDirFor(home.path, home.path);
  mkdirSync(sessionsDir, { recursive: true });
  if (options.good) {
    const handle = sessionIn(sessionsDir, "0199aaaa-good");
    expect(saveSession(handle, [added(userMessage("m1", "find these words"))])).toEqual({ saved: true });
    handle.close?.();
    utimesSync(handle.file, 1_000, 1_000);
  }
  const odd = join(sessionsDir, "0199bbbb-odd.jsonl");
  await make(odd);
  const resume = (wanted: string) =>
    openSession({ home: home.path, projectDir: home.path, resume: wanted, fork: false, source: "startup" });
  return { sessionsDir, odd, resume };
}

describe.each(IS_ROOT ? ODD : [...ODD, UNREADABLE])("$what among the session files", (kind) => {
  it("costs nobody but itself, and is named (G52)", async () => {
    const { sessionsDir, odd } = await folderWith(kind, { good: true });
    expect((await listSessions(sessionsDir)).map(({ id }) => id)).toEqual(["0199aaaa-good"]);
    expect(skippedSessions(sessionsDir)).toEqual([{ file: odd, why: kind.why }]);
    const hits = await Array.fromAsync(searchSessions(sessionsDir, "these words"));
    expect(hits.map(({ id }) => id)).toEqual(["0199aaaa-good"]);
    const latest = await getLatestSession(sessionsDir);
    expect(latest?.id).toBe("0199aaaa-good");
    expect(latest?.problems).toEqual([`taken for the latest without 0199bbbb-odd.jsonl: ${kind.why}`]);
    await cleanupExpiredSessions(sessionsDir, 100_000);
    expect(await loadSession(findSession(sessionsDir, "0199aaaa"))).toMatchObject({ problems: [] });
  });

  it("is refused when it is the one that is wanted, and told when there is no other", async () => {
    const { odd, resume } = await folderWith(kind, { good: false });
    await expect(resume("0199bbbb-odd")).rejects.toThrow(
      kind.what === "a link to nowhere"
        ? "The file of session 0199bbbb-odd is gone"
        : `The session file ${odd} cannot be read: ${kind.why}.`,
    );
    await expect(resume("latest")).rejects.toThrow(
      `no earlier session of this folder can be read (${odd}: ${kind.why})`,
    );
  });
});

it("an empty file among them is a session in which nothing was said, and nothing is skipped", async () => {
  const { sessionsDir, resume } = await folderWith(
    { make: (file) => writeFileSync(file, "") },
    { good: true },
  );
  expect((await listSessions(sessionsDir)).map(({ messageCount }) => messageCount)).toEqual([0, 1]);
  expect(skippedSessions(sessionsDir)).toEqual([]);
  expect((await resume("latest")).handle.id).toBe("0199aaaa-good");
});

describe("a file where the folder of the sessions should be", () => {
  it("is said, not taken for an empty folder", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "sessions");
    writeFileSync(file, "");
    await expect(listSessions(file)).rejects.toThrow(
      `The folder of the sessions is no folder: ${file}. Move it away.`,
    );
  });
});
