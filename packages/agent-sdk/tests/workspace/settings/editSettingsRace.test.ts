import { fork, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { editSettings } from "@/workspace/settings/editSettings.ts";
import { plainValue } from "@/workspace/settings/node.ts";
import { readSettingsFile } from "@/workspace/settings/readFile.ts";
import { tempFolder } from "../../support/tempFolder.ts";
import { waitFor } from "../../support/waitFor.ts";

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/settings/${name}`, import.meta.url));
const LASTS_MS = process.env["WAVE_SOAK"] ? 10_000 : 3_000;
const ROUNDS = process.env["WAVE_SOAK"] ? 50 : 10;
const WRITERS = 10;
// Generous: on a busy machine a process takes seconds to start.
const LIMIT = { timeout: 300_000 + ROUNDS * 10_000 };

const BEFORE = `{
  // a comment at the top
  "unknown": { "to": "Wave" }, // and one at a line's end
  "permissions": {
    "allow": [
      "Read" /* all of it */
      // the end of the list
    ]
  }
}
`;
const COMMENTS = BEFORE.match(/\/\/.*|\/\*.*\*\//g) ?? [];

/** Settings and everything that is said in them; throws for a file that is not whole. */
function readWhole(file: string): { text: string; values: Set<unknown> } {
  const read = readSettingsFile("local", file);
  if (read.found !== "settings") throw new Error(`not whole: ${JSON.stringify(read)}`);
  return { text: read.text, values: new Set(leavesOf(plainValue(read.root))) };
}

function leavesOf(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}

class Writer {
  readonly done: unknown[] = [];
  readonly ended: Promise<unknown>;
  readonly child: ChildProcess;

  constructor(file: string, name: string) {
    this.child = fork(fixture("editForEver.ts"), [file, name], { execArgv: [] });
    this.child.on("message", (value) => void this.done.push(value));
    this.ended = once(this.child, "exit");
  }
}

describe("processes that edit one settings file at the same time", LIMIT, () => {
  it("lose no name and no item, leave no invalid file at any moment, and keep every comment (T174, T175)", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "settings.json");
    writeFileSync(file, BEFORE);
    const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(file, `w${index}`));
    const looks = { good: 0, bad: new Set<string>() };
    const look = setInterval(() => {
      try {
        readWhole(file);
        looks.good++;
      } catch (error) {
        looks.bad.add(String(error));
      }
    }, 1);
    try {
      await waitFor("everybody has written", () => writers.every(({ done }) => done.length > 2), 200_000);
      await sleep(LASTS_MS);
    } finally {
      clearInterval(look);
      for (const { child } of writers) child.send("stop");
      await Promise.all(writers.map(({ ended }) => ended));
    }
    const { text, values } = readWhole(file);
    const acknowledged = writers.flatMap(({ done }) => done);
    expect(acknowledged.filter((value) => !values.has(value))).toEqual([]);
    expect(values).toContain("Wave");
    for (const comment of COMMENTS) expect(text).toContain(comment);
    expect(looks).toEqual({ good: expect.toSatisfy((times: number) => times > 10), bad: new Set() });
    expect(readdirSync(folder.path)).toEqual(["settings.json"]);
  });

  it("may be killed at any time: what was said to be written is there, and the next one goes on (G57, T174)", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "settings.json");
    writeFileSync(file, BEFORE);
    const acknowledged: unknown[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const writers = [0, 1].map((index) => new Writer(file, `r${round}w${index}`));
      await waitFor("both have written", () => writers.every(({ done }) => done.length > 2), 60_000);
      await sleep(Math.random() * 30);
      for (const { child } of writers) child.kill("SIGKILL");
      await Promise.all(writers.map(({ ended }) => ended));
      acknowledged.push(...writers.flatMap(({ done }) => done));
      const { text, values } = readWhole(file);
      expect(acknowledged.filter((value) => !values.has(value))).toEqual([]);
      for (const comment of COMMENTS) expect(text).toContain(comment);
    }
    const last = { do: "set", path: ["last"], value: true } as const;
    expect(await editSettings(file, last)).toEqual({ edited: "written" });
    // One that was killed before it had written its name is removed when it is old.
    const left = readdirSync(folder.path).filter((name) => statSync(join(folder.path, name)).size > 0);
    expect(left).toEqual(["settings.json"]);
  });
});

describe("a writer that is killed at one of its system calls", { timeout: 300_000 }, () => {
  // strace counts each of them for itself. Of a name that this system does not use there is no first time.
  const calls = ["link", "unlink", "fsync", "fchmod", "rename"];
  const more = process.env["WAVE_SOAK"] ? ["openat", "write", "fchown", "close", "fstat"] : [];

  it("leaves the old file or the new one, at every one of them (G57)", async ({ skip }) => {
    using folder = tempFolder();
    const killed = new Map<string, number>();
    const found = new Set<string>();
    for (const call of [...calls, ...more]) {
      for (let at = 1; at < 100; at++) {
        const file = join(folder.path, `${call}${at}`, "settings.json");
        mkdirSync(dirname(file));
        writeFileSync(file, BEFORE);
        const run = editUnderStrace(file, `inject=${call}:signal=SIGKILL:when=${at}`);
        if (run.error) return skip(`no strace here: ${run.error.message}`);
        const { text, values } = readWhole(file);
        for (const comment of COMMENTS) expect(text).toContain(comment);
        found.add(text === BEFORE ? "old" : values.has("Bash(ls)") ? "new" : text);
        const next = { do: "set", path: ["next"], value: 1 } as const;
        expect(await editSettings(file, next)).toEqual({ edited: "written" });
        if (run.stdout.includes("written")) break;
        killed.set(call, at);
      }
    }
    expect(found).toEqual(new Set(["old", "new"]));
    const atLeast = { link: 1, unlink: 1, fsync: 2, fchmod: 1, rename: 1 };
    const tooFew = Object.entries(atLeast).filter(([call, times]) => (killed.get(call) ?? 0) < times);
    expect({ tooFew, killed: Object.fromEntries(killed) }).toMatchObject({ tooFew: [] });
  });
});

/** Only calls about files of that folder count, and one thread makes them all: the others would be counted on their own. */
function editUnderStrace(file: string, inject: string) {
  const names = ["", ".new", ".lock"].flatMap((end) => ["-P", file + end]);
  const args = ["-f", "-qq", "-o", "/dev/null", "-P", dirname(file), ...names, "-e", inject];
  const program = [process.execPath, fixture("editOnce.ts"), file, "Bash(ls)"];
  return spawnSync("strace", [...args, ...program], {
    encoding: "utf8",
    timeout: 60_000,
    env: { ...process.env, UV_THREADPOOL_SIZE: "1" },
  });
}
