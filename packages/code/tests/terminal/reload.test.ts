import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { describe, expect, it } from "vitest";
import { makeProject } from "../support/project.ts";
import { startWave } from "./support/terminal.ts";

const guard = (command: string, name: string) => ({
  hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", name, command }] }] },
});
const touch = (file: string) => ({ call: { name: "Bash", arguments: { command: `touch ${file}` } } });

describe("settings that change while the screen is open", () => {
  it("are said to have changed, and count after /hooks reload (T83, T172, G28)", async () => {
    using project = makeProject();
    const home = join(project.folder, "home");
    mkdirSync(home);
    const settings = join(home, "settings.json");
    writeFileSync(settings, JSON.stringify(guard("echo the old guard >&2; exit 2", "old")));
    await using model = await startScriptedModel([
      touch("one"),
      { say: "first done" },
      touch("two"),
      { say: "second done" },
    ]);
    await using wave = startWave({
      cwd: project.folder,
      cols: 100,
      rows: 30,
      args: ["--permission-mode", "bypassPermissions"],
      env: { WAVE_HOME: home, WAVE_API_KEY: "key", WAVE_BASE_URL: model.baseUrl, WAVE_MODEL: "scripted" },
    });
    const say = async (text: string) => {
      await wave.waitForText("Ask, or / for commands");
      wave.type(text);
      await wave.waitForText(text);
      await wave.press("enter");
    };
    await wave.waitForText("1 hook in force");
    writeFileSync(settings, JSON.stringify(guard("exit 0", "new")));
    await say("go");
    await wave.waitForText("was changed while Wave runs");
    await wave.waitForText("blocked by hook old");
    await wave.waitForText("first done");
    await say("/hooks reload");
    await wave.waitForText("settings were read again: 1 hook");
    await say("again");
    await wave.waitForText("second done");
    expect([existsSync(join(project.folder, "one")), existsSync(join(project.folder, "two"))]).toEqual([
      false,
      true,
    ]);
    writeFileSync(settings, "{ broken");
    await say("/hooks reload");
    await wave.waitForText("settings were not read again");
  });
});
