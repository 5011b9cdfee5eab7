import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  submodulesInIndex,
  submodulesInSettings,
  submodulesOf,
} from "../../../src/workspace/git/gitSubmodules.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const long = `${"l".repeat(200)}/${"m".repeat(200)}`;

describe("the submodules of a repository", () => {
  it.each([
    ["sha1", 2, []],
    ["sha1", 4, []],
    ["sha256", 2, []],
    ["sha256", 4, []],
    ["sha1", 2, ["--split-index"]],
    // What is left out of the work tree has flags that only version 3 knows.
    ["sha1", 3, ["--skip-worktree", "a/b"]],
  ] as const)("are read from an index that git wrote (%s, version %s %j)", (format, version, more) => {
    using folder = tempFolder();
    const git = (...args: string[]) => execFileSync("git", ["-C", folder.path, ...args]);
    git("init", "-q", `--object-format=${format}`);
    const id = "1".repeat(format === "sha1" ? 40 : 64);
    const modes = { "a/b": "100644", "a/bc": "160000", "ä sub": "160000", [long]: "160000", z: "120000" };
    for (const [path, mode] of Object.entries(modes))
      git("update-index", "--add", "--cacheinfo", `${mode},${id},${path}`);
    git("update-index", "--index-version", String(version === 3 ? 2 : version));
    git("update-index", ...more);
    const gitDir = join(folder.path, ".git");
    const found = submodulesOf({ top: folder.path, gitDir });
    expect(found.toSorted()).toEqual(
      ["a/bc", "ä sub", long].map((path) => join(folder.path, path)).toSorted(),
    );
    expect(readFileSync(join(gitDir, "index")).readUInt32BE(4)).toBe(version);
  });

  it.each([
    ["\n".repeat(300_000), []],
    [`path = a${" ".repeat(300_000)}b`, [`a${" ".repeat(300_000)}b`]],
    [`path = ${'"'.repeat(3)}`, ['"']],
  ])(
    "are read from a .gitmodules that is made to hang",
    (text, paths) => {
      expect(submodulesInSettings(text)).toEqual(paths);
    },
    10_000,
  );

  it.each([
    ["", []],
    ['[submodule "x"]\n\tpath = a/b\n\turl = u\n[submodule "y"]\n  Path="c d"\n', ["a/b", "c d"]],
  ])("are read from .gitmodules: %j", (text, paths) => {
    expect(submodulesInSettings(text)).toEqual(paths);
  });

  it("are none where a file is no index, or breaks off", () => {
    const start = Buffer.concat([Buffer.from("DIRC\0\0\0\u0002\0\0\0\u0009"), Buffer.alloc(30, 0xe0)]);
    for (const bytes of [Buffer.alloc(0), Buffer.from([0, 0, 0xe0, 0]), start])
      expect(submodulesInIndex(bytes)).toEqual([]);
  });

  it("never lie outside of the work tree or in git's own folder", () => {
    using folder = tempFolder();
    const top = join(folder.path, "top");
    mkdirSync(join(top, ".git"), { recursive: true });
    writeFileSync(join(top, ".gitmodules"), "path = ../x\npath = .git/y\npath = .\npath = z");
    expect(submodulesOf({ top, gitDir: join(top, ".git") })).toEqual([join(top, "z")]);
  });
});
