import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel, type Scenario } from "wave-agent-sdk/testing";
import { describe, expect, it } from "vitest";
import { makeProject } from "../support/project.ts";
import { startWave, type TerminalRun } from "./support/terminal.ts";

interface Setup {
  hooks?: object;
  scenario: Scenario;
  cols?: number;
  rows?: number;
  args?: readonly string[];
  env?: Record<string, string>;
}

/** The real program on a terminal of its own, in a project with these hooks, with a model at its wire. */
async function onScreen(
  folder: string,
  setup: Setup,
  use: (wave: TerminalRun) => Promise<void>,
): Promise<void> {
  mkdirSync(join(folder, ".wave"), { recursive: true });
  writeFileSync(join(folder, ".wave", "settings.json"), JSON.stringify({ hooks: setup.hooks ?? {} }));
  await using model = await startScriptedModel(setup.scenario);
  await using wave = startWave({
    cwd: folder,
    cols: setup.cols ?? 80,
    rows: setup.rows ?? 30,
    args: setup.args ?? [],
    env: {
      WAVE_HOME: join(folder, "home"),
      WAVE_API_KEY: "key",
      WAVE_BASE_URL: model.baseUrl,
      WAVE_MODEL: "scripted",
      ...setup.env,
    },
  });
  await wave.waitForText("Ask, or / for commands");
  await use(wave);
}

async function say(wave: TerminalRun, text: string): Promise<void> {
  wave.type(text);
  await wave.waitForText(text);
  await wave.press("enter");
}

const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });
const hook = (command: string, name = "guard") => [{ hooks: [{ type: "command", name, command }] }];

describe("the screen", () => {
  it("shows a prompt and its answer, and finished things stay in the terminal's scrollback", async () => {
    using project = makeProject();
    await onScreen(project.folder, { scenario: [{ say: "The **answer** is 42." }] }, async (wave) => {
      await say(wave, "what is it?");
      await wave.waitForText("The answer is 42.");
      expect(
        wave
          .text()
          .split("\n")
          .filter((line) => line.includes("The answer is 42.")),
      ).toHaveLength(1);
    });
  });

  it("shows what a hook blocked, by name, and the reason (T124)", async () => {
    using project = makeProject();
    const hooks = { PreToolUse: hook("echo 'not in this house' >&2; exit 2") };
    await onScreen(
      project.folder,
      { hooks, scenario: [bash("touch made"), { say: "I see." }] },
      async (wave) => {
        await say(wave, "do it");
        await wave.waitForText("blocked by hook guard");
        await wave.waitForText("not in this house");
        await wave.waitForText("I see.");
        expect(existsSync(join(project.folder, "made"))).toBe(false);
      },
    );
  });

  it("gives a blocked prompt back unchanged, with the reason, and keeps it off the disk (T162, FR-010)", async () => {
    using project = makeProject();
    const hooks = { UserPromptSubmit: hook("echo 'no secrets please' >&2; exit 2") };
    await onScreen(project.folder, { hooks, scenario: [] }, async (wave) => {
      await say(wave, "my SECRET prompt");
      await wave.waitForText("no secrets please");
      await wave.waitForText("> my SECRET prompt");
      const sessions = join(project.folder, "home", "sessions");
      const files = readdirSync(sessions, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".jsonl"),
      );
      for (const name of files) expect(readFileSync(join(sessions, name), "utf8")).not.toContain("SECRET");
    });
  });

  it("fits 40 columns", async () => {
    using project = makeProject();
    await onScreen(
      project.folder,
      { cols: 40, scenario: [{ say: "| a | b |\n|---|---|\n| one | two |" }] },
      async (wave) => {
        await say(wave, "narrow");
        await wave.waitForText("one");
        for (const line of wave.screen()) expect(line.length).toBeLessThanOrEqual(40);
      },
    );
  });
});

