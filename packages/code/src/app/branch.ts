import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The git branch of a folder, read from its file: starting git would run what the repository configures. */
export function branchOf(folder: string): string | undefined {
  try {
    const head = readFileSync(join(folder, ".git", "HEAD"), "utf8").trim();
    return head.startsWith("ref: refs/heads/") ? head.slice("ref: refs/heads/".length) : head.slice(0, 8);
  } catch {
    // ENOENT, ENOTDIR: no repository, or a worktree whose HEAD is elsewhere.
    return undefined;
  }
}
