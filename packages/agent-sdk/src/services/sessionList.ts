import { setImmediate } from "node:timers/promises";
import { statOf } from "./fileFacts.ts";
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

/** What a look at the folder tells, newest first; of two written in the same moment, the one that began later. */
export function newestSessions(sessionsDir: string): SessionEntry[] {
  const entries = sessionIdsIn(sessionsDir).flatMap((id) => {
    const file = sessionFileFor(sessionsDir, id);
    // One link that leads in a circle must not hide all the others.
    const stat = statOf(file);
    return stat?.isFile() ? [{ id, file, updatedAt: stat.mtimeMs, bytes: stat.size }] : [];
  });
  return entries.toSorted((a, b) => b.updatedAt - a.updatedAt);
}
