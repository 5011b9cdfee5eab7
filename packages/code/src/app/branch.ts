import { join } from "node:path";
import { plainFileAt } from "wave-agent-sdk";

/** The git branch of a folder, read from its file: starting git would run what the repository configures. */
export function branchOf(folder: string): string | undefined {
  // None where there is no repository, or a worktree whose HEAD is elsewhere.
  const head = plainFileAt(join(folder, ".git", "HEAD"))
    ?.toString("utf8")
    .trim();
  if (head === undefined) return undefined;
  return head.startsWith("ref: refs/heads/") ? head.slice("ref: refs/heads/".length) : head.slice(0, 8);
}
