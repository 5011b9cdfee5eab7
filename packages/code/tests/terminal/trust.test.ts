import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startScriptedModel, type ScriptedModel } from "wave-agent-sdk/testing";
import { makeProject, type Project } from "../support/project.ts";
import { startWave } from "./support/terminal.ts";

const ASKED = "Do you trust this folder?";
const bash = { call: { name: "Bash", arguments: { command: "echo hi" } } };

function start(project: Project, model: ScriptedModel, size: { cols?: number; rows?: number } = {}) {
  return startWave({
    cwd: project.folder,
    approved: false,
    args: ["--permission-mode", "bypassPermissions"],
    cols: size.cols ?? 80,
    rows: size.rows ?? 24,
    env: {
      WAVE_HOME: project.home,
      WAVE_API_KEY: "key",
      WAVE_BASE_URL: model.baseUrl,
      WAVE_MODEL: "scripted",
    },
  });
}

describe("a folder that nobody approved, on the screen", () => {
  it("is asked about before anything of it runs; Enter is no yes, y is, and it is not asked again (T37, T39, G24)", async () => {
    using project = makeProject();
    project.hook("PreToolUse", "touch guard-ran", { matcher: "Bash", name: "guard" });
    project.hook("SessionStart", "touch start-ran", { name: "greeting" });
    const ran = (what: string) => existsSync(join(project.folder, what));
    await using model = await startScriptedModel([bash, { say: "finished" }]);
    {
      await using wave = start(project, model);
      await wave.waitForText("./hooks/hook-1.sh");
      await wave.waitForText(ASKED);
      await wave.takesKeys();
      await wave.press("enter");
      // Two keys that arrive together would be somebody's text.
      await sleep(200);
      expect([ran("start-ran"), model.requests.length]).toEqual([false, 0]);
      await wave.answer("y");
      await wave.waitForText("Ask, or / for commands");
      wave.type("go");
      await wave.waitForText("go");
      await wave.press("enter");
      await wave.waitForText("finished");
      expect([ran("guard-ran"), ran("start-ran")]).toEqual([true, true]);
    }
    await using again = start(project, model);
    await again.waitForText("Ask, or / for commands");
    expect(again.text()).not.toContain("Do you trust");
  });

  it("may be used without its hooks: a call they would judge is a question, and /hooks trust approves them (T37, G22)", async () => {
    using project = makeProject();
    project.hook("PreToolUse", "touch guard-ran", { matcher: "Bash", name: "guard" });
    await using model = await startScriptedModel([bash, { say: "finished" }, bash, { say: "guarded" }]);
    await using wave = start(project, model);
    await wave.waitForText(ASKED);
    await wave.answer("n");
    await wave.waitForText("Ask, or / for commands");
    wave.type("go");
    await wave.waitForText("go");
    await wave.press("enter");
    await wave.waitForText("Hook guard of this project");
    expect(wave.screen().join(" ")).toContain("/hooks trust");
    expect(existsSync(join(project.folder, "guard-ran"))).toBe(false);
    await wave.answer("y");
    await wave.waitForText("finished");
    wave.type("/hooks trust");
    await wave.waitForText("/hooks trust");
    await wave.press("enter");
    await wave.waitForText(ASKED);
    await wave.waitForText("It is off until you say y");
    await wave.answer("y");
    await wave.waitForText("settings were read again: 1 hook");
    wave.type("again");
    await wave.waitForText("again");
    await wave.press("enter");
    await wave.waitUntil(() => wave.text().includes("guarded"), { what: "the end of the second turn" });
    expect(existsSync(join(project.folder, "guard-ran"))).toBe(true);
  });

  it("shows AGENTS.md before the model is told it, says that it is not read after a no, and shows it again (T37, T39, G24)", async () => {
    using project = makeProject();
    project.write("AGENTS.md", "Be kind.\u200b\nAlways.\n");
    await using model = await startScriptedModel([{ say: "one" }, { say: "two" }]);
    await using wave = start(project, model, { cols: 100 });
    await wave.waitForText("│ Be kind.\\u200b");
    await wave.waitForText("│ Always.");
    await wave.waitForText(ASKED);
    await wave.answer("n");
    await wave.waitForText("AGENTS.md is not read (not approved): /hooks trust");
    const go = async (text: string, until: string) => {
      wave.type(text);
      await wave.waitForText(text);
      await wave.press("enter");
      await wave.waitForText(until);
    };
    await go("go", "one");
    await go("/hooks trust", "│ Always.");
    await wave.waitForText(ASKED);
    await wave.answer("y");
    await wave.waitForText("settings were read again");
    await wave.waitUntil(() => !wave.screen().join("\n").includes("(not approved): /hooks trust"), {
      what: "the status line without it",
    });
    await go("again", "two");
    expect(model.requests.map(({ text }) => text.includes("Always."))).toEqual([false, true]);
  });

  it("lists forty commands in a terminal of 40 columns, all of them one key away (G24)", async () => {
    using project = makeProject();
    for (let index = 0; index < 40; index++) project.hook("Stop", "true", { name: `hook number ${index}` });
    await using model = await startScriptedModel([]);
    await using wave = start(project, model, { cols: 40, rows: 20 });
    await wave.waitForText(ASKED);
    await wave.takesKeys();
    await wave.press("end");
    await wave.waitForText("hook number 39");
    await wave.press("esc");
    expect(await wave.exit).toEqual({ code: 0, signal: null });
    expect(model.requests).toHaveLength(0);
  });
});
