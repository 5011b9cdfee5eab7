import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Enough for a completion list; a larger project is narrowed by typing. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The files of a project, as ripgrep sees them: without what .gitignore names. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const { rgPath } = await import("@vscode/ripgrep");
  const { stdout } = await promisify(execFile)(rgPath, ["--files", "--hidden", "-g", "!.git"], {
    cwd: folder,
    maxBuffer: MAX_BYTES,
    // No more than it needs to find the person's own .gitignore: the keys of the model are none of its business.
    env: { HOME: process.env["HOME"], XDG_CONFIG_HOME: process.env["XDG_CONFIG_HOME"] },
  });
  return stdout
    .split("\n")
    .filter((name) => name !== "")
    .toSorted();
}
