import { describe, expect, it } from "vitest";
import { fingerprintOf } from "@/hooks/fingerprint.ts";
import { SettingsFiles, settingsOf } from "../../support/settingsFiles.ts";
import { commandHook } from "../../support/runHooks.ts";

const hook = (sandbox: unknown) => ({
  hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "true", name: "guard", sandbox }] }] },
});

describe("sandbox in settings", () => {
  it.each<[unknown, object]>([
    ["off", { mode: "off", network: true, writable: [] }],
    ["required", { mode: "required", network: true, writable: [] }],
    [
      { mode: "auto", network: false, writable: ["~/.npm", "/data"] },
      { mode: "auto", network: false, writable: ["~/.npm", "/data"] },
    ],
  ])("%j is read as it is meant", (sandbox, expected) => {
    const { sandbox: read, problems } = settingsOf({ sandbox });
    expect(problems).toEqual([]);
    expect(read).toMatchObject(expected);
  });

  it.each<[unknown, object, RegExp]>([
    [
      "requried",
      { mode: "required" },
      /sandbox must be "off", "reading", "auto", "required", not "requried"; it is read as "required"/,
    ],
    [true, { mode: "required" }, /not true/],
    [{ enabled: true }, { mode: "required" }, /sandbox has no "mode"/],
    [{ mode: 1 }, { mode: "required" }, /mode must be/],
    [
      { mode: "auto", network: "no" },
      { mode: "auto", network: false },
      /network must be true or false.*read as false/,
    ],
    [{ mode: "auto", writable: "/x" }, { mode: "auto", writable: [] }, /writable must be a list of paths/],
  ])("%j is reported, and read as the strictest it could mean (T7)", (sandbox, expected, message) => {
    const { sandbox: read, problems } = settingsOf({ sandbox });
    expect(read).toMatchObject(expected);
    expect(problems.map((problem) => problem.message).join("\n")).toMatch(message);
  });

  it("of a project may tighten, and is not used where it would loosen (G18, T44)", () => {
    using files = new SettingsFiles();
    files.write("user", { sandbox: { mode: "auto", writable: ["/mine"] } });
    files.write("project", { sandbox: { mode: "off", network: false, writable: ["/"] } });
    const { sandbox, problems } = files.load();
    expect(sandbox).toMatchObject({
      mode: "auto",
      network: false,
      writable: ["/mine"],
      from: files.files.user,
    });
    expect(problems).toMatchObject([
      {
        severity: "warning",
        file: files.files.project,
        path: "sandbox.mode",
        message: expect.stringContaining('says "auto"'),
      },
      {
        severity: "warning",
        file: files.files.project,
        path: "sandbox.writable",
        message: expect.stringContaining("your own settings"),
      },
    ]);
  });

  it("of a hook is read with it, and reported where it is looser than it may be", () => {
    expect(settingsOf(hook("auto")).hooks).toMatchObject([{ sandbox: "auto" }]);
    expect(settingsOf(hook("no"))).toMatchObject({
      hooks: [{ sandbox: "required" }],
      problems: [{ severity: "error", message: expect.stringContaining('it is read as "required"') }],
    });
    using files = new SettingsFiles();
    files.write("user", { sandbox: "required" });
    files.write("project", hook("off"));
    expect(files.load().problems).toMatchObject([
      {
        severity: "warning",
        file: files.files.project,
        message: expect.stringContaining('"off" is not used'),
      },
    ]);
  });

  it("of a hook is part of what a person approved (T40)", () => {
    const of = (sandbox?: "auto" | "required") =>
      fingerprintOf({ kind: "hook", hook: commandHook("true", sandbox && { sandbox }), files: [] });
    expect(new Set([of(), of("auto"), of("required")]).size).toBe(3);
  });

  it("of a hook, like the keys it wants, is a reason to ask again (T189, T40)", () => {
    const of = (...passEnv: string[]) =>
      fingerprintOf({ kind: "hook", hook: commandHook("true", { passEnv }), files: [] });
    expect(of()).not.toBe(of("WAVE_API_KEY"));
    expect(of("A", "B")).toBe(of("B", "A"));
  });
});
