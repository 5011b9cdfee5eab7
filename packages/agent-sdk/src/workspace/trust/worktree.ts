import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readPlainFile } from "../files/plainFile.ts";

/**
 * Whether a folder is a linked work tree of the repository in `main`, which a person trusts. The word of `main` counts: git
 * wrote there which work trees there are. What the folder says about itself can only take that away, so that neither a made-up
 * pointer nor a stranger's folder in the place of a work tree that was removed is taken for one (T38, T41, G21).
 */
export function isWorktreeOf(main: string, folder: string): boolean {
  try {
    const real = realpathSync(folder);
    // A link in the way, or a work tree itself: then it is not where the repository is.
    if (realpathSync(main) !== main || !lstatSync(join(main, ".git")).isDirectory()) return false;
    if (statSync(main).uid !== statSync(real).uid) return false;
    const records = join(main, ".git", "worktrees");
    return readdirSync(records).some((name) => agree(join(records, name), real));
  } catch {
    // Nothing there, or not ours to read: no such repository, or one without work trees.
    return false;
  }
}

/** The record of the repository names the folder, and the folder names the record. */
function agree(record: string, folder: string): boolean {
  try {
    const named = resolve(record, readPlainFile(join(record, "gitdir")).toString("utf8").trim());
    if (basename(named) !== ".git" || realpathSync(dirname(named)) !== folder) return false;
    if (!lstatSync(named).isFile()) return false;
    const back = /^gitdir: (.+)$/m.exec(readPlainFile(named).toString("utf8"))?.[1];
    return back !== undefined && realpathSync(resolve(folder, back.trim())) === realpathSync(record);
  } catch {
    // A work tree that was removed without telling git.
    return false;
  }
}
