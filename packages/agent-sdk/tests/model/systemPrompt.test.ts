import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { instructionsText, readInstructions } from "@/workspace/instructions.ts";
import { describeStatus, lookAround } from "@/model/surroundings.ts";
import { systemPrompt } from "@/model/systemPrompt.ts";
import { tempFolder } from "../support/tempFolder.ts";

const env = { PATH: process.env["PATH"], HOME: "/nonexistent" };
const look = (projectDir: string, cwd = projectDir) =>
  lookAround({ projectDir, cwd, believed: true, instructions: "", env, signal: undefined });
const instructions = (projectDir: string) => instructionsText(readInstructions(projectDir));
const git = (cwd: string, ...args: string[]): void =>
  void execFileSync("git", args, { cwd, env, stdio: "ignore" });

const addSubmodule = (folder: string): void =>
  git(folder, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},other`);

describe("the system prompt", () => {
  const place = {
    projectDir: "/p",
    cwd: "/p",
    platform: "linux",
    date: "2026-01-02",
    git: "branch main",
    agentsFile: "",
  };

  it("is shorter than 4 KB without the project's own instructions", () => {
    expect(Buffer.byteLength(systemPrompt(place))).toBeLessThan(4096);
  });

  it("says where Wave is and what hooks are", () => {
    const text = systemPrompt({ ...place, cwd: "/p/sub", agentsFile: "Use tabs." });
    expect(text).toContain(
      "Project folder: /p\nWorking folder at the start: /p/sub\nPlatform: linux\nDate: 2026-01-02\nGit at the start of the session: branch main",
    );
    expect(text).toContain("# Hooks\n");
    expect(text).toMatch(/# Instructions of this project \(AGENTS\.md\)\nUse tabs\.$/);
  });
});

describe("the project's AGENTS.md", () => {
  it("is read from the project", () => {
    using folder = tempFolder();
    writeFileSync(join(folder.path, "AGENTS.md"), "\uFEFF# Rules\nBe kind.\n");
    expect(instructions(folder.path)).toBe("# Rules\nBe kind.");
  });

  it("may be missing", () => {
    using folder = tempFolder();
    expect(instructions(folder.path)).toBe("");
  });

  it("is cut at 32 KiB between two characters, with a mark", () => {
    using folder = tempFolder();
    writeFileSync(join(folder.path, "AGENTS.md"), `x${"é".repeat(20_000)}`);
    expect(instructions(folder.path)).toBe(
      `x${"é".repeat(16_383)}\n[AGENTS.md is cut here: 32768 of 40001 bytes are shown]`,
    );
  });

  it("that is a folder or a pipe is mentioned and holds nothing up", () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "AGENTS.md"));
    expect(instructions(folder.path)).toBe(
      "[AGENTS.md exists and could not be read: it is a folder, not a regular file]",
    );
    using other = tempFolder();
    execFileSync("mkfifo", [join(other.path, "AGENTS.md")]);
    expect(typeof instructions(other.path)).toBe("string");
  });
});

describe("the git state", () => {
  it("names the branch and what changed", async () => {
    using folder = tempFolder();
    git(folder.path, "init", "-q", "-b", "trunk");
    writeFileSync(join(folder.path, "new file.txt"), "");
    expect((await look(folder.path)).git).toBe(
      'branch trunk, no commits yet, changed files:\n?? "new file.txt"',
    );
  });

  it("starts no program that the repository names", async () => {
    using folder = tempFolder();
    const spy = join(folder.path, "spy.sh");
    writeFileSync(spy, `#!/bin/sh\ntouch '${folder.path}/started'\n`);
    chmodSync(spy, 0o755);
    git(folder.path, "init", "-q");
    git(folder.path, "config", "core.fsmonitor", spy);
    await look(folder.path);
    expect(existsSync(join(folder.path, "started"))).toBe(false);
  });

  const lookWithout = async (path: string) => {
    const place = { projectDir: path, cwd: path, believed: true, instructions: "", signal: undefined };
    return (await lookAround({ ...place, env: { PATH: path } })).git;
  };

  it("outside a repository says so, and starts nothing for it", async () => {
    using folder = tempFolder();
    expect((await look(folder.path)).git).toBe("not a repository.");
    expect(await lookWithout(folder.path)).toBe("not a repository.");
  });

  it("without git says so", async () => {
    using folder = tempFolder();
    git(folder.path, "init", "-q");
    expect(await lookWithout(folder.path)).toBe("unknown, git could not be asked.");
  });

  const changes = (count: number): string => Array.from({ length: count }, (_, n) => ` M f${n}\n`).join("");
  it.each([
    ["## main...origin/main [ahead 1]\n", false, "branch main...origin/main [ahead 1], nothing changed."],
    ["## main\n M a\n", false, "branch main, changed files:\n M a"],
    [`## main\n${changes(25)}`, false, `branch main, changed files:\n${changes(20)}… and 5 more`],
    [`## main\n${changes(25)}`, true, `branch main, changed files:\n${changes(20)}… and many more`],
  ])("%j is told in few words", (output, wasCut, expected) => {
    expect(describeStatus(output, wasCut)).toBe(expected);
  });
});

