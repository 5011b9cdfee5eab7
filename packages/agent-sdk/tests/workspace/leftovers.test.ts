import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { removeDeadLocks } from "@/workspace/files/deadLocks.ts";
import { removeLeftovers } from "@/workspace/leftovers.ts";
import { thisProcess } from "@/workspace/files/lockHolder.ts";
import { processName } from "@/process/processName.ts";
import { registersOf, RunRegister, type RunNote } from "@/process/runRegister.ts";
import { isAlive } from "../support/processes.ts";
import { tempFolder, type TempFolder } from "../support/tempFolder.ts";
import { waitFor } from "../support/waitFor.ts";

const PROGRAM = fileURLToPath(new URL("../fixtures/leavesThings.ts", import.meta.url));

function placesIn({ path }: TempFolder) {
  const places = { home: join(path, "home"), project: join(path, "project"), tmp: join(path, "tmp") };
  for (const place of Object.values(places)) mkdirSync(place);
  return places;
}

type Places = ReturnType<typeof placesIn>;

/** Everything that is there, and that nobody would want to keep. */
const left = ({ home, project, tmp }: Places) =>
  [home, project, tmp].flatMap((place) =>
    readdirSync(place, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.tmp|\.lock|\.new|^empty|^running\/./.test(name),
    ),
  );

async function makeThings({ home, project, tmp }: Places) {
  const child = spawn(process.execPath, ["--conditions=@wave/source", PROGRAM, home, project], {
    env: { ...process.env, TMPDIR: tmp },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed] = await once(child.stdout, "data");
  return { child, sleeper: Number(String(printed)) };
}

async function tidy({ home, project }: Places): Promise<number> {
  const ended = removeLeftovers(home);
  await removeDeadLocks([join(home, "sessions", "project"), home, join(project, ".wave")]);
  return ended;
}

/** Notes as a Wave would have left them that is gone. */
function deadNotes(home: string, ...notes: RunNote[]): void {
  const dead = { ...thisProcess(), pid: spawnSync("true").pid, started: "1" };
  const folder = join(registersOf(home), `${processName(dead)}.00000000`);
  mkdirSync(folder, { recursive: true });
  for (const [index, note] of notes.entries())
    writeFileSync(join(folder, `path-${index}`), JSON.stringify(note));
}

describe("what a Wave has on disk for a while", () => {
  it("stays while it lives, and is gone with its processes after it was killed (G48)", async () => {
    using folder = tempFolder();
    const places = placesIn(folder);
    const { child, sleeper } = await makeThings(places);
    try {
      const there = left(places);
      expect(there.length).toBeGreaterThan(7);
      expect(await tidy(places)).toBe(0);
      expect(left(places)).toEqual(there);
      expect(isAlive(sleeper)).toBe(true);

      child.kill("SIGKILL");
      await once(child, "exit");
      expect(await tidy(places)).toBe(1);
      expect(left(places)).toEqual([]);
      await waitFor("the end of the process", () => !isAlive(sleeper));
      expect(existsSync(join(places.project, "used", "by a person"))).toBe(true);
    } finally {
      child.kill("SIGKILL");
      if (isAlive(sleeper)) process.kill(sleeper, "SIGKILL");
    }
  });

  it("is removed only under the names that Wave gives, whatever a note says", async () => {
    using folder = tempFolder();
    const { home, project } = placesIn(folder);
    const mine = join(project, "mine");
    mkdirSync(mine);
    deadNotes(home, { is: "path", path: mine, what: "folder" }, { is: "path", path: home, what: "folder" });
    removeLeftovers(home);
    expect([existsSync(mine), readdirSync(registersOf(home))]).toEqual([true, []]);
  });

  it("is not removed under the feet of another Wave that stands on it", () => {
    using folder = tempFolder();
    const { home, project } = placesIn(folder);
    const held = join(project, "held");
    mkdirSync(held);
    deadNotes(home, { is: "path", path: held, what: "empty-folder" });
    using other = new RunRegister(home);
    other.making(join(project, "x"), "file");
    removeLeftovers(home);
    expect(existsSync(held)).toBe(true);
    other.close();
    removeLeftovers(home);
    expect(existsSync(held)).toBe(false);
  });
});
