import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel, type Scenario } from "wave-agent-sdk/testing";
import { describe, expect, it } from "vitest";
import { makeProject, type Project } from "../support/project.ts";
import { runWave } from "../support/runWave.ts";
import { startWave, type TerminalRun } from "./support/terminal.ts";

/** The real program on a terminal of its own, with a model at its wire. */
async function onScreen(
  project: Project,
  scenario: Scenario,
  use: (wave: TerminalRun) => Promise<void>,
): Promise<void> {
  await using model = await startScriptedModel(scenario);
  await using wave = startWave({
    cwd: project.folder,
    cols: 80,
    rows: 30,
    env: {
      WAVE_HOME: project.home,
      WAVE_API_KEY: "key",
      WAVE_BASE_URL: model.baseUrl,
      WAVE_MODEL: "scripted",
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
const calls = (project: Project) =>
  project.sessionLines().flatMap((line) => {
    const record = line["record"];
    const isCall = typeof record === "object" && record !== null && "toolUseId" in record;
    return isCall && "decidedBy" in record ? [record.decidedBy] : [];
  });

describe("a person who keeps a rule", () => {
  it("sees the rule and its file, and is not asked about the next identical call, also after a restart (T80)", async () => {
    using project = makeProject();
    const scenario = [bash("touch one"), { say: "first done" }, bash("touch one"), { say: "second done" }];
    await onScreen(project, scenario, async (wave) => {
      await say(wave, "go");
      await wave.waitForText(/s {2}always allow Bash\(touch one\) this session +p {2}always in this project/);
      await wave.waitForText("Enter choose");
      await wave.answer("p");
      await wave.waitForText("first done");
      await wave.waitForText("allowed from now on");
      const kept: unknown = JSON.parse(
        readFileSync(join(project.folder, ".wave", "settings.local.json"), "utf8"),
      );
      expect(kept).toEqual({ permissions: { allow: ["Bash(touch one)"] } });
      await say(wave, "again");
      await wave.waitForText("second done");
    });
    expect(calls(project)).toEqual(["person", "rule Bash(touch one)"]);
    await onScreen(project, [bash("touch one"), { say: "third done" }], async (wave) => {
      await say(wave, "once more");
      await wave.waitForText("third done");
    });
    expect(calls(project)).toEqual(["person", "rule Bash(touch one)", "rule Bash(touch one)"]);
  });

  it("is told why when the rule cannot be kept, and may still allow once or for the session (T80)", async () => {
    using project = makeProject();
    const scenario = [bash("touch one"), { say: "first done" }, bash("touch one"), { say: "second done" }];
    await onScreen(project, scenario, async (wave) => {
      await say(wave, "go");
      await wave.waitForText("Enter choose");
      project.write(".wave/settings.local.json", "{\n  broken\n}");
      await wave.answer("p");
      await wave.waitForText("not kept");
      await wave.waitForText("settings.local.json:2:3");
      expect(existsSync(join(project.folder, "one"))).toBe(false);
      await wave.answer("s");
      await wave.waitForText("first done");
      await say(wave, "again");
      await wave.waitForText("second done");
    });
    expect(readFileSync(join(project.folder, ".wave", "settings.local.json"), "utf8")).toBe("{\n  broken\n}");
    expect(calls(project)).toEqual(["person", "rule Bash(touch one)"]);
  });
});

describe("/permissions", () => {
  it("shows what rules did, adds one that counts at once, and wave permissions prints the same", async () => {
    using project = makeProject();
    const scenario = [bash("touch one"), { say: "first done" }, bash("touch one"), { say: "second done" }];
    await onScreen(project, scenario, async (wave) => {
      await say(wave, "/permissions");
      await wave.waitForText("There are no rules yet");
      await wave.answer("a");
      await wave.waitForText("Where:");
      await wave.takesKeys();
      wave.type("Bash(touch:*)");
      await wave.waitForText("Bash(touch:*)▏");
      await wave.answerKey("enter");
      await wave.waitForText("Bash(touch:*) is active now.");
      await wave.press("esc");
      await wave.waitForText("Ask, or / for commands");
      await say(wave, "go");
      await wave.waitForText("first done");
      await say(wave, "/permissions");
      await wave.waitForText(/matched once, last .*: touch one/);
      await wave.answer("x");
      await wave.waitForText("Remove the allow rule");
      await wave.answerKey("enter");
      await wave.waitForText("Bash(touch:*) is removed.");
      await wave.press("esc");
      await wave.waitForText("Ask, or / for commands");
      await say(wave, "again");
      await wave.waitForText("waiting for your answer");
      await wave.answer("n");
      await wave.waitUntil(() => calls(project).length === 2, { what: "the record of the answer" });
    });
    expect(calls(project).slice(0, 2)).toEqual(["rule Bash(touch:*)", "person"]);
    const { stdout } = await runWave(["permissions"], { project });
    expect(stdout).toMatch(/Denied lately\n {2}Bash touch one · person · /);
    const json = await runWave(["permissions", "--json"], { project });
    expect(JSON.parse(json.stdout)).toMatchObject({
      rules: [],
      denied: [{ decidedBy: "person" }],
      sessions: 1,
    });
  });
});
