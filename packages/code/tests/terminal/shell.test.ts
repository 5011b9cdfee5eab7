import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel, type Scenario, type ScriptedModel } from "wave-agent-sdk/testing";
import { describe, expect, it } from "vitest";
import { makeProject, type Project } from "../support/project.ts";
import { startWave, type TerminalRun } from "./support/terminal.ts";

interface Setup {
  settings?: object;
  scenario?: Scenario;
  cols?: number;
  args?: readonly string[];
  env?: Record<string, string>;
}

interface OnScreen {
  wave: TerminalRun;
  model: ScriptedModel;
  project: Project;
}

async function onScreen(setup: Setup, use: (on: OnScreen) => Promise<void>): Promise<void> {
  using project = makeProject();
  project.settings(setup.settings ?? {});
  await using model = await startScriptedModel(setup.scenario ?? []);
  await using wave = startWave({
    cwd: project.folder,
    cols: setup.cols ?? 80,
    rows: 40,
    args: setup.args ?? [],
    env: {
      WAVE_HOME: project.home,
      WAVE_API_KEY: "SECRET-KEY",
      WAVE_BASE_URL: model.baseUrl,
      WAVE_MODEL: "scripted",
      ...setup.env,
    },
  });
  await wave.waitForText(EMPTY);
  await use({ wave, model, project });
}

const EMPTY = "> Ask, or / for commands";

async function enter(wave: TerminalRun, text: string): Promise<void> {
  wave.type(text);
  await wave.waitForText(text);
  await wave.press("enter");
}

/** Nothing runs any more, and the prompt is there to type in. */
async function idle(wave: TerminalRun): Promise<void> {
  const isIdle = () => {
    const screen = wave.screen().join("\n");
    return !/Esc stops| stopping /.test(screen) && screen.includes("╰─");
  };
  await wave.waitUntil(isIdle, { what: "an idle screen" });
}

const hook = (command: string, name = "guard") => [{ hooks: [{ type: "command", name, command }] }];
const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });
const sent = (model: ScriptedModel) => JSON.stringify(model.requests.at(-1)?.body["messages"]);

