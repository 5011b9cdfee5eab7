import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startScriptedModel, type Scenario } from "wave-agent-sdk/testing";
import { describe, expect, it } from "vitest";
import { makeProject, type Project } from "../support/project.ts";
import { runWave, WAVE } from "../support/runWave.ts";
import { startOnTerminal } from "../terminal/support/terminal.ts";

/** As a careless login would start it: everything is for everybody. */
const WIDE_OPEN = ["sh", "-c", 'umask 000; exec "$@"', "sh"] as const;

/** Whatever somebody else could read or write below a folder. */
function open(folder: string): string {
  return spawnSync("find", [folder, "-mindepth", "1", "!", "-type", "l", "-perm", "/077"], {
    encoding: "utf8",
  }).stdout;
}

const call = (name: string, args: Record<string, unknown>) => ({ calls: [{ name, arguments: args }] });

async function play(project: Project, scenario: Scenario, args: string[], env: Record<string, string>) {
  await using model = await startScriptedModel(scenario);
  return await runWave(args, { project, model, through: WIDE_OPEN, approved: false, env });
}

describe("what Wave leaves on disk", () => {
  it("is for its owner only under every umask: sessions, copies, approvals, what commands need (G59, T191)", async () => {
    using project = makeProject();
    const tmp = join(project.home, "..", "tmp");
    mkdirSync(tmp);
    project.hook("PreToolUse", "exit 0", { name: "guard" });
    project.write("a.txt", "one\n");
    const hash = await runWave(["hooks", "trust", "hash"], { project, approved: false });
    const env = { TMPDIR: tmp };
    const approved = await runWave(["hooks", "trust", "approve", hash.stdout.trim()], {
      project,
      through: WIDE_OPEN,
      approved: false,
      env,
    });
    expect(approved.status).toBe(0);
    const look = `find "$TMPDIR" -mindepth 1 -printf '%m %y\\n' | sort`;
    const run = await play(
      project,
      [
        call("Bash", { command: look }),
        call("Bash", { command: `${look} > background`, run_in_background: true }),
        call("Read", { file_path: "a.txt" }),
        call("Edit", { file_path: "a.txt", old_string: "one", new_string: "two" }),
        call("Bash", { command: "until [ -s background ]; do sleep 0.02; done" }),
        { say: "done" },
      ],
      ["-p", "--permission-mode", "bypassPermissions", "go"],
      env,
    );
    expect(run).toMatchObject({ status: 0, stdout: "done\n" });
    const results = project
      .sessionLines()
      .flatMap((line) => JSON.stringify(line).match(/"result":"(?:600|700)[^"]*"/g) ?? []);
    expect(results[0]).toBe('"result":"600 f\\n600 f\\n700 d\\n700 d"');
    expect(new Set(readFileSync(join(project.folder, "background"), "utf8").trim().split("\n"))).toEqual(
      new Set(["600 f", "700 d"]),
    );
    const names = readdirSync(project.home, { recursive: true, encoding: "utf8" });
    for (const kind of [/\.jsonl$/, /\.files\//, /^trust\.json$/, /^reviewed\//])
      expect(names.filter((name) => kind.test(name))).not.toEqual([]);
    expect(open(project.home)).toBe("");
    expect(readdirSync(tmp)).toEqual([]);
  });

  it("is for its owner only on the screen, too: the history and what was typed and not sent (G59, T191)", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([{ say: "fine" }]);
    const [shell, ...rest] = WIDE_OPEN;
    await using wave = startOnTerminal(shell, {
      args: [...rest, process.execPath, WAVE],
      cwd: project.folder,
      env: {
        WAVE_HOME: project.home,
        WAVE_API_KEY: "key",
        WAVE_BASE_URL: model.baseUrl,
        WAVE_MODEL: "scripted",
      },
    });
    await wave.waitForText("Ask, or / for commands");
    wave.type("a prompt");
    await wave.waitForText("a prompt");
    await wave.press("enter");
    await wave.waitForText("fine");
    wave.type("not sent yet");
    const files = () => readdirSync(project.home, { recursive: true, encoding: "utf8" });
    // The limit of the test is the limit of this.
    while (!files().some((name) => /^drafts\/.*json$/.test(name))) await sleep(20);
    expect(files().filter((name) => name.includes("history"))).not.toEqual([]);
    expect(open(project.home)).toBe("");
  });

  const strace = spawnSync("strace", ["-V"]).status === 0;
  if (!strace) process.stderr.write("SKIPPED: how files are opened, because strace is missing\n");

  it.skipIf(!strace)("is never written through a link that somebody planted (G59)", async () => {
    using project = makeProject();
    const tmp = join(project.home, "..", "tmp");
    mkdirSync(tmp);
    const trace = join(project.home, "..", "trace");
    await using model = await startScriptedModel([
      call("Bash", { command: "echo hi" }),
      call("Write", { file_path: "b.txt", content: "x" }),
      { say: "done" },
    ]);
    const { status } = await runWave(["-p", "--permission-mode", "bypassPermissions", "go"], {
      project,
      model,
      through: ["strace", "-f", "-qq", "-e", "trace=openat,open,creat", "-s", "400", "-o", trace],
      env: { TMPDIR: tmp },
    });
    expect(status).toBe(0);
    const made = readFileSync(trace, "utf8")
      .split("\n")
      .filter(
        (line) =>
          line.includes("O_CREAT") && (line.includes(`"${project.home}/`) || line.includes(`"${tmp}/`)),
      );
    expect(made.length).toBeGreaterThan(3);
    // The record of the folder a command ended in is written by the shell, into a file that Wave made.
    const byShell = (line: string) => /wave-bash-\w+\/folder", O_WRONLY\|O_CREAT\|O_TRUNC, 0666/.test(line);
    for (const line of made.filter((one) => !byShell(one))) {
      expect(line).toMatch(/O_EXCL|O_NOFOLLOW/);
      expect(line).toMatch(/, 0600(\)| <unfinished)/);
    }
  });
});

describe("--debug", () => {
  it("shows every event and no key (G68, T190)", async () => {
    using project = makeProject();
    const key = `model-key-${"0a1B2c3D".repeat(4)}`;
    const token = `ghp_${"0a1B2c3D".repeat(5)}`;
    project.hook("PreToolUse", `echo "${token} ${key}" >&2; exit 1`, { name: "leaks" });
    await using model = await startScriptedModel([
      call("Bash", { command: `echo ${token} ${key}` }),
      { say: `it is ${token}, and ${key}` },
    ]);
    const run = await runWave(
      ["-p", "--debug", "--permission-mode", "bypassPermissions", `use ${token} and ${key}`],
      {
        project,
        model,
        env: { WAVE_API_KEY: key },
      },
    );
    expect(run.stdout).toBe(`it is ${token}, and ${key}\n`);
    const lines = run.stderr.split("\n").filter((line) => line.startsWith("debug: "));
    const types = new Set(lines.map((line) => (JSON.parse(line.slice(7)) as { type: string }).type));
    expect([...types]).toEqual(
      expect.arrayContaining([
        "turn_started",
        "text_delta",
        "tool_output",
        "hooks_decided",
        "messages_changed",
      ]),
    );
    expect(lines.join("\n")).toContain("[masked]");
    for (const secret of [key, token]) expect(lines.join("\n")).not.toContain(secret.slice(-16));
  });
});

describe("a sandbox that is required and cannot be had", () => {
  it("ends print mode with 78 before any model call, and says what to do (G65)", async () => {
    using project = makeProject();
    project.settings({ sandbox: "required" });
    mkdirSync(join(project.home, "bin"));
    await using model = await startScriptedModel([{ say: "never" }]);
    const run = await runWave(["-p", "x"], { project, model, env: { PATH: join(project.home, "bin") } });
    expect(run).toMatchObject({ status: 78, stdout: "" });
    expect(run.stderr).toMatch(
      /^error: .*settings\.json: the sandbox is required and cannot be had: there is no bwrap.*install bubblewrap/,
    );
    expect(model.requests).toEqual([]);
  });

  it("is said on the screen, too (G65)", async () => {
    using project = makeProject();
    project.settings({ sandbox: "required" });
    mkdirSync(join(project.home, "bin"));
    await using wave = startOnTerminal(process.execPath, {
      args: [WAVE],
      cwd: project.folder,
      env: { WAVE_HOME: project.home, WAVE_API_KEY: "key", WAVE_MODEL: "m", PATH: join(project.home, "bin") },
    });
    expect(await wave.exit).toMatchObject({ code: 78 });
    expect(wave.text()).toContain("the sandbox is required and cannot be had");
  });
});
