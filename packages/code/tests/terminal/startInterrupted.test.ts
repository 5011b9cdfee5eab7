import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { makeProject, type Project } from "../support/project.ts";
import { startWave } from "./support/terminal.ts";

const pipe = (path: string) => execFileSync("mkfifo", [path]);

/** What a project can bring that Wave looks at before the first key. Nobody ever writes to the pipes. */
const PROJECTS: [what: string, prepare: (project: Project) => void][] = [
  [
    "pipes and devices for the files of git",
    ({ folder }) => {
      execFileSync("git", ["init", "-q", "--template=", folder]);
      for (const name of ["config", "HEAD"]) rmSync(join(folder, ".git", name));
      for (const name of ["config", "commondir", "index", "packed-refs"]) pipe(join(folder, ".git", name));
      symlinkSync("/dev/zero", join(folder, ".git/HEAD"));
      mkdirSync(join(folder, ".git/objects/info"), { recursive: true });
      pipe(join(folder, ".git/objects/info/alternates"));
      for (const name of ["AGENTS.md", "CLAUDE.md", "package.json", ".gitignore"]) pipe(join(folder, name));
      symlinkSync("/dev/zero", join(folder, ".gitmodules"));
    },
  ],
  [
    "a hook at the start that hangs, and a pipe as settings that cannot be read",
    ({ folder, home }) => {
      const hang = { hooks: [{ type: "command", command: "exec sleep 300" }] };
      writeFileSync(join(home, "settings.json"), JSON.stringify({ hooks: { SessionStart: [hang] } }));
      mkdirSync(join(folder, ".claude"));
      pipe(join(folder, ".claude/settings.json"));
      pipe(join(home, "trust.json"));
      pipe(join(home, "history.jsonl"));
    },
  ],
];

/** In milliseconds. Several at once, so the moments in which they come are still others on every run. */
const OFFSETS = [0, 60, 120, 200, 300, 450, 700, 1_000];
/** One for what is typed, one to be asked whether that was meant, one for a busy machine on which a second one comes too late. */
const MOST_PRESSES = 6;

/** Presses Ctrl-C as somebody does who wants to leave. `ended`: how Wave did; undefined when it is still there. */
async function interruptAt(offset: number, prepare: (project: Project) => void) {
  using project = makeProject();
  prepare(project);
  const env = {
    WAVE_HOME: project.home,
    WAVE_API_KEY: "key",
    WAVE_BASE_URL: "http://127.0.0.1:9",
    WAVE_MODEL: "m",
  };
  await using wave = startWave({ cwd: project.folder, env, approved: false });
  await sleep(offset);
  for (let presses = 1; presses <= MOST_PRESSES; presses++) {
    await wave.press("ctrl-c");
    const ended = await Promise.race([wave.exit, sleep(presses * 400)]);
    if (ended !== undefined) return { offset, ended };
  }
  return { offset, ended: undefined, screen: wave.screen().filter((row) => row !== "") };
}

describe("Ctrl-C at any moment of the start", () => {
  it.each(PROJECTS)("leaves Wave in a project with %s (G45)", async (_what, prepare) => {
    const ends = await Promise.all(OFFSETS.map((offset) => interruptAt(offset, prepare)));
    expect(ends.filter(({ ended }) => ended === undefined)).toEqual([]);
  });
});