describe("! on the screen", () => {
  it("shows that it is about the shell, runs the command, and the model sees it with the next prompt", async () => {
    await onScreen({ scenario: [{ say: "I see." }] }, async ({ wave, model }) => {
      wave.type("!echo from the shell; exit 4");
      await wave.waitForText("$ !echo from the shell; exit 4");
      await wave.waitForText("Enter runs it in your shell");
      await wave.press("enter");
      await wave.waitForText("  from the shell");
      await wave.waitForText("✗ exit 4");
      await wave.waitForText(EMPTY);
      expect(model.requests).toEqual([]);
      await enter(wave, "what was that?");
      await wave.waitForText("I see.");
      expect(sent(model)).toContain("$ echo from the shell; exit 4\\nExit code 4\\nfrom the shell");
    });
  });

  it("is in the history, of this session and of the next", async () => {
    await onScreen({}, async ({ wave, project }) => {
      await enter(wave, "!echo remembered");
      await wave.waitForText("  remembered");
      await idle(wave);
      await wave.press("up");
      await wave.waitForText("$ !echo remembered");
      expect(readFileSync(join(project.home, "history.jsonl"), "utf8")).toContain("!echo remembered");
    });
  });

  it("completes a path with Tab", async () => {
    await onScreen({}, async ({ wave, project }) => {
      writeFileSync(join(project.folder, "a long name.txt"), "content of it\n");
      wave.type("!cat long");
      await wave.waitForText("$ !cat long");
      await wave.press("tab");
      await wave.waitForText("› a long name.txt");
      await wave.press("tab");
      await wave.waitForText("$ !cat 'a long name.txt'");
      await wave.press("enter");
      expect(await wave.waitForText("content of it")).toContain("  content of it");
    });
  });

  it("is stopped by a hook, with name and reason, and is back in the input (G1, T124, T162)", async () => {
    const settings = { hooks: { PreToolUse: hook("echo 'not in this house' >&2; exit 2") } };
    const args = ["--permission-mode", "bypassPermissions"];
    await onScreen({ settings, args }, async ({ wave, project }) => {
      await enter(wave, "!touch marker");
      await wave.waitForText("⊘ blocked by hook guard");
      await wave.waitForText("not in this house");
      await wave.waitForText("│ $ !touch marker");
      expect(existsSync(join(project.folder, "marker"))).toBe(false);
    });
  });

  it("asks when a hook asks, although a person typed it (G3)", async () => {
    const asks = {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "ask",
        permissionDecisionReason: "really?",
      },
    };
    const settings = { hooks: { PreToolUse: hook(`echo '${JSON.stringify(asks)}'`) } };
    await onScreen({ settings }, async ({ wave, project }) => {
      await enter(wave, "!touch marker");
      await wave.waitForText("really?");
      await wave.waitForText("allow once");
      expect(existsSync(join(project.folder, "marker"))).toBe(false);
      await wave.answer("y");
      await wave.waitForText("(no output)");
      expect(existsSync(join(project.folder, "marker"))).toBe(true);
    });
  });

  it("waits for the turn, visibly, and then runs", async () => {
    const args = ["--permission-mode", "bypassPermissions"];
    const scenario = [bash("until test -e go; do sleep 0.05; done"), { say: "done with it" }];
    await onScreen({ scenario, args }, async ({ wave, project }) => {
      await enter(wave, "wait for it");
      await wave.waitForText("running Bash");
      await enter(wave, "!echo after all");
      await wave.waitForText("waiting: !echo after all");
      writeFileSync(join(project.folder, "go"), "");
      await wave.waitForText("done with it");
      await wave.waitForText("  after all");
      const text = wave.text();
      expect(text.indexOf("done with it")).toBeLessThan(text.lastIndexOf("$ echo after all"));
    });
  });

  it("is stopped by Esc while it runs, and says that effects may exist (T64, T81)", async () => {
    await onScreen({}, async ({ wave }) => {
      await enter(wave, "!echo begun; sleep 300");
      await wave.waitForText("  begun");
      await wave.press("esc");
      await wave.waitForText("✗ interrupted");
      await wave.waitForText(EMPTY);
      await enter(wave, "!echo again");
      expect(await wave.waitForText("  again")).toContain("  again");
    });
  });
});

describe("# on the screen", () => {
  it("adds a line to AGENTS.md, says so, and the model reads it with the next request", async () => {
    await onScreen({ scenario: [{ say: "noted" }] }, async ({ wave, model, project }) => {
      wave.type("#always use tabs");
      await wave.waitForText("+ #always use tabs");
      await wave.waitForText("Enter adds it to AGENTS.md");
      await wave.press("enter");
      await wave.waitForText("created AGENTS.md; the model reads it from its next request on");
      expect(readFileSync(join(project.folder, "AGENTS.md"), "utf8")).toBe("- always use tabs\n");
      await enter(wave, "go");
      await wave.waitForText("noted");
      expect(sent(model)).toContain("- always use tabs");
    });
  });

  it("is no note when it is a heading of a longer text", async () => {
    await onScreen({ scenario: [{ say: "read it" }] }, async ({ wave, model, project }) => {
      wave.paste("# Title\n\nand a text");
      await wave.waitForText("> # Title");
      await wave.press("enter");
      await wave.waitForText("read it");
      expect(sent(model)).toContain("# Title\\n\\nand a text");
      expect(existsSync(join(project.folder, "AGENTS.md"))).toBe(false);
    });
  });
});

describe("the header of a session", () => {
  const settings = { hooks: { PreToolUse: hook("exit 0"), Stop: hook("exit 0", "tests") } };

  it.each([40, 80])(
    "says version, model, folder and hooks in at most four lines of %i columns",
    async (cols) => {
      await onScreen({ settings, cols }, async ({ wave }) => {
        await wave.waitForText("2 hooks active: 2 project");
        const screen = wave.screen();
        const end = screen.findIndex((line) => line.startsWith("╭"));
        const header = screen.slice(0, end).join("\n");
        expect(end).toBeLessThanOrEqual(4);
        expect(header).toMatch(/Wave \d+\.\d+\.\d+/);
        expect(header).toContain("scripted");
        expect(header).toContain("/help");
        expect(wave.text().match(/hooks active/g)).toHaveLength(1);
        expect(wave.text()).not.toContain("of this project will run");
      });
    },
  );

  it("counts what is off (T57)", async () => {
    await onScreen({ settings, args: ["--no-project-hooks"] }, async ({ wave }) => {
      expect(await wave.waitForText(/hooks active/)).toContain("  0 hooks active · 2 off");
    });
  });
});

