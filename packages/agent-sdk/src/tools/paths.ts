import { personHome } from "../workspace/personHome.ts";
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { absolutePath as placePath } from "../permissions/paths.ts";
import { nearestName } from "../utils/nearestName.ts";
import type { CannotRun, ToolSession } from "./tool.ts";

/** A path as a model or a hook wrote it, made absolute. What is no path at all stays as it is: the tool says why it fails. */
export function absolutePath(path: string, session: Pick<ToolSession, "cwd" | "env">): string {
  const placed = placePath(path, { cwd: session.cwd, home: personHome(session.env) });
  return "path" in placed ? placed.path : path;
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // ENOENT, ENOTDIR, EACCES: nothing that work can be done in.
    return false;
  }
}

/** The folder a process starts in. A vanished folder is replaced by the project's, and the note says so. */
export function workingFolder(session: ToolSession): { folder: string; note: string | undefined } {
  if (isFolder(session.cwd)) return { folder: session.cwd, note: undefined };
  const note = `The working folder ${session.cwd} does not exist any more; it is now ${session.projectDir}.`;
  session.cwd = session.projectDir;
  return { folder: session.projectDir, note };
}

/** A path that leads nowhere. */
export function missing(path: string): CannotRun {
  return { problem: `${path} does not exist.`, inFull: explainMissing(path) };
}

/** One sentence, with the name that was probably meant. */
function explainMissing(path: string): string {
  const folder = dirname(path);
  if (!isFolder(folder)) return `${path} does not exist; neither does the folder ${folder}.`;
  const near = nearestName(basename(path), namesIn(folder));
  const hint = near === undefined ? "" : ` Did you mean ${join(folder, near)}?`;
  return `${path} does not exist.${hint}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // EACCES: a folder that may not be listed has nothing to suggest.
    return [];
  }
}
