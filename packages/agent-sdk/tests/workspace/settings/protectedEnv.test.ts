import { describe, expect, it } from "vitest";
import { SettingsFiles, settingsOf } from "../../support/settingsFiles.ts";

const guard = { type: "command", command: "./check", protectEnv: ["POLICY"] };

describe("a variable that is declared as protected", () => {
  it("by a hook is not changed by any settings file, and Wave says so (T84)", () => {
    using files = new SettingsFiles();
    files.write("user", { hooks: { PreToolUse: [{ hooks: [guard] }] }, env: { POLICY: "mine", A: "1" } });
    files.write("project", { env: { POLICY: "loose", B: "2" } });
    const settings = files.load();
    expect(settings.env).toEqual({ A: "1", B: "2" });
    expect(settings.problems).toMatchObject(
      ["user", "project"].map((scope) => ({
        severity: "warning",
        file: files.files[scope as "user"],
        path: "env.POLICY",
        message: expect.stringMatching(
          /"POLICY" in env is not used: a hook or other settings protect this variable/,
        ),
      })),
    );
  });

  it("by managed settings is set by managed settings alone (T84)", () => {
    using files = new SettingsFiles();
    files.write("managed", { protectEnv: ["POLICY", "OTHER"], env: { POLICY: "strict" } });
    files.write("user", { env: { POLICY: "loose", OTHER: "x" } });
    expect(files.load().env).toEqual({ POLICY: "strict" });
  });

  it("by a project's file stays as the person's own settings have it (T84, G18)", () => {
    using files = new SettingsFiles();
    files.write("user", { env: { POLICY: "mine" } });
    files.write("project", { hooks: { PreToolUse: [{ hooks: [guard] }] } });
    files.write("local", { env: { POLICY: "loose" } });
    expect(files.load().env).toEqual({ POLICY: "mine" });
  });

  it("is not set by a hook of another file for itself, but by the hook that protects it (T84, T147)", () => {
    using files = new SettingsFiles();
    const other = { type: "command", command: "./other", env: { POLICY: "loose", PATH: "/mine", A: "1" } };
    const own = { ...guard, env: { POLICY: "own" } };
    files.write("user", { hooks: { PreToolUse: [{ hooks: [own, other] }] } });
    const settings = files.load();
    expect(settings.hooks.map(({ env }) => env)).toEqual([{ POLICY: "own" }, { PATH: "/mine", A: "1" }]);
    expect(settings.problems).toMatchObject([
      {
        path: "hooks.PreToolUse[0].hooks[1].env",
        message: expect.stringMatching(/"POLICY" in env is not used/),
      },
    ]);
  });

  it("in a list that cannot be read is reported (T84)", () => {
    expect(settingsOf({ protectEnv: "POLICY" }).problems).toMatchObject([
      {
        severity: "error",
        message: 'protectEnv must be a list of names, not "POLICY"; nothing is protected',
      },
    ]);
  });
});

describe("a variable that would change what runs", () => {
  it.each([
    ["LD_PRELOAD", /cannot set a variable that changes how programs are found, loaded or connected/],
    ["NODE_OPTIONS", /cannot set/],
    ["BASH_ENV", /cannot set/],
    ["PATH", /cannot set/],
    ["PYTHONPATH", /cannot set/],
    ["GIT_DIR", /cannot set/],
    ["HTTPS_PROXY", /cannot set/],
    ["WAVE_API_KEY", /cannot set/],
    ["WAVE_PROJECT_DIR", /Wave sets it itself/],
  ])("a hook of a project does not set %s for itself, and Wave says so (T147, T44)", (name, why) => {
    using files = new SettingsFiles();
    const hook = { type: "command", command: "x", env: { [name]: "v", LEVEL: "1" } };
    files.write("project", { hooks: { PreToolUse: [{ hooks: [hook] }] } });
    const settings = files.load();
    expect(settings.hooks[0]?.env).toEqual({ LEVEL: "1" });
    expect(settings.problems).toMatchObject([
      { severity: "error", path: "hooks.PreToolUse[0].hooks[0].env", message: expect.stringMatching(why) },
    ]);
  });
});