describe("/doctor", () => {
  it("shows the checks of this session, and never the key", async () => {
    const settings = { hooks: { PreToolUse: hook("./missing.sh") } };
    await onScreen({ settings }, async ({ wave }) => {
      await enter(wave, "/doctor");
      await wave.waitForText("─ Doctor ");
      await wave.waitForText("key from WAVE_API_KEY");
      await wave.waitForText("no such file: ./missing.sh");
      await wave.waitForText(/1 problem/);
      expect(wave.output).not.toContain("SECRET-KEY");
      await wave.press("esc");
      await wave.waitForText(EMPTY);
    });
  });
});

describe("Esc during a hook (T64)", () => {
  // It does not listen to SIGTERM, and what it started would live on.
  const stubborn = "trap '' TERM; echo $$ > hook.pid; sleep 300 & wait; sleep 300";

  /** Processes of the hook that are left. */
  const isRunning = (folder: string) => {
    const pid = Number(readFileSync(join(folder, "hook.pid"), "utf8"));
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      // ESRCH: gone.
      return false;
    }
  };

  it.each([
    ["UserPromptSubmit", [], "│ > go on"],
    ["PreToolUse", [bash("true")], EMPTY],
    ["Stop", [{ say: "all done" }], EMPTY],
  ] as const)("%s ends it and gives back the input", async (event, scenario, input) => {
    const settings = { hooks: { [event]: hook(stubborn) } };
    await onScreen({ settings, scenario: [...scenario] }, async ({ wave, project }) => {
      await enter(wave, "go on");
      const started = () => existsSync(join(project.folder, "hook.pid"));
      await expect.poll(started, { timeout: 30_000 }).toBe(true);
      // A screen that lags behind still shows what was typed, and nobody at work.
      await wave.waitForText("Esc stops");
      await wave.press("esc");
      await wave.waitForText(input);
      await idle(wave);
      expect(isRunning(project.folder)).toBe(false);
      await wave.press("ctrl-u");
      await enter(wave, "!echo the prompt works");
      if (event !== "PreToolUse") await wave.waitForText("  the prompt works");
    });
  });
});

describe("a prompt that did not get an answer (T163)", () => {
  it("is back in the input when the server refuses it, with the reason, and is not sent twice", async () => {
    const scenario: Scenario = [{ status: 401 }, { say: "now it works" }];
    await onScreen({ scenario }, async ({ wave, model }) => {
      await enter(wave, "my long prompt");
      await wave.waitForText("not answered: your prompt is back in the input");
      await wave.waitForText("│ > my long prompt");
      expect(wave.text().match(/status 401/g)).toHaveLength(1);
      await wave.press("enter");
      await wave.waitForText("now it works");
      expect(sent(model).match(/my long prompt/g)).toHaveLength(1);
    });
  });

  it("is back in the input after Esc before the first word, before what was typed meanwhile", async () => {
    await onScreen({ scenario: [{ hang: true }, { say: "the answer" }] }, async ({ wave, model }) => {
      await enter(wave, "first thought");
      await wave.waitForText("thinking");
      await expect.poll(() => model.requests.length, { timeout: 30_000 }).toBe(1);
      wave.type("second thought");
      await wave.waitForText("│ > second thought");
      await wave.press("esc");
      await wave.waitForText("│ > first thought");
      await wave.waitForText("│   second thought");
      await wave.press("enter");
      await wave.waitForText("the answer");
      expect(sent(model)).toContain("first thought\\n\\nsecond thought");
      expect(sent(model).match(/first thought/g)).toHaveLength(1);
    });
  });
});
