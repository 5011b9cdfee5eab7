import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { GIT_READS } from "../../../shell-reader/src/programs/git/reads.ts";
import { PERMISSION_MODES } from "@/permissions/modes.ts";
import { policyBench } from "../support/policyBench.ts";
import { AS_SOMEBODY, GIT_TRAPS, ORDINARY_REPOSITORIES, type Trapped } from "./gitTraps.ts";

const bench = policyBench();
afterAll(() => bench[Symbol.dispose]());

const env = { ...bench.session.env, GIT_CONFIG_NOSYSTEM: "1" };
const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-C", folder, ...AS_SOMEBODY, ...args], { encoding: "utf8", env }).trim();
const canary = join(bench.project, "../canary");
const secret = join(bench.project, "../secret");
const seed = join(bench.project, "../seed");

mkdirSync(join(seed, "src"), { recursive: true });
git(seed, "init", "-q", "--template=", "-b", "main");
for (const text of ["one\n", "one\ntwo\n"]) {
  for (const file of ["a.txt", "src/b.txt"]) writeFileSync(join(seed, file), text);
  git(seed, "add", "-A");
  git(seed, "commit", "-qm", text);
}
cpSync(seed, secret, { recursive: true });
for (const file of ["src/b.txt", "b.txt", "key"]) writeFileSync(join(secret, file), "SECRET\nSECRET\n");
git(secret, "checkout", "-q", "--orphan", "other");
git(secret, "add", "-A");
git(secret, "commit", "-qm", "SECRET");
const commit = git(secret, "rev-parse", "HEAD");

/** Copies of the same two commits, each with something else around them. */
function prepared(name: string, lay: (at: Trapped) => void): Trapped {
  const repo = join(bench.project, "repos", name.replaceAll(/\W+/g, "-"));
  cpSync(seed, repo, { recursive: true });
  const at = { repo, secret, commit, fires: `touch ${canary}` };
  lay(at);
  return at;
}

/** Whether a line does more than read what is in the project. */
function springs(line: string): boolean {
  rmSync(canary, { force: true });
  const { stdout, stderr } = spawnSync("bash", ["-c", line], { cwd: bench.project, env, encoding: "utf8" });
  return existsSync(canary) || /SECRET/.test(stdout + stderr);
}

const READING = [
  "git status",
  "git diff",
  "git diff HEAD~1",
  "git log -p -2",
  "git log --oneline -5",
  "git show",
  "git blame a.txt",
  "git grep -n S",
  "git stash list",
  "git branch -a",
  "git reflog",
  "git clean -n",
];

describe("a repository that a folder brings along", () => {
  it.each(Object.entries(GIT_TRAPS))(
    "makes no command of git that needs no question do more than read: %s (G16, G29, G33)",
    (name, trap) => {
      const at = prepared(name, trap.lay);
      const inside = `cd ${at.repo} && `;
      const springing = `${inside}${trap.springs(at)}`;
      expect(springs(springing), "the trap does not work at all").toBe(true);
      for (const mode of PERMISSION_MODES.filter((one) => one !== "bypassPermissions"))
        expect([mode, bench.decide(springing, { mode }).decision]).not.toEqual([mode, "allow"]);
      const allowed = READING.filter((line) => bench.decide(inside + line).decision === "allow");
      expect(springs(inside + allowed.join("\n")), allowed.join("\n")).toBe(false);
    },
  );
});

describe("in a repository with the settings that tools write", () => {
  it.each(Object.entries(ORDINARY_REPOSITORIES))("reading needs no question: %s (G33)", (name, lay) => {
    const { repo } = prepared(name, lay);
    const asked = READING.filter((line) => bench.decide(`cd ${repo} && ${line}`).decision !== "allow");
    expect(asked).toEqual([]);
  });
});

it("every option of git that is believed to take the next word takes it, so that no file hides behind it (G33)", () => {
  const { repo } = prepared("options", () => {});
  const wrong = ["diff", "grep", "blame"].flatMap((name) =>
    [...(GIT_READS[name]?.options() ?? [])]
      .filter(([, kind]) => kind === "value")
      .map(([option]) => (option.length === 1 ? `-${option}` : `--${option}`))
      .filter((option) => {
        const last = name === "blame" ? ["a.txt"] : name === "grep" && option !== "-e" ? ["x"] : [];
        const { stderr } = spawnSync("git", [name, option, "../nowhere", ...last], {
          cwd: repo,
          env,
          encoding: "utf8",
        });
        return /ambiguous argument|outside repository|no such path|resolve revision|unknown (option|switch)|invalid option/.test(
          stderr,
        );
      })
      .map((option) => `${name} ${option}`),
  );
  expect(wrong).toEqual([]);
});

it("without a repository git compares any files, so links count there as well (G29, G33)", () => {
  using bare = policyBench();
  rmSync(join(bare.project, ".git"), { recursive: true });
  symlinkSync("/etc", join(bare.project, "link"));
  symlinkSync("/etc/hostname", join(bare.project, "main"));
  for (const line of [
    "git diff README.md link/hostname",
    "git diff link/hostname README.md",
    "git diff README.md src/../../x",
    "git diff -U link/hostname README.md",
    "git diff main package.json",
    "git diff --stat README.md ~/x",
  ])
    expect([line, bare.decide(line).decision]).toEqual([line, "ask"]);
  expect(bare.decide("git diff README.md package.json").decision).toBe("allow");
});
