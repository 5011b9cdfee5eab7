import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSettings } from "@/workspace/settings/settings.ts";
import {
  addTrust,
  approveProject,
  needsReview,
  readProjectTrust,
  revokeTrust,
} from "@/workspace/trust/trust.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const folder = tempFolder();
const at = (...names: string[]) => join(folder.path, ...names);
const home = at("home");

function put(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  chmodSync(at(path), 0o755);
}

function git(cwd: string, ...args: string[]): void {
  const env = { PATH: process.env["PATH"], HOME: folder.path, GIT_CONFIG_NOSYSTEM: "1" };
  const who = ["-c", "user.name=a", "-c", "user.email=a@b"];
  execFileSync("git", [...who, ...args], { cwd, env, stdio: "ignore" });
}

const hook = (command: string) => ({ type: "command", command });
const settings = (hooks: object[], allow: string[] = []) =>
  JSON.stringify({ hooks: { PreToolUse: [{ hooks }] }, permissions: { allow } });

/** How a project looks to somebody who has approved the main working tree. */
function look(name: string) {
  const projectDir = at(name);
  const { hooks, permissions, ofProject } = loadSettings({ projectDir, home, managedFile: "/nonexistent" });
  return readProjectTrust({ home, projectDir, hooks, rules: permissions.rules, ofProject });
}

const asks = (name: string) => needsReview(look(name));
let trees = 0;

/** A new work tree of the approved repository. */
function worktree(): string {
  const name = `tree-${++trees}`;
  git(at("main"), "worktree", "add", "--detach", at(name));
  return name;
}

beforeAll(async () => {
  put("main/guard.sh", "#!/bin/sh\nexit 0\n");
  put("main/AGENTS.md", "Be kind.\n");
  put("main/.wave/settings.json", settings([hook("./guard.sh"), hook("true")], ["Bash(npm test)"]));
  git(at("main"), "init", "-q");
  git(at("main"), "add", "-A");
  git(at("main"), "commit", "-qm", "first");
  await approveProject(home, look("main"), NOW);
  // Kept in a file that git does not carry over.
  await addTrust(home, at("main"), "0".repeat(64), { kind: "allow-rule", rule: "Bash(make)" });
});
afterAll(() => folder[Symbol.dispose]());

describe("a linked work tree of an approved repository", () => {
  it("with exactly the approved hooks needs no yes of its own, and loses it with the main one (T41)", async () => {
    const tree = worktree();
    expect(look(tree)).toMatchObject({
      folder: "trusted",
      through: at("main"),
      items: Array.from({ length: 4 }, () => ({ state: "reviewed" })),
    });
    expect(asks(tree)).toBe(false);
    // A branch that tells the model something else is asked about that, and about nothing besides.
    put(`${tree}/AGENTS.md`, "Be rude.\n");
    expect(look(tree).items.map(({ state }) => state)).toEqual([...Array(3).fill("reviewed"), "changed"]);
    put(`${tree}/AGENTS.md`, "Be kind.\n");
    // The same for what it sets.
    put(`${tree}/.wave/settings.local.json`, JSON.stringify({ env: { FOO: "1" } }));
    expect(look(tree).items.map(({ item, state }) => [item.kind, state])).toContainEqual(["setting", "new"]);
    expect(look(tree).items.filter(({ state }) => state !== "reviewed")).toHaveLength(1);
    rmSync(at(`${tree}/.wave/settings.local.json`));
    // A rule that is kept in it is no approval of everything else.
    await addTrust(home, at(tree), "1".repeat(64), { kind: "allow-rule", rule: "Bash(ls)" });
    expect(asks(tree)).toBe(false);
    expect(await revokeTrust(home, at(tree))).toBe(true);
    expect(asks(tree)).toBe(true);
    await addTrust(home, at(tree), "1".repeat(64), { kind: "allow-rule", rule: "Bash(ls)" });
    expect(asks(tree)).toBe(true);
  });

  it.each<[what: string, change: (tree: string) => void]>([
    ["a byte of a script", (tree) => put(`${tree}/guard.sh`, "#!/bin/sh\nexit 0 \n")],
    [
      "one hook more",
      (tree) =>
        put(`${tree}/.wave/settings.json`, settings([hook("./guard.sh"), hook("true"), hook("false")])),
    ],
    ["one hook less", (tree) => put(`${tree}/.wave/settings.json`, settings([hook("./guard.sh")]))],
    [
      "an allow rule that nobody approved",
      (tree) =>
        put(`${tree}/.wave/settings.json`, settings([hook("./guard.sh"), hook("true")], ["Bash(rm *)"])),
    ],
  ])("asks about all of it when it has %s (T41, G19)", (_what, change) => {
    const tree = worktree();
    change(tree);
    expect(look(tree)).toMatchObject({ folder: "unknown" });
    expect(look(tree).items.some(({ state }) => state === "reviewed")).toBe(false);
  });

  it("of a repository in which only a rule was kept has nothing from it (T41)", async () => {
    put("kept/.wave/settings.json", settings([], ["Bash(make)"]));
    git(at("kept"), "init", "-q");
    git(at("kept"), "add", "-A");
    git(at("kept"), "commit", "-qm", "first");
    git(at("kept"), "worktree", "add", "--detach", at("kept-tree"));
    const { fingerprint } = look("kept-tree").items[0] ?? { fingerprint: "" };
    await addTrust(home, at("kept"), fingerprint, { kind: "allow-rule", rule: "Bash(make)" });
    expect(look("kept-tree")).toMatchObject({ folder: "unknown" });
    expect(look("kept-tree").items.map(({ state }) => state)).not.toContain("reviewed");
  });

  it.each<[what: string, make: () => string]>([
    [
      "a copy of a work tree, pointer and all",
      () => {
        cpSync(at(worktree()), at("copy"), { recursive: true });
        return "copy";
      },
    ],
    [
      "a folder whose pointer names the repository",
      () => {
        cpSync(at("main"), at("forged"), { recursive: true });
        rmSync(at("forged/.git"), { recursive: true });
        put("forged/.git", `gitdir: ${at("main/.git")}\n`);
        return "forged";
      },
    ],
    [
      "another clone in the place of a work tree that was removed",
      () => {
        const tree = worktree();
        rmSync(at(tree), { recursive: true });
        cpSync(at("main"), at(tree), { recursive: true });
        return tree;
      },
    ],
    [
      "a folder whose pointer names the record of another work tree",
      () => {
        const [tree, other] = [worktree(), worktree()];
        writeFileSync(at(tree, ".git"), readFileSync(at(other, ".git")));
        return tree;
      },
    ],
    [
      "a work tree of a repository that took the place of the approved one through a link",
      () => {
        const tree = worktree();
        renameSync(at("main"), at("moved"));
        symlinkSync(at("moved"), at("main"));
        return tree;
      },
    ],
  ])("is not %s: that asks (T38, G21)", (_what, make) => {
    const name = make();
    expect(look(name).items.map(({ state }) => state)).toEqual(["new", "new", "new", "new"]);
    expect(asks(name)).toBe(true);
  });
});
