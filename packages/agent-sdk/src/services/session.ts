import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SessionError } from "../errors.ts";
import type { SessionRecord } from "../messages/sessionLines.ts";
import { errorCode } from "../utils/errorCode.ts";
import type { LoadedSession, LoadOptions, SessionIdentity } from "../session/file/loadedSession.ts";
import { saveProblem, type SaveProblem } from "../session/file/saveProblem.ts";
import { newestSessions, skippedSessions, type SessionEntry } from "../session/file/sessionList.ts";
import { lockFileOf, lockSession } from "../session/file/sessionLock.ts";
import { agentsFolderOf, claudeFolderOf, copiesFolderOf } from "../session/file/sessionPaths.ts";
import { readSession } from "../session/file/sessionReader.ts";
import { newFileOf } from "../session/file/sessionFile.ts";
import { SessionWriter } from "../session/file/sessionWriter.ts";

export type { GoingBack, LoadedSession, LoadOptions, TimedDecision } from "../session/file/loadedSession.ts";

/**
 * One session as its owner holds it: plain data until the first `saveSession`, which opens the file, takes the lock
 * and keeps both here. (These four functions are all that the agent imports from this module.)
 */
export interface SessionHandle extends SessionIdentity {
  /** Set by `saveSession` when the file is open; releases descriptor and lock. */
  close?: () => void;
  /** Set together with `close`; only `saveSession` uses it. */
  writer?: SessionWriter;
}

export type SaveOutcome =
  /** `others`: what another program did to the file; nothing of the session is lost by it. */
  | { saved: true; others?: string }
  /** Nothing was written, the file is as it was, the same records can be given again. */
  | ({
      saved: false;
      /** What was saved before is no longer on disk: `anew`, with all of it, writes it again. */
      lost?: true;
    } & SaveProblem);

/**
 * Appends records, one line each, with one write. `sync` also waits for the disk, and looks whether the file is still the one of
 * that name. `anew`: these records are all there is, in the place of a file that was lost. Throws SessionError "in-use".
 */
export function saveSession(
  session: SessionHandle,
  records: readonly SessionRecord[],
  options: { sync?: boolean; anew?: boolean } = {},
): SaveOutcome {
  try {
    if (options.anew) return saveAnew(session, records);
    const writer = session.writer ?? open(session);
    const state = writer.look({ byName: options.sync ?? false });
    if (state === "gone" || state === "replaced" || state === "shortened") return lost(session, state);
    if (state === "taken") return taken(session);
    writer.append(records, { sync: options.sync ?? false });
    return state === "grown"
      ? { saved: true, others: `Another program has written into the session file ${session.file}.` }
      : { saved: true };
  } catch (error) {
    if (errorCode(error) === undefined || error instanceof SessionError || !(error instanceof Error))
      throw error;
    return { saved: false, ...saveProblem(error, session.file) };
  }
}

/** Undefined when there is no such file. Writes nothing. Throws SessionError "unreadable". */
export async function loadSession(
  file: string,
  options: LoadOptions = {},
): Promise<LoadedSession | undefined> {
  return readSession(file, options);
}

/** The session of a project folder that was written last; one in which nothing was said only when there is no other. */
export async function getLatestSession(
  sessionsDir: string,
  options: LoadOptions = {},
): Promise<LoadedSession | undefined> {
  let latest: LoadedSession | undefined;
  for (const { file } of newestSessions(sessionsDir)) {
    const session = await loadSession(file, options);
    latest ??= session;
    if (!session || session.messages.length === 0) continue;
    latest = session;
    break;
  }
  // One of these may be the session that is meant.
  const skipped = latest ? skippedSessions(sessionsDir) : [];
  latest?.problems.push(
    ...skipped.map(({ file, why }) => `taken for the latest without ${basename(file)}: ${why}`),
  );
  return latest;
}

/** Deletes the sessions that nobody wrote for so many days and nobody has open. Unset deletes nothing. */
export async function cleanupExpiredSessions(
  sessionsDir: string,
  keepDays: number | undefined,
): Promise<void> {
  if (keepDays === undefined || !(keepDays > 0)) return;
  const cutoff = Date.now() - keepDays * DAY_MS;
  for (const { file, updatedAt } of sessionsIn(sessionsDir)) {
    if (updatedAt < cutoff) deleteIfExpired(file, cutoff);
  }
}

/** Nobody waits for the tidying: a folder that cannot be read is told by whoever wants something from it. */
function sessionsIn(sessionsDir: string): SessionEntry[] {
  try {
    return newestSessions(sessionsDir);
  } catch (error) {
    if (error instanceof SessionError) return [];
    throw error;
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

function open(session: SessionHandle): SessionWriter {
  const writer = new SessionWriter(session);
  session.writer = writer;
  session.close = () => {
    delete session.writer;
    delete session.close;
    writer.close();
  };
  return writer;
}

/** Somebody else's file of that name is not touched. */
function saveAnew(session: SessionHandle, records: readonly SessionRecord[]): SaveOutcome {
  const state = session.writer?.look({ byName: true }) ?? "gone";
  if (state === "replaced") return lost(session, state);
  if (state === "taken") return taken(session);
  if (state !== "gone") session.writer?.startAnew(records);
  else {
    session.close?.();
    // The lock is gone with the folder: somebody else may have taken the session since.
    if (existsSync(session.file)) return lost(session, "replaced");
    open(session).append(records, { sync: true });
  }
  return { saved: true };
}

/** This process did not show for minutes that it lives: it was stopped, or its machine was. What it wrote before is on disk. */
function taken({ id }: SessionHandle): SaveOutcome {
  const why = "another Wave has taken the session over, because this one was stopped for minutes";
  const problem = `This session is not being saved: ${why}; go on in a copy of session ${id}.`;
  return { saved: false, why, problem, promised: true };
}

function lost(session: SessionHandle, state: "gone" | "replaced" | "shortened"): SaveOutcome {
  const why = {
    gone: "its file was deleted or moved away while Wave was using it",
    replaced: "another file has taken the place of its file while Wave was using it",
    shortened: "another program has cut its file while Wave was using it",
  }[state];
  const help = state === "replaced" ? `; move that file away, and Wave writes the session again` : "";
  return {
    saved: false,
    lost: true,
    why,
    problem: `This session is not being saved in ${session.file}: ${why}${help}.`,
    promised: true,
  };
}

function deleteIfExpired(file: string, cutoff: number): void {
  try {
    const unlock = lockSession(file);
    try {
      // Looked at again under the lock: it may have been resumed a moment ago.
      const stat = statSync(file, { throwIfNoEntry: false });
      if (stat && stat.mtimeMs < cutoff) deleteSession(file);
    } finally {
      unlock();
    }
  } catch (error) {
    // In use, or not ours to delete: the next start tries again.
    if (!(error instanceof SessionError) && errorCode(error) === undefined) throw error;
  }
}

/** With what processes left that died while they took its lock. The lock itself is released by its holder. */
function deleteSession(file: string): void {
  rmSync(file, { force: true });
  rmSync(newFileOf(file), { force: true });
  for (const folder of [copiesFolderOf(file), claudeFolderOf(file), agentsFolderOf(file)])
    rmSync(folder, { recursive: true, force: true });
  const leftovers = `${basename(lockFileOf(file))}.`;
  for (const name of readdirSync(dirname(file))) {
    if (name.startsWith(leftovers)) rmSync(join(dirname(file), name), { force: true });
  }
}