describe("a project that nobody approved", () => {
  const lookUnapproved = async (projectDir: string, path = env.PATH) =>
    (
      await lookAround({
        projectDir,
        cwd: projectDir,
        believed: false,
        instructions: "",
        env: { ...env, PATH: path },
        signal: undefined,
      })
    ).git;
  const NOT_LOOKED_AT = /^not looked at, .* \(wave hooks trust shows how\)\.$/;

  it("with a plain repository is looked at, with no git but the machine's own (T37, G16, G44)", async () => {
    using folder = tempFolder();
    expect(await lookUnapproved(folder.path)).toBe("not a repository.");
    git(folder.path, "init", "-q", "-b", "trunk");
    writeFileSync(join(folder.path, "git"), `#!/bin/sh\ntouch "${folder.path}/ran"\n`, { mode: 0o755 });
    const inside = join(folder.path, "inside");
    mkdirSync(inside);
    const path = `.::${folder.path}:${env.PATH ?? ""}`;
    expect(await lookUnapproved(folder.path, path)).toBe(
      "branch trunk, no commits yet, changed files:\n?? git",
    );
    // The work tree's top is not the project; neither is a way to a program.
    expect(await lookUnapproved(inside, path)).toBe(
      "branch trunk, no commits yet, changed files:\n?? ../git",
    );
    expect(existsSync(join(folder.path, "ran"))).toBe(false);
  });

  const HOSTILE: [what: string, make: (folder: string, spy: string) => void][] = [
    ["names a file watcher", (folder, spy) => git(folder, "config", "core.fsmonitor", spy)],
    ["names a filter", (folder, spy) => git(folder, "config", "filter.x.clean", spy)],
    ["includes other settings", (folder) => git(folder, "config", "include.path", "../more")],
    [
      "hides a program behind a line that goes on",
      (folder, spy) =>
        appendFileSync(
          join(folder, ".git/config"),
          `[core]\r\n\teol = lf\\\r\n[user]\r\n\tfsmonitor = ${spy}\r\n`,
        ),
    ],
    ["extends git-lfs", (folder, spy) => git(folder, "config", "lfs.extension.x.clean", spy)],
    ["has a submodule", (folder) => addSubmodule(folder)],
    ["keeps its settings elsewhere", (folder) => writeFileSync(join(folder, ".git/commondir"), "../other\n")],
    [
      "is a file that points elsewhere",
      (folder) => {
        renameSync(join(folder, ".git"), join(folder, "moved"));
        writeFileSync(join(folder, ".git"), "gitdir: moved\n");
      },
    ],
  ];
  it.each(HOSTILE)("is not looked at when its repository %s (T37, G16)", async (_, make) => {
    using folder = tempFolder();
    git(folder.path, "init", "-q");
    const spy = join(folder.path, "spy.sh");
    writeFileSync(spy, `#!/bin/sh\ntouch '${folder.path}/started'\n`, { mode: 0o755 });
    make(folder.path, spy);
    expect(await lookUnapproved(folder.path)).toMatch(NOT_LOOKED_AT);
    expect(existsSync(join(folder.path, "started"))).toBe(false);
  });

  it("with a broken repository does not lead to the one around it (T37, G16)", async () => {
    using folder = tempFolder();
    git(folder.path, "init", "-q");
    git(folder.path, "config", "core.fsmonitor", "touch started");
    const inner = join(folder.path, "inner");
    mkdirSync(join(inner, ".git"), { recursive: true });
    writeFileSync(join(inner, ".git/config"), "");
    expect(await lookUnapproved(inner)).toBe("unknown, git could not be asked.");
  });

  it("cannot bring its own git, also when PATH leads into it (G16, G44)", async () => {
    using folder = tempFolder();
    const planted = join(folder.path, "git");
    writeFileSync(planted, `#!/bin/sh\ntouch "${folder.path}/ran"\n`, { mode: 0o755 });
    const searched = { ...env, PATH: `.::${folder.path}:${env["PATH"] ?? ""}` };
    await lookAround({
      projectDir: folder.path,
      cwd: folder.path,
      believed: true,
      instructions: "",
      env: searched,
      signal: undefined,
    });
    expect(existsSync(join(folder.path, "ran"))).toBe(false);
  });
});
