import { statSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { SessionError, type HeldSession } from "../../errors.ts";
import { clockTime } from "../../utils/clockTime.ts";
import { namesIn } from "../../workspace/files/fileFacts.ts";
import { takeLock } from "../../workspace/files/fileLock.ts";
import { GONE_AFTER_MS, lockState, silentFor } from "../../workspace/files/lockBeat.ts";
import { parseHolder, stateOf, type LockHolder } from "../../workspace/files/lockHolder.ts";
import { readPlainFile } from "../../workspace/files/plainFile.ts";
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
    return holder && lockState(lock, holder) !== "dead" ? holder : undefined;
  } catch {
    // ENOENT: nobody has it, or it was let go since the folder was listed.
    return undefined;
  }
}

function heldBy(sessionFile: string, holder: LockHolder): HeldSession {
  const isElsewhere = stateOf(holder) === "elsewhere";
  const place = holder.host === hostname() ? `in another container of ${holder.host}` : `on ${holder.host}`;
  // In two containers both may have the number 1.
  const isThis = holder.pid === process.pid && !isElsewhere;
  const who = isThis
    ? `this process (${holder.pid})`
    : `process ${holder.pid}${isElsewhere ? ` ${place}` : ""}`;
  // The lock is written once, by whoever takes it.
  const since = statSync(lockFileOf(sessionFile), { throwIfNoEntry: false })?.mtime;
  const when = since === undefined ? "" : ` since ${clockTime(since, new Date())}`;
  return { sessionId: sessionIdOf(sessionFile), by: who + when };
}

/** One that shows that it lives is taken for gone when it has not done so for a while. */
function wayOut(sessionFile: string, { beats }: LockHolder): string {
  const lock = lockFileOf(sessionFile);
  const silent = beats ? silentFor(lock) : undefined;
  if (silent === undefined) return `delete ${lock}`;
  const seconds = Math.ceil(Math.max(1_000, GONE_AFTER_MS - silent) / 1_000);
  return `the session is free in ${seconds} s, or at once when you delete ${lock}`;
}

function inUse(sessionFile: string, holder: LockHolder): SessionError {
  const held = heldBy(sessionFile, holder);
  const fork = "go on in a copy of it (--fork)";
  const next =
    stateOf(holder) === "elsewhere"
      ? `, which cannot be seen from here: close it there, or ${fork}. If that process is gone, ${wayOut(sessionFile, holder)}.`
      : `: close it there, or ${fork}.`;
  return new SessionError("in-use", `Session ${held.sessionId} is open in ${held.by}${next}`, { held });
}
