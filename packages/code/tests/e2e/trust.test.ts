import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { makeProject, type Project } from "../support/project.ts";
import { runWave } from "../support/runWave.ts";

const bash = { call: { name: "Bash", arguments: { command: "echo hi" } } };
const BYPASS = ["--permission-mode", "bypassPermissions"];

/** A project with a guard that leaves a trace when it runs. */
function guarded(): Project {
  const project = makeProject();
  project.hook("PreToolUse", "touch guard-ran", { matcher: "Bash", name: "guard" });
  return project;
}

const ran = (project: Project) => existsSync(join(project.folder, "guard-ran"));

async function print(project: Project, args: string[] = []) {
  await using model = await startScriptedModel([bash, { say: "done" }]);
  const run = await runWave(["-p", ...BYPASS, ...args, "go"], { project, model, approved: false });
  return { ...run, requests: model.requests };
}

describe("wave -p in a project whose hooks nobody approved", () => {
  it("leaves them off aloud, refuses what they would judge, and ends with 78 (T42, G22, G23)", async () => {
    using project = guarded();
    const run = await print(project);
    expect(run.status).toBe(78);
    expect(ran(project)).toBe(false);
    expect(run.stderr).toMatch(/1 hook of this project is off because nobody approved it/);
    expect(run.requests[1]?.text).toContain("nobody has approved it in this form");
  });

  it("goes on without them when that is said on purpose (T43)", async () => {
    using project = guarded();
    const run = await print(project, ["--no-project-hooks"]);
    expect([run.status, ran(project)]).toEqual([0, false]);
    expect(run.stderr).toContain("guard");
  });

  it("runs them when their hash is given, and refuses another hash with the right one (G23)", async () => {
    using project = guarded();
    const hash = (await runWave(["hooks", "trust", "hash"], { project, approved: false })).stdout.trim();
    const wrong = await print(project, ["--trust-hooks", "f".repeat(64)]);
    expect([wrong.status, ran(project)]).toEqual([78, false]);
    expect(wrong.stderr).toContain(hash);
    const right = await print(project, ["--trust-hooks", hash]);
    expect([right.status, ran(project)]).toEqual([0, true]);
  });
});

describe("wave -p with settings that change during the run", () => {
  it("says so in one sentence on stderr, and what was read stays in force (T83, G28)", async () => {
    using project = guarded();
    project.hook("SessionStart", 'echo \'{"permissions":{"deny":["Bash"]}}\' > .wave/settings.local.json');
    await using model = await startScriptedModel([bash, { say: "done" }]);
    const run = await runWave(["-p", ...BYPASS, "go"], { project, model });
    expect([run.status, ran(project)]).toEqual([0, true]);
    const said = run.stderr.split("\n").filter((line) => line.includes("while Wave runs"));
    expect(said).toEqual([
      expect.stringMatching(
        /settings\.local\.json was created while Wave runs; .* stays active; it counts when/,
      ),
    ]);
    expect(run.stderr).not.toContain("/hooks");
  });
});

describe("wave hooks trust", () => {
  it("shows every command with its files, approves what was shown, and takes it back (T39, T40)", async () => {
    using project = guarded();
    const trust = (...words: string[]) => runWave(["hooks", "trust", ...words], { project, approved: false });
    const shown = await trust();
    expect(shown.stdout).toMatch(/PreToolUse\n {2}guard on Bash {3}new\n {4}\.\/hooks\/hook-1\.sh\n/);
    expect(shown.stdout).toMatch(/pins hooks\/hook-1\.sh [0-9a-f]{12}/);
    const hash = /trust approve ([0-9a-f]+)/.exec(shown.stdout)?.[1] ?? "";
    expect((await trust("approve")).status).toBe(2);
    expect((await trust("approve", "00000000")).stderr).toContain("look again");
    expect((await trust("approve", hash)).stdout).toMatch(/^Approved: 1 hook of .*, in this form\.\n$/);
    expect((await trust()).stdout).toMatch(/ is approved: 1 hook\.\nHash: /);
    expect((await print(project)).status).toBe(0);
    expect(ran(project)).toBe(true);

    project.script("hooks/hook-1.sh", "touch guard-ran; echo changed");
    const changed = await trust();
    expect(changed.stdout).toContain("guard on Bash   changed");
    expect(changed.stdout).toContain("+ touch guard-ran; echo changed");
    expect(changed.stdout).toContain("- touch guard-ran");

    expect((await trust("revoke")).stdout).toContain("Nothing of");
    expect((await print(project)).status).toBe(78);
  });

  it("says of a folder with nothing to approve that nothing needs it, and what a yes would change (T39)", async () => {
    using project = makeProject();
    const trust = async () => (await runWave(["hooks", "trust"], { project, approved: false })).stdout;
    const nothing = `Nothing in ${project.folder} needs an approval.\n`;
    expect(await trust()).toBe(nothing);
    // A `.git` that is a file: git may be led anywhere.
    project.write(".git", "gitdir: elsewhere\n");
    expect(await trust()).toMatch(
      new RegExp(`^${nothing}\\nIts git repository is left alone, [^]*trust approve [0-9a-f]{12}\\n`),
    );
  });

  it("spells out what a command hides (G24)", async () => {
    using project = makeProject();
    const command = "echo fine \u202e\u001b[2K\u200b; touch x";
    project.settings({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
    const { stdout } = await runWave(["hooks", "trust"], { project, approved: false });
    expect(stdout).toContain("echo fine \\u202e\\x1b[2K\\u200b; touch x");
  });

  it("shows where links lead that leave the project: of a script, of settings, of an allow rule (T47)", async () => {
    using project = guarded();
    using elsewhere = makeProject("elsewhere");
    const script = elsewhere.script("guard.sh", "exit 0");
    rmSync(join(project.folder, "hooks/hook-1.sh"));
    symlinkSync(join(elsewhere.folder, script), join(project.folder, "hooks/hook-1.sh"));
    elsewhere.settings({ permissions: { allow: ["Bash(ls)"] } });
    const target = join(elsewhere.folder, ".wave/settings.json");
    symlinkSync(target, join(project.folder, ".wave/settings.local.json"));
    const { stdout } = await runWave(["hooks", "trust"], { project, approved: false });
    expect(stdout).toMatch(new RegExp(`pins hooks/hook-1.sh [0-9a-f]{12} → ${elsewhere.folder}/guard.sh\\n`));
    expect(stdout).toContain(`Bash(ls)   .wave/settings.local.json → ${target}\n`);
    expect(stdout).not.toMatch(/\.wave\/settings\.json:\d+, .* →/);
  });

  it("has the same as JSON", async () => {
    using project = guarded();
    const { stdout } = await runWave(["hooks", "trust", "--json"], { project, approved: false });
    expect(JSON.parse(stdout)).toMatchObject({
      trusted: false,
      items: [
        { kind: "hook", state: "new", command: "./hooks/hook-1.sh", files: [{ path: "hooks/hook-1.sh" }] },
      ],
    });
    expect(readFileSync(join(project.folder, "hooks/hook-1.sh"), "utf8")).toContain("touch");
  });
});
