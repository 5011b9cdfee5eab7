import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { makeProject, type Project } from "../support/project.ts";
import { startWave, type WaveRun } from "../support/runWave.ts";

/** What may lie where Wave, or git for it, expects a file. Nobody ever writes to the pipe. */
const KINDS: [what: string, make: (path: string) => void][] = [
  ["a named pipe", (path) => execFileSync("mkfifo", [path])],
  ["a link to a device without end", (path) => symlinkSync("/dev/zero", path)],
  ["a folder", (path) => mkdirSync(path)],
  ["a file that cannot be read", (path) => (writeFileSync(path, "x"), chmodSync(path, 0o000))],
  ["a link to itself", (path) => symlinkSync(path, path)],
  ["a file of a gigabyte", (path) => (writeFileSync(path, ""), truncateSync(path, 2 ** 30))],
];

/** Files that are looked at before the first prompt; those of the home begin with `~`. */
const GIT = [
  "config",
  "index",
  "commondir",
  "HEAD",
  "config.worktree",
  "packed-refs",
  "objects/info/alternates",
];
const OF_PROJECT = [
  ...GIT.map((name) => `.git/${name}`),
  ".gitmodules",
  ".gitignore",
  "AGENTS.md",
  "CLAUDE.md",
  "package.json",
  ".npmrc",
  ".mcp.json",
  ".claude/settings.json",
  ".wave/settings.json.lock",
  ".wave/settings.json.lock.1-0123456789ab",
  "guard.sh",
];
const OF_HOME = ["~trust.json", "~history.jsonl", "~drafts", "~cache"];
const SETTINGS = [".wave/settings.json", ".wave/settings.local.json", "~settings.json"];
const PLACES = [[".git", "~sessions"], [".wave"]];

function put(files: readonly string[], make: (path: string) => void, { folder, home }: Project): void {
  for (const file of files) {
    const path = file.startsWith("~") ? join(home, file.slice(1)) : join(folder, file);
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    make(path);
  }
}

/** Far more than a start takes on a busy machine, and far less than somebody would wait. */
const PATIENCE_MS = 30_000;

async function start(prepare: (project: Project) => void): Promise<WaveRun> {
  using project = makeProject();
  execFileSync("git", ["init", "-q", "--template=", project.folder]);
  const hooks = { UserPromptSubmit: [{ hooks: [{ type: "command", command: "./guard.sh" }] }] };
  writeFileSync(join(project.home, "settings.json"), JSON.stringify({ hooks }));
  prepare(project);
  await using model = await startScriptedModel([{ say: "done" }]);
  const wave = startWave(["-p", "x"], { project, model, approved: false });
  wave.child.stdin.end();
  const clock = setTimeout(() => wave.child.kill("SIGKILL"), PATIENCE_MS);
  try {
    return await wave.done;
  } finally {
    clearTimeout(clock);
  }
}

describe("a start where files are something else", () => {
  it.each(KINDS)("goes on where each of a project's and of the person's is %s (G43)", async (_what, make) => {
    const run = await start((project) => put([...OF_PROJECT, ...OF_HOME], make, project));
    expect(run).toMatchObject({ status: 0, signal: null, stdout: "done\n" });
  });

  const settings = KINDS.map(([what, make], at) => ({
    what,
    make,
    file: SETTINGS[at % SETTINGS.length] ?? "",
  }));
  it.each(settings)("ends with a sentence about $file that is $what (T52)", async ({ make, file }) => {
    const { status, signal, stderr } = await start((project) => put([file], make, project));
    expect({ status, signal }).toEqual({ status: 78, signal: null });
    expect(stderr).toMatch(/settings(\.local)?\.json(:1:1)?: .+\n$/);
  });

  const places = KINDS.flatMap(([what, make]) => PLACES.map((files) => ({ what, make, files })));
  it.each(places)("goes on, or says what is wrong, where $files itself is $what", async ({ make, files }) => {
    const { status, signal } = await start((project) => put(files, make, project));
    expect({ signal, known: [0, 78].includes(status ?? -1) }).toEqual({ signal: null, known: true });
  });
});
