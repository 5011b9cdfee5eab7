import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ABSENT_EVENTS } from "@/hooks/absentEvents.ts";
import { HOOK_EVENT_NAMES } from "@/hooks/events.ts";
import { mayNeedReview } from "@/workspace/projectDir.ts";
import { describeProblem } from "@/workspace/settings/problem.ts";
import type { Settings } from "@/workspace/settings/settings.ts";
import { readProjectTrust } from "@/workspace/trust/trust.ts";
import { SettingsFiles } from "../../support/settingsFiles.ts";

const entry = { type: "command", command: "./guard.sh" };
const guard = { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [entry] }] } };
const WANTED = { hooksFrom: ["claude-code"] };

/** What Wave reads of these files, and says about them, with the places they have left out. */
function read(
  written: Record<string, unknown>,
  { homeIsProject = false, own = {} }: { homeIsProject?: boolean; own?: object } = {},
): Settings & { said: string[]; names: string[]; open: string[] } {
  using files = new SettingsFiles();
  const { projectDir, home: waveHome } = files.places;
  const home = homeIsProject ? projectDir : join(projectDir, "..", "person");
  files.places.personHome = home;
  files.write("user", own);
  for (const [name, content] of Object.entries(written)) {
    const file = join(name.startsWith("~/") ? home : projectDir, name.replace("~/", ""));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  const settings = files.load();
  const { rules } = settings.permissions;
  const trust = readProjectTrust({ home: waveHome, projectDir, ...settings, rules });
  return {
    ...settings,
    said: settings.problems.map((problem) =>
      describeProblem(problem).replace(projectDir, ".").replace(home, "~"),
    ),
    names: settings.hooks.map(({ event, name, source }) => `${source.scope} ${event} ${name}`),
    open: trust.items.flatMap(({ item }) => (item.kind === "hook" ? [item.hook.name] : [])),
  };
}

describe("settings for Claude Code in a project", () => {
  it.each([
    [".claude/settings.json", "project"],
    [".claude/settings.local.json", "local"],
  ])("(%s) bring hooks that run behind somebody's yes (T37, T48)", (file, scope) => {
    const { names, open, said } = read({ [file]: guard });
    expect(names).toEqual([`${scope} PreToolUse ./guard.sh`]);
    expect(open).toEqual(["./guard.sh"]);
    expect(said).toEqual([]);
  });

  it("are known to need a look before anything is read", () => {
    using files = new SettingsFiles();
    expect(mayNeedReview(files.places.projectDir)).toBe(false);
    mkdirSync(join(files.places.projectDir, ".claude"));
    writeFileSync(join(files.places.projectDir, ".claude", "settings.local.json"), "{}");
    expect(mayNeedReview(files.places.projectDir)).toBe(true);
  });

  it("add up with Wave's own: hooks of both run, and one entry in both runs once", () => {
    const { hooks } = read({
      ".claude/settings.json": guard,
      ".wave/settings.json": { ...guard, permissions: { deny: ["Edit"] } },
    });
    expect(hooks.map(({ source }) => source.file?.replace(/.*\/project\//, ""))).toEqual([
      ".claude/settings.json",
      ".wave/settings.json",
    ]);
  });

  it("hold back with their deny and ask rules, and let nothing pass", () => {
    const permissions = {
      deny: ["Read(./.env)", "Bash(curl:*)"],
      ask: ["Bash(git push:*)"],
      allow: ["Bash(npm test:*)"],
      defaultMode: "bypassPermissions",
    };
    const { permissions: counts, said } = read({ ".claude/settings.json": { permissions, model: "opus" } });
    expect(counts.rules.map(({ behavior, rule }) => `${behavior} ${rule}`)).toEqual([
      "ask Bash(git push:*)",
      "deny Read(./.env)",
      "deny Bash(curl:*)",
    ]);
    expect(counts.defaultMode).toBeUndefined();
    expect(said).toEqual([
      "./.claude/settings.json: of settings for Claude Code, Wave uses hooks, and the deny and ask rules of permissions. Not used: permissions.allow, permissions.defaultMode, model",
    ]);
  });

  it("cost no word where nothing in them is about what Wave does", () => {
    for (const content of [{}, { model: "opus" }, { permissions: { allow: ["Bash(ls:*)"] } }, { hooks: {} }])
      expect(read({ ".claude/settings.json": content }).said).toEqual([]);
  });

  it("name each event that Wave does not have, with the number of its hooks", () => {
    const hooks = { ...guard.hooks, WorktreeCreate: [{ hooks: [entry, entry] }], Setup: [] };
    const { said, names } = read({ ".claude/settings.json": { hooks } });
    expect(names).toEqual(["project PreToolUse ./guard.sh"]);
    expect(said).toEqual([
      "./.claude/settings.json:14 (hooks.WorktreeCreate): Wave has no event WorktreeCreate (Wave makes no work trees), so its 2 hooks do not run",
    ]);
  });

  it("do not keep Wave from starting when they are broken, and say so (T48)", () => {
    const broken = read({ ".claude/settings.json": "{" });
    expect(broken.problems).toMatchObject([{ severity: "error" }]);
    const odd = read({ ".claude/settings.json": { hooks: ["x"], permissions: { deny: 3 } } });
    expect(odd.problems.map(({ severity }) => severity)).toEqual(["error", "error"]);
  });
});

describe("settings for Claude Code in the home folder", () => {
  const file = { hooks: { Stop: [{ hooks: [entry, entry] }] } };

  it("are told until somebody says what to do: how many, where, and how (T48, T50)", () => {
    const { names, said } = read({ "~/.claude/settings.json": file });
    expect(names).toEqual([]);
    expect(said).toEqual([
      // Where WAVE_HOME is.
      expect.stringMatching(
        /^~\/\.claude\/settings\.json:2 \(hooks\): Wave does not run the 2 hooks for Claude Code in this file; to run them in all your projects, write "hooksFrom": \["claude-code"\] into \S+\/home\/settings\.json, to hear no more of this "hooksFrom": \[\]$/,
      ),
    ]);
    expect(read({ "~/.claude/settings.json": "{" }).said[0]).toContain("may be in here");
    expect(read({ "~/.claude/settings.json": { model: "x" } }).said).toEqual([]);
  });

  it("run when they are wanted, and are quiet when they are not", () => {
    const { names, open, said } = read({ "~/.claude/settings.json": file }, { own: WANTED });
    expect(names).toEqual(["user Stop ./guard.sh", "user Stop ./guard.sh"]);
    expect(open).toEqual([]);
    expect(said).toEqual([]);
    const not = read({ "~/.claude/settings.json": file }, { own: { hooksFrom: [] } });
    expect([not.names, not.said]).toEqual([[], []]);
  });

  it("are not switched on by a project", () => {
    const { names, said } = read({ "~/.claude/settings.json": file, ".wave/settings.json": WANTED });
    expect(names).toEqual([]);
    expect(said).toEqual([
      expect.stringContaining("Wave does not run the 2 hooks"),
      expect.stringContaining("hooksFrom in a project's file is not used"),
    ]);
  });

  it("count once where the home folder is the project", () => {
    const once = read({ ".claude/settings.json": file }, { homeIsProject: true });
    expect([once.names, once.said.length]).toEqual([[], 1]);
  });
});

/** Those of 2.1.325. */
const OF_CLAUDE_CODE =
  `PreToolUse PermissionRequest PermissionDenied PostToolUse PostToolUseFailure PostToolBatch UserPromptSubmit
  UserPromptExpansion Stop SubagentStop StopFailure SessionStart Setup SessionEnd InstructionsLoaded Notification MessageDisplay
  SubagentStart TaskCreated TaskCompleted TeammateIdle ConfigChange CwdChanged DirectoryAdded FileChanged WorktreeCreate
  WorktreeRemove PreCompact PostCompact PreModelSwitch PostModelSwitch Elicitation ElicitationResult`.split(
    /\s+/,
  );

it("every event of Claude Code is an event of Wave or stands in the table of those that are not", () => {
  expect(OF_CLAUDE_CODE).toHaveLength(33);
  const absent = OF_CLAUDE_CODE.filter((event) => !HOOK_EVENT_NAMES.some((name) => name === event));
  expect(Object.keys(ABSENT_EVENTS).toSorted()).toEqual(absent.toSorted());
});
