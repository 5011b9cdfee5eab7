import { unwatchFile, watchFile } from "node:fs";
import { join, resolve } from "node:path";
import { useEffect, useState } from "react";
import { plainFileAt } from "wave-agent-sdk";

/** A look at one file, and nothing is drawn when it is what it was. */
const LOOK_AGAIN_MS = 2_000;

/** The git branch of a folder, read from its file: starting git would run what the repository configures. */
export function branchOf(folder: string): string | undefined {
  const head = textAt(headFile(folder));
  if (head === undefined) return undefined;
  return head.startsWith("ref: refs/heads/") ? head.slice("ref: refs/heads/".length) : head.slice(0, 8);
}

/** The same as long as it is drawn: whoever changes it, here or in another window. */
export function useBranch(folder: string): string | undefined {
  const [branch, setBranch] = useState(() => branchOf(folder));
  useEffect(() => {
    const file = headFile(folder);
    const look = () => setBranch(branchOf(folder));
    watchFile(file, { interval: LOOK_AGAIN_MS, persistent: false }, look);
    return () => unwatchFile(file, look);
  }, [folder]);
  return branch;
}

/** In a worktree `.git` is a file that says where the rest is. */
function headFile(folder: string): string {
  const git = join(folder, ".git");
  const elsewhere = /^gitdir: (.+)$/m.exec(textAt(git) ?? "")?.[1];
  return join(elsewhere === undefined ? git : resolve(folder, elsewhere), "HEAD");
}

const textAt = (file: string): string | undefined => plainFileAt(file)?.toString("utf8").trim();
