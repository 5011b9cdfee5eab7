import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel, type Scenario } from "wave-agent-sdk/testing";
import { describe, expect, it } from "vitest";
import { makeProject } from "../support/project.ts";
import { startWave, type TerminalRun } from "./support/terminal.ts";

/** Fails until somebody mends it. */
const flaky = (onError: string) => ({
  type: "command",
  name: "guard",
  command: "test -e mended && exit 0; echo broken >&2; exit 7",
  onError,
});
const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });

async function onScreen(
  folder: string,
  setup: { hooks: object; scenario: Scenario },
  use: (wave: TerminalRun) => Promise<void>,
): Promise<void> {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const settings = { hooks: setup.hooks, permissions: { allow: ["Bash"] } };
  writeFileSync(join(home, "settings.json"), JSON.stringify(settings));
  await using model = await startScriptedModel(setup.scenario);
  await using wave = startWave({
    cwd: folder,
    cols: 100,
    rows: 40,
    args: [],
    env: { WAVE_HOME: home, WAVE_API_KEY: "key", WAVE_BASE_URL: model.baseUrl, WAVE_MODEL: "scripted" },
  });
  await wave.waitForText("Ask, or / for commands");
  await use(wave);
}

async function say(wave: TerminalRun, text: string): Promise<void> {
  wave.type(text);
  await wave.waitForText(text);
  await wave.press("enter");
}

/** The help line shows when keys are for the dialog and no longer for the prompt. */
async function answer(wave: TerminalRun, key: string): Promise<void> {
  await wave.waitForText("↑↓ Enter choose");
  wave.type(key);
}

describe("a broken guard on the screen", () => {
  it("asks the person, who mends it and has it asked again (T8, T124)", async () => {
    using project = makeProject();
    const hooks = { PreToolUse: [{ hooks: [flaky("block")] }] };
    await onScreen(
      project.folder,
      { hooks, scenario: [bash("touch made"), { say: "All done." }] },
      async (wave) => {
        await say(wave, "do it");
        await wave.waitForText("ask the hooks again");
        expect(wave.text()).toMatch(/hook failed: guard/);
        expect(existsSync(join(project.folder, "made"))).toBe(false);
        await answer(wave, "r");
        await wave.waitForText("2: guard failed again");
        expect(wave.text()).toContain("asking the hooks again: attempt 2");
        writeFileSync(join(project.folder, "mended"), "");
        await answer(wave, "r");
        await wave.waitForText("All done.");
        expect(wave.text()).toContain("judged this at attempt 3");
        expect(existsSync(join(project.folder, "made"))).toBe(true);
      },
    );
  });

  it("is switched off for the session by one key, and the screen says so from then on (T8, T57)", async () => {
    using project = makeProject();
    const hooks = { PreToolUse: [{ hooks: [flaky("block")] }] };
    const scenario = [bash("touch one"), bash("touch two"), { say: "All done." }];
    await onScreen(project.folder, { hooks, scenario }, async (wave) => {
      await say(wave, "do it");
      await answer(wave, "s");
      await wave.waitForText("All done.");
      expect(existsSync(join(project.folder, "one"))).toBe(true);
      expect(existsSync(join(project.folder, "two"))).toBe(true);
      await wave.waitForText("1 hook off: guard (switched off for this session)");
      expect(wave.text()).toContain("you let this go on without hook guard, which failed (crash)");
    });
  });

  it("that holds a prompt back is passed once by one key", async () => {
    using project = makeProject();
    const hooks = { UserPromptSubmit: [{ hooks: [flaky("ask")] }] };
    await onScreen(project.folder, { hooks, scenario: [{ say: "All done." }] }, async (wave) => {
      await say(wave, "hello there");
      expect(wave.text()).not.toContain("All done.");
      await answer(wave, "y");
      await wave.waitForText("All done.");
    });
  });

  it("that fails open is shown, counted under the prompt and by /cost, and named when Wave is left", async () => {
    using project = makeProject();
    const hooks = { PreToolUse: [{ hooks: [flaky("continue")] }] };
    await onScreen(
      project.folder,
      { hooks, scenario: [bash("touch made"), { say: "All done." }] },
      async (wave) => {
        await say(wave, "do it");
        await wave.waitForText("All done.");
        expect(wave.text()).toMatch(/hook failed/);
        await wave.waitForText("1 passed unjudged: a hook failed");
        await say(wave, "/cost");
        await wave.waitForText("something went on although a hook failed");
        await say(wave, "/exit");
        await wave.waitForText("wave: something went on although a hook failed");
      },
    );
  });
});
