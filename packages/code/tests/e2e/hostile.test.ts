import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { EVENTS, hasStrace, hostileProject, readTrace, TRACE } from "../support/hostile.ts";
import type { Project } from "../support/project.ts";
import { runWave, WAVE } from "../support/runWave.ts";
import { startOnTerminal } from "../terminal/support/terminal.ts";

describe.skipIf(!hasStrace)("a hostile repository", () => {
  const environment = (project: Project, baseUrl: string) => ({
    // A PATH that leads into the repository, in the three ways in which one can.
    PATH: `:.:${project.folder}:${process.env["PATH"] ?? ""}`,
    HOME: project.home,
    WAVE_HOME: project.home,
    WAVE_API_KEY: "key",
    WAVE_BASE_URL: baseUrl,
    WAVE_MODEL: "scripted",
  });

  it("runs nothing and reaches nobody but the user's model in print mode (T37, T44, G16, G18, G23)", async () => {
    // Without a guard on prompts, which would keep the prompt itself from the model.
    using project = hostileProject(EVENTS.filter((event) => event !== "UserPromptSubmit"));
    const trace = join(project.folder, "..", "trace");
    await using model = await startScriptedModel([
      { call: { name: "Bash", arguments: { command: "echo hi" } } },
      { say: "done" },
    ]);
    const run = await runWave(["-p", "hello"], {
      project,
      approved: false,
      env: environment(project, model.baseUrl),
      through: ["strace", ...TRACE, "-o", trace],
    });
    expect(run.status).toBe(78);
    const { started, connected } = readTrace(trace, project);
    expect(started).toEqual([]);
    const port = new URL(model.baseUrl).port;
    expect(connected.length).toBeGreaterThan(0);
    expect(connected.filter((line) => !line.includes(`htons(${port})`))).toEqual([]);
    expect(existsSync(project.marker)).toBe(false);
    const wire = model.requests.map(({ text }) => text).join("\n");
    expect(wire).not.toContain("CANARY-");
    expect(wire).not.toContain('"model":"evil"');
  });

  it("runs nothing and reaches nobody at all in the terminal before the yes (T37, T38, G16)", async () => {
    using project = hostileProject();
    const trace = join(project.folder, "..", "trace");
    await using model = await startScriptedModel([]);
    await using wave = startOnTerminal("strace", {
      cwd: project.folder,
      cols: 100,
      rows: 40,
      args: [...TRACE, "-o", trace, process.execPath, WAVE],
      env: environment(project, model.baseUrl),
    });
    await wave.waitForText("Do you trust this folder?");
    await wave.answerKey("esc");
    await wave.exit;
    expect(readTrace(trace, project)).toEqual({ started: [], connected: [] });
    expect(existsSync(project.marker)).toBe(false);
  });

  it("is not trusted for being a worktree or a nested repository of a trusted one (G21)", async () => {
    using project = hostileProject();
    const inner = join(project.folder, "inner");
    mkdirSync(join(inner, ".wave"), { recursive: true });
    writeFileSync(join(inner, ".git"), `gitdir: ${join(project.folder, ".git")}\n`);
    writeFileSync(
      join(inner, ".wave", "settings.json"),
      readFileSync(join(project.folder, ".wave/settings.json")),
    );
    await using model = await startScriptedModel([{ say: "done" }]);
    const run = await runWave(["-p", "hello"], {
      project: { ...project, folder: inner },
      approved: false,
      env: environment(project, model.baseUrl),
    });
    expect(run.status).toBe(78);
    expect(existsSync(project.marker)).toBe(false);
  });
});
