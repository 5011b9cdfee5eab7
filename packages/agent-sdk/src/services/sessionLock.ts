import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { SessionError, type HeldSession } from "../errors.ts";
import { clockTime } from "../utils/clockTime.ts";
import { namesIn } from "./fileFacts.ts";
import { takeLock } from "./fileLock.ts";
import { parseHolder, stateOf, type LockHolder } from "./lockHolder.ts";
import { readPlainFile } from "./plainFile.ts";
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

/** Who has a session open, this process included; undefined when nobody has. It may be another answer a moment later. */
export function sessionHolder(sessionFile: string): HeldSession | undefined {
  const holder = holderOf(lockFileOf(sessionFile));
  return holder && heldBy(sessionFile, holder);
}

const isHeld = (lock: string): boolean => holderOf(lock) !== undefined;

function holderOf(lock: string): LockHolder | undefined {
  try {
    const holder = parseHolder(readPlainFile(lock).toString("utf8"));
    return holder && stateOf(holder) !== "dead" ? holder : undefined;
  } catch {
    // ENOENT: nobody has it, or it was let go since the folder was listed.
    return undefined;
  }
}

function heldBy(sessionFile: string, holder: LockHolder): HeldSession {
  const there = stateOf(holder) === "elsewhere" ? ` on ${holder.host}` : "";
  const who = holder.pid === process.pid ? `this process (${holder.pid})` : `process ${holder.pid}${there}`;
  // The lock is written once, by whoever takes it.
  const since = statSync(lockFileOf(sessionFile), { throwIfNoEntry: false })?.mtime;
  const when = since === undefined ? "" : ` since ${clockTime(since, new Date())}`;
  return { sessionId: sessionIdOf(sessionFile), by: who + when };
}

function inUse(sessionFile: string, holder: LockHolder): SessionError {
  const held = heldBy(sessionFile, holder);
  const fork = "go on in a copy of it (--fork)";
  const next =
    stateOf(holder) === "elsewhere"
      ? `, which cannot be seen from here: close it there, ${fork}, or, if that process is gone, delete ${lockFileOf(sessionFile)}.`
      : `: close it there, or ${fork}.`;
  return new SessionError("in-use", `Session ${held.sessionId} is open in ${held.by}${next}`, { held });
}
