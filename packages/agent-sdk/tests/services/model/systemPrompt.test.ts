import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { instructionsText, readInstructions } from "@/services/instructions.ts";
import { describeStatus, lookAround } from "@/services/model/surroundings.ts";
import { systemPrompt } from "@/services/model/systemPrompt.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const env = { PATH: process.env["PATH"], HOME: "/nonexistent" };
const look = (projectDir: string, cwd = projectDir) =>
  lookAround({ projectDir, cwd, believed: true, instructions: "", env, signal: undefined });
const instructions = (projectDir: string) => instructionsText(readInstructions(projectDir));
const git = (cwd: string, ...args: string[]): void =>
  void execFileSync("git", args, { cwd, env, stdio: "ignore" });

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
    expect(instructions(folder.path)).toBe("[AGENTS.md exists and could not be read: EISDIR]");
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
      'branch No commits yet on trunk, changed files:\n?? "new file.txt"',
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

  it("outside a repository says so", async () => {
    using folder = tempFolder();
    expect((await look(folder.path)).git).toBe("not a repository.");
  });

  it("without git says so", async () => {
    using folder = tempFolder();
    const place = {
      projectDir: folder.path,
      cwd: folder.path,
      believed: true,
      instructions: "",
      env: { PATH: folder.path },
      signal: undefined,
    };
    expect((await lookAround(place)).git).toBe("unknown, git could not be asked.");
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
  it("is not looked at: through git its repository could configure what runs (T37, G16)", async () => {
    using folder = tempFolder();
    git(folder.path, "init");
    const around = await lookAround({
      projectDir: folder.path,
      cwd: folder.path,
      believed: false,
      instructions: "",
      env,
      signal: undefined,
    });
    expect(around.git).toBe("not looked at, the user has not approved this folder.");
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
