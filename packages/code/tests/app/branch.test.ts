import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { branchOf } from "../../src/app/branch.ts";

const folder = mkdtempSync(join(tmpdir(), "wave-branch-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, text: string) => {
  mkdirSync(join(folder, file, ".."), { recursive: true });
  writeFileSync(join(folder, file), text);
};

describe("the branch of a folder", () => {
  it("is read from its repository, from a worktree, and is a commit where there is no branch", () => {
    expect(branchOf(folder)).toBeUndefined();
    write(".git/HEAD", "ref: refs/heads/fix/login\n");
    expect(branchOf(folder)).toBe("fix/login");
    write(".git/HEAD", "0123456789abcdef0123456789abcdef01234567\n");
    expect(branchOf(folder)).toBe("01234567");
    write("tree/.git", "gitdir: ../.git/worktrees/tree\n");
    write(".git/worktrees/tree/HEAD", "ref: refs/heads/other\n");
    expect(branchOf(join(folder, "tree"))).toBe("other");
  });
});
