import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SessionError } from "../errors.ts";
import { namesIn } from "./fileFacts.ts";
import { takeLock } from "./fileLock.ts";
import { parseHolder, stateOf, type LockHolder } from "./lockHolder.ts";
import { sessionIdOf } from "./sessionPaths.ts";

export function lockFileOf(sessionFile: string): string {
  return `${sessionFile}.lock`;
}

/**
 * Makes this process the only writer of a session, and returns what undoes it. Throws SessionError "in-use" when
 * another process (or another agent of this one) is the writer, and the system's error when no lock can be written.
 */
export function lockSession(sessionFile: string): () => void {
  return takeLock(lockFileOf(sessionFile), (holder) => inUse(sessionFile, holder));
}

/** Whether another session of the same project is open, in this process or another one. */
export function othersAreOpen(sessionFile: string): boolean {
  const folder = dirname(sessionFile);
  const locks = namesIn(folder).filter((name) => name.endsWith(lockFileOf("")));
  return locks
    .map((name) => join(folder, name))
    .some((lock) => lock !== lockFileOf(sessionFile) && isHeld(lock));
}

function isHeld(lock: string): boolean {
  try {
    const holder = parseHolder(readFileSync(lock, "utf8"));
    return holder !== undefined && stateOf(holder) !== "dead";
  } catch {
    // ENOENT: it was let go since the folder was listed.
    return false;
  }
}

function inUse(sessionFile: string, holder: LockHolder): SessionError {
  const id = sessionIdOf(sessionFile);
  const fork = "go on in a copy of it (--fork)";
  if (stateOf(holder) === "elsewhere") {
    return new SessionError(
      "in-use",
      `Session ${id} was opened by process ${holder.pid} on ${holder.host}, which cannot be seen from here: close it ` +
        `there, ${fork}, or, if that process is gone, delete ${lockFileOf(sessionFile)}.`,
    );
  }
  const who = holder.pid === process.pid ? `this process (${holder.pid})` : `process ${holder.pid}`;
  return new SessionError("in-use", `Session ${id} is open in ${who}: close it there, or ${fork}.`);
}
