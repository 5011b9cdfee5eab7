import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeProblem } from "@/workspace/settings/problem.ts";
import { SettingsFiles } from "../../support/settingsFiles.ts";

const entry = { type: "command", command: "./guard.sh" };

/** What Wave says about these files, with the places they have left out. */
function told(written: Record<string, unknown>, { homeIsProject = false } = {}): string[] {
  using files = new SettingsFiles();
  const { projectDir } = files.places;
  const home = homeIsProject ? projectDir : join(projectDir, "..", "person");
  files.places.personHome = home;
  for (const [name, content] of Object.entries(written)) {
    const file = join(name.startsWith("~/") ? home : projectDir, name.replace("~/", ""));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  const settings = files.load();
  expect(settings.hooks).toEqual([]);
  return settings.problems.map((problem) =>
    describeProblem(problem).replace(projectDir, ".").replace(home, "~"),
  );
}

describe("hooks that another agent would run", () => {
  it.each([".claude/settings.json", ".claude/settings.local.json"])(
    "in %s of a project are told: how many, where, what to do (T48, T50)",
    (file) => {
      const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [entry, entry] }], Stop: [{ hooks: [entry] }] };
      expect(told({ [file]: { model: "x", hooks } })).toEqual([
        `./${file}:3 (hooks): Wave does not run the 3 hooks for Claude Code in this file; to use them, copy "hooks" to .wave/settings.json (same format)`,
      ]);
    },
  );

  it("in the home folder are told as well, and once where the home folder is the project", () => {
    const file = { hooks: { Stop: [{ hooks: [entry] }] } };
    const [line, ...others] = told({ "~/.claude/settings.json": file });
    expect(others).toEqual([]);
    expect(line).toContain("~/.claude/settings.json");
    expect(line).toContain('the 1 hook for Claude Code in this file; to use it, copy "hooks" to ~/.wave/');
    expect(told({ ".claude/settings.json": file }, { homeIsProject: true })).toHaveLength(1);
  });

  it("that are none cost no word", () => {
    expect(told({})).toEqual([]);
    for (const file of [
      {},
      { model: "x" },
      { hooks: {} },
      { hooks: { Stop: [] } },
      { hooks: { Stop: [{ hooks: [] }] } },
    ])
      expect(told({ ".claude/settings.json": file })).toEqual([]);
  });

  it("are not passed over because the file is odd or broken", () => {
    expect(told({ ".claude/settings.json": { hooks: { Stop: [entry, "x"] } } })[0]).toContain("the 2 hooks");
    expect(told({ ".claude/settings.json": { hooks: ["x"] } })[0]).toContain("the 1 hook ");
    expect(told({ ".claude/settings.json": "{" })).toEqual([
      "./.claude/settings.json: hooks of Claude Code may be in here, but Wave cannot read it to count them",
    ]);
  });
});
