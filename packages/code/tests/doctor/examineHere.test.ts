import { describe, expect, it } from "vitest";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { examineHere } from "../../src/doctor/examineHere.ts";
import { approve } from "../support/approve.ts";
import { makeProject, type Project } from "../support/project.ts";

/** `wave doctor` beside `/doctor` of a session that began before the change. */
async function both(project: Project) {
  const around = {
    env: { WAVE_HOME: project.home, PATH: process.env["PATH"] ?? "" },
    cwd: project.folder,
    version: "1",
    stdout: { isTTY: false, columns: 80 },
  };
  const given = { settingsFile: undefined, model: {} };
  const hooks = [{ name: "guard", scope: "project", off: undefined }];
  const found = [await examineHere(around, given), await examineHere(around, { ...given, hooks })];
  return found.map((findings) => findings.filter(({ check }) => check === "Trust" || check === "Settings"));
}

describe("wave doctor and a model that a project wants", () => {
  it("asks about the one that counts, and says what counts only after the approval (G18)", async () => {
    using project = makeProject();
    await using model = await startScriptedModel([]);
    project.settings({ model: "of-the-project" });
    const around = {
      env: {
        WAVE_HOME: project.home,
        WAVE_BASE_URL: model.baseUrl,
        WAVE_API_KEY: "k",
        PATH: process.env["PATH"] ?? "",
      },
      cwd: project.folder,
      version: "1",
      stdout: { isTTY: false, columns: 80 },
    };
    const found = async () =>
      (await examineHere(around, { settingsFile: undefined, model: {} }))
        .filter(({ check }) => check === "Model")
        .map(({ says }) => says);
    expect(await found()).toEqual([
      "not named: the server is asked; key from WAVE_API_KEY",
      ".wave/settings.json wants model of-the-project, which counts only after it was approved",
    ]);
    approve(project);
    expect(await found()).toEqual(["of-the-project; key from WAVE_API_KEY"]);
  });
});

describe("wave doctor and /doctor", () => {
  it("say the same about changed scripts, new hooks, and settings that do not parse (T40, T172)", async () => {
    using project = makeProject();
    project.hook("PreToolUse", "exit 0", { matcher: "Bash", name: "guard" });
    approve(project);
    const [calm, calmInside] = await both(project);
    expect(calm).toMatchObject([{ result: "ok" }, { says: "nothing waits for an approval" }]);
    expect(calmInside).toEqual(calm);

    project.script("hooks/hook-1.sh", "exit 2");
    project.hook("Stop", "exit 0", { name: "stranger" });
    const [changed, changedInside] = await both(project);
    expect(changed?.map(({ says }) => says).slice(1)).toEqual([
      "hook guard: hooks/hook-1.sh changed since it was approved",
      "hook stranger: nobody has approved it",
    ]);
    expect(changedInside).toEqual(changed);

    project.write(".wave/settings.json", "{ broken");
    const [broken, brokenInside] = await both(project);
    expect(broken).toContainEqual(expect.objectContaining({ check: "Settings", result: "problem" }));
    expect(brokenInside).toEqual(broken);
  });
});
