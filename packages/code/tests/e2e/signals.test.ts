import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { makeProject } from "../support/project.ts";
import { runWave, startWave } from "../support/runWave.ts";

const recordEnd = `sed 's/.*"reason":"\\([a-z_]*\\)".*/\\1/' >> ends`;

describe("a signal during the answer of the model", () => {
  it.each([
    ["SIGINT", 130, "interrupted"],
    ["SIGTERM", 143, "terminated"],
  ] as const)(
    "%s ends the turn with %i; the session is kept and SessionEnd runs once (T154, G45)",
    async (signal, status, reason) => {
      using project = makeProject();
      project.hook("SessionEnd", recordEnd);
      await using model = await startScriptedModel([{ say: "so far", hang: true }, { say: "resumed" }]);
      const wave = startWave(["-p", "--output-format", "stream-json", "keep me"], { project, model });
      wave.child.stdin.end();
      await wave.until(() => wave.stdout.includes("text_delta"));
      wave.child.kill(signal);
      const run = await wave.done;
      expect(run).toMatchObject({ status, signal: null });
      expect(readFileSync(join(project.folder, "ends"), "utf8")).toBe(`${reason}\n`);
      const resumed = await runWave(["-p", "-c", "go on"], { project, model });
      expect(resumed).toMatchObject({ status: 0, stdout: "resumed\n" });
      const sent = model.requests[1]?.body.messages.map(({ content }) => content);
      expect(sent).toEqual(expect.arrayContaining(["keep me", "so far", "go on"]));
    },
  );
});

describe("SIGUSR1", () => {
  it("opens no inspector, neither before nor while a command runs (G67)", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([
      { call: { name: "Bash", arguments: { command: "kill -USR1 $PPID; sleep 0.2; echo sent" } } },
      { say: "done" },
      { say: "so far", hang: true },
    ]);
    const options = { project, model };
    const run = await runWave(["-p", "--permission-mode", "bypassPermissions", "x"], options);
    expect(run).toEqual({ status: 0, signal: null, stdout: "done\n", stderr: "" });
    const waiting = startWave(["-p", "--output-format", "stream-json", "x"], options);
    waiting.child.stdin.end();
    await waiting.until(() => waiting.stdout.includes("text_delta"));
    waiting.child.kill("SIGUSR1");
    waiting.child.kill("SIGINT");
    expect((await waiting.done).stderr).not.toContain("Debugger");
  });
});

describe("Ctrl-C", () => {
  it("ends a running command with everything it started", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([
      { call: { name: "Bash", arguments: { command: "echo $$ > pid; sleep 300" } } },
    ]);
    const wave = startWave(["-p", "--permission-mode", "bypassPermissions", "x"], { project, model });
    wave.child.stdin.end();
    const pidFile = join(project.folder, "pid");
    await wave.until(() => existsSync(pidFile) && readFileSync(pidFile, "utf8").endsWith("\n"));
    wave.child.kill("SIGINT");
    expect(await wave.done).toMatchObject({ status: 130 });
    const pid = Number(readFileSync(pidFile, "utf8"));
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("ends a hook of the prompt that hangs (T64)", async () => {
    using project = makeProject();
    project.hook("UserPromptSubmit", "touch started; sleep 300");
    await using model = await startScriptedModel([]);
    const wave = startWave(["-p", "x"], { project, model });
    wave.child.stdin.end();
    await wave.until(() => existsSync(join(project.folder, "started")));
    wave.child.kill("SIGINT");
    expect(await wave.done).toMatchObject({ status: 130 });
    expect(model.requests).toHaveLength(0);
  });

  it("ends a SessionStart hook that hangs (T64)", async () => {
    using project = makeProject();
    project.hook("SessionStart", "touch started; sleep 50");
    await using model = await startScriptedModel([{ say: "never" }]);
    const wave = startWave(["-p", "x"], { project, model });
    wave.child.stdin.end();
    await wave.until(() => existsSync(join(project.folder, "started")));
    const before = Date.now();
    wave.child.kill("SIGINT");
    expect(await wave.done).toMatchObject({ status: 130 });
    expect(Date.now() - before).toBeLessThan(30_000);
  });

  it("a second time skips the SessionEnd hooks (T155)", async () => {
    using project = makeProject();
    project.hook("SessionEnd", "touch ending; sleep 4 && touch ended");
    await using model = await startScriptedModel([{ say: "so far", hang: true }]);
    const wave = startWave(["-p", "--output-format", "stream-json", "x"], { project, model });
    wave.child.stdin.end();
    await wave.until(() => wave.stdout.includes("text_delta"));
    wave.child.kill("SIGINT");
    await wave.until(() => existsSync(join(project.folder, "ending")));
    wave.child.kill("SIGINT");
    expect(await wave.done).toMatchObject({ status: 130 });
    expect(existsSync(join(project.folder, "ended"))).toBe(false);
    expect(project.sessionLines().at(-1)).toMatchObject({ type: "ended", reason: "interrupted" });
  });
});