describe("a question on the screen", () => {
  it("shows exactly what will run; y runs it (PD-2, T73)", async () => {
    using project = makeProject();
    await onScreen(
      project.folder,
      { scenario: [bash("echo yes > answered"), { say: "done" }] },
      async (wave) => {
        await say(wave, "go");
        await wave.waitForText("echo yes > answered");
        await wave.waitForText("allow once");
        await wave.answer("y");
        await wave.waitForText("done");
        expect(readFileSync(join(project.folder, "answered"), "utf8")).toBe("yes\n");
      },
    );
  });

  it("answered with n does not run, and the prompt comes back (PD-2)", async () => {
    using project = makeProject();
    await onScreen(project.folder, { scenario: [bash("touch answered"), { say: "never" }] }, async (wave) => {
      await say(wave, "go now");
      await wave.waitForText("allow once");
      await wave.answer("n");
      await wave.waitForText("> go now");
      expect(existsSync(join(project.folder, "answered"))).toBe(false);
    });
  });
});

describe("/hooks", () => {
  it("lists the hooks; a hook that blocks everything can be switched off there (T8, T55)", async () => {
    using project = makeProject();
    const hooks = { PreToolUse: hook("echo no >&2; exit 2", "stubborn") };
    const scenario: Scenario = [bash("true"), { say: "blocked" }, bash("touch passed"), { say: "passed" }];
    const args = ["--permission-mode", "bypassPermissions"];
    await onScreen(project.folder, { hooks, scenario, args }, async (wave) => {
      await say(wave, "first");
      await wave.waitForText("blocked by hook stubborn");
      await wave.waitForText("Ask, or / for commands");
      await say(wave, "/hooks");
      await wave.waitForText("Space on/off");
      await wave.answer(" ");
      await wave.waitForText("1 off");
      await wave.press("esc");
      await wave.waitForText("Ask, or / for commands");
      await say(wave, "second");
      await wave.waitForText("✓ Bash touch passed");
      expect(existsSync(join(project.folder, "passed"))).toBe(true);
    });
  });
});

describe("leaving", () => {
  const ended = { SessionEnd: hook(`cat > ended.json`) };

  it("by Ctrl-C twice restores the terminal and runs SessionEnd once (T154)", async () => {
    using project = makeProject();
    await onScreen(project.folder, { hooks: ended, scenario: [] }, async (wave) => {
      await wave.press("ctrl-c");
      await wave.waitForText("again to leave");
      await wave.press("ctrl-c");
      expect(await wave.exit).toMatchObject({ code: 0 });
      expect(readFileSync(join(project.folder, "ended.json"), "utf8")).toContain(
        '"reason":"prompt_input_exit"',
      );
    });
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("by %s ends what runs, runs SessionEnd and exits with %i (T65, T154)", async (signal, code) => {
    using project = makeProject();
    const args = ["--permission-mode", "bypassPermissions"];
    await onScreen(
      project.folder,
      { hooks: ended, args, scenario: [bash("echo begun; sleep 300")] },
      async (wave) => {
        await say(wave, "go");
        await wave.waitForText("begun");
        process.kill(wave.pid, signal);
        expect(await wave.exit).toMatchObject({ code });
        expect(readFileSync(join(project.folder, "ended.json"), "utf8")).toContain('"reason":"terminated"');
      },
    );
  });

  it("Esc stops a running command and gives the prompt back to type in (T64)", async () => {
    using project = makeProject();
    const args = ["--permission-mode", "bypassPermissions"];
    await onScreen(
      project.folder,
      { args, scenario: [bash("echo begun; sleep 300"), { say: "next answer" }] },
      async (wave) => {
        await say(wave, "go");
        await wave.waitForText("begun");
        await wave.press("esc");
        await wave.waitForText("interrupted");
        await say(wave, "more");
        await wave.waitForText("next answer");
        expect(wave.text()).toContain("— interrupted");
      },
    );
  });
});
