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

  it("in a list that cannot be read is reported (T84)", () => {
    expect(settingsOf({ protectEnv: "POLICY" }).problems).toMatchObject([
      {
        severity: "error",
        message: 'protectEnv must be a list of names, not "POLICY"; nothing is protected',
      },
    ]);
  });
});
