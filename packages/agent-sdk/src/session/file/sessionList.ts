import { accessSync, constants } from "node:fs";
import { SessionError } from "../../errors.ts";
import { setImmediate } from "node:timers/promises";
import { statOf } from "../../workspace/files/fileFacts.ts";
import { whyUnreadable } from "../../workspace/files/plainFile.ts";
import { readSessionHead } from "./sessionHead.ts";
import { sessionFileFor, sessionIdsIn } from "./sessionPaths.ts";

export interface SessionSummary {
  id: string;
  file: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  updatedAt: number;
  /** What the person calls it. */
  name: string | undefined;
  /** The id of the session of which it is a copy. */
  parent: string | undefined;
  /** The first line of what the user asked first; undefined when nothing was asked. */
  firstPrompt: string | undefined;
  messageCount: number;
  /** Of the session file. */
  bytes: number;
  /** "head": the session is long and only its beginning was read, so there are at least this many messages. */
  counted: "all" | "head";
}

/** The sessions of a project, the one that was written last first. Reads no more than the beginning and the end of each file. */
export async function listSessions(sessionsDir: string): Promise<SessionSummary[]> {
  if (statOf(sessionsDir)?.isDirectory() === false)
    throw new SessionError(
      "unreadable",
      `The folder of the sessions is no folder: ${sessionsDir}. Move it away.`,
    );
  const found: SessionSummary[] = [];
  for (const [index, entry] of newestSessions(sessionsDir).entries()) {
    // Short synchronous reads are several times faster than as many promises; the pause lets the rest of Wave live.
    if (index % 100 === 99) await setImmediate();
    const { startedAt = entry.updatedAt, ...head } = readSessionHead(entry.file);
    found.push({
      ...entry,
      updatedAt: Math.round(entry.updatedAt),
      startedAt: Math.round(startedAt),
      ...head,
    });
  }
  return found;
}

export interface SessionEntry {
  id: string;
  file: string;
  updatedAt: number;
  bytes: number;
}

/** The name of a session with nothing behind it that could be read. */
export interface SkippedSession {
  file: string;
  why: string;
}

/**
 * What a look at the folder tells, newest first; of two written in the same moment, the one that began later. One that cannot be
 * read does not hide the others: `skippedSessions` names it.
 */
export function newestSessions(sessionsDir: string): SessionEntry[] {
  const entries = sessionIdsIn(sessionsDir).flatMap((id) => entryOf(id, sessionFileFor(sessionsDir, id)));
  return entries.toSorted((a, b) => b.updatedAt - a.updatedAt);
}

/** What `newestSessions` left out, and why. */
export function skippedSessions(sessionsDir: string): SkippedSession[] {
  return sessionIdsIn(sessionsDir).flatMap((id) => {
    const file = sessionFileFor(sessionsDir, id);
    const why = entryOf(id, file).length === 0 ? whyUnreadable(file) : undefined;
    return why === undefined ? [] : [{ file, why }];
  });
}

function entryOf(id: string, file: string): [SessionEntry] | [] {
  const stat = statOf(file);
  if (!stat?.isFile() || !mayRead(file)) return [];
  return [{ id, file, updatedAt: stat.mtimeMs, bytes: stat.size }];
}

function mayRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    // EACCES, or it has gone.
    return false;
  }
}
