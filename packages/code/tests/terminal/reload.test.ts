import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { describe, expect, it } from "vitest";
import { makeProject } from "../support/project.ts";
import { startWave } from "./support/terminal.ts";

const touch = (file: string) => ({ call: { name: "Bash", arguments: { command: `touch ${file}` } } });
const ASKED = "Changed on disk: take it over?";

describe("what changes on disk while the screen is open", () => {
  it("is a question with the difference; until a y the old form judges, and a no can be changed later (T40, T83, T172, G19, G28)", async () => {
    using project = makeProject();
    project.hook("PreToolUse", "echo the old guard >&2\nexit 2", { matcher: "Bash", name: "guard" });
    await using model = await startScriptedModel([
      touch("one"),
      { say: "first done" },
      touch("two"),
      { say: "second done" },
      touch("three"),
      { say: "third done" },
    ]);
    await using wave = startWave({
      cwd: project.folder,
      cols: 100,
      rows: 30,
      args: ["--permission-mode", "bypassPermissions"],
      env: {
        WAVE_HOME: project.home,
        WAVE_API_KEY: "key",
        WAVE_BASE_URL: model.baseUrl,
        WAVE_MODEL: "scripted",
      },
    });
    const say = async (text: string) => {
      await wave.waitForText("Ask, or / for commands");
      wave.type(text);
      await wave.waitForText(text);
      await wave.press("enter");
    };
    const answer = async (key: string) => {
      await wave.waitForText(ASKED);
      await wave.answer(key);
    };
    const made = (name: string) => existsSync(join(project.folder, name));
    await wave.waitForText("1 hook active");

    // Two files, each noticed by itself, and one question about both.
    project.script("hooks/hook-1.sh", "exit 0");
    writeFileSync(join(project.home, "settings.json"), "{}");
    await say("go");
    await wave.waitForText("- echo the old guard >&2");
    await wave.waitForText("+ exit 0");
    await answer("n");
    await wave.waitForText("2 changes wait for review: /hooks trust");
    await wave.waitUntil(() => wave.text().includes("first done"), { what: "the end of the first turn" });
    expect(wave.text()).toContain("its hook goes on with the script as it was");

    // Not asked about again, and still guarded by what was approved.
    await say("again");
    await wave.waitUntil(() => wave.text().includes("second done"), { what: "the end of the second turn" });
    expect([made("one"), made("two")]).toEqual([false, false]);
    expect(wave.text().match(/blocked by hook guard/g)).toHaveLength(2);
    expect(wave.text().match(/the old settings stay active/g)).toHaveLength(1);

    await say("/hooks");
    await wave.waitForText("2 changed files wait for review; the old version stays active");
    await wave.waitForText("t review");
    await wave.answer("t");
    await answer("y");
    await wave.waitForText("settings were read again: 1 hook");
    expect(wave.screen().join("\n")).not.toContain("waits for review");
    await say("once more");
    await wave.waitUntil(() => wave.text().includes("third done"), { what: "the end of the third turn" });
    expect(made("three")).toBe(true);

    await say("/hooks reload");
    await wave.waitForText("nothing to review: 1 hook active, as on disk");
    writeFileSync(join(project.home, "settings.json"), "{ broken");
    await say("/hooks trust");
    await wave.waitForText("settings were not read again");
  });
});
