import { join } from "node:path";
import { SessionError } from "../errors.ts";
import type { Message } from "../messages/blocks.ts";
import type { TranscriptEdit } from "../messages/edits.ts";
import { repairEdits } from "../messages/repair.ts";
import {
  getLatestSession,
  loadSession,
  type LoadedSession,
  type SessionHandle,
} from "../services/session.ts";
import { findSession, newSessionId, sessionsDirFor } from "../services/sessionPaths.ts";

export interface OpenedSession {
  handle: SessionHandle;
  sessionsDir: string;
  /** What was said before, as it is in the file. */
  messages: Message[];
  /** To be made and written before anything else: calls that were running at a crash, or all of a fork's history. */
  edits: TranscriptEdit[];
  source: "startup" | "resume";
  interrupted: string[];
  problems: string[];
}

/** A new session, or an earlier one as it was left. Throws SessionError. */
export async function openSession(options: {
  home: string;
  projectDir: string;
  resume: string | undefined;
  fork: boolean;
}): Promise<OpenedSession> {
  const sessionsDir = sessionsDirFor(options.home, options.projectDir);
  const id = newSessionId();
  const fresh: SessionHandle = { id, file: join(sessionsDir, `${id}.jsonl`), cwd: options.projectDir };
  if (options.resume === undefined) {
    return {
      handle: fresh,
      sessionsDir,
      messages: [],
      edits: [],
      source: "startup",
      interrupted: [],
      problems: [],
    };
  }
  const earlier = await loadEarlier(sessionsDir, options.resume);
  const repairs = repairEdits(earlier.messages, earlier.interrupted);
  const { interrupted, problems } = earlier;
  if (!options.fork) {
    const handle = { id: earlier.id, file: earlier.file, cwd: earlier.cwd || options.projectDir };
    return {
      handle,
      sessionsDir,
      messages: earlier.messages,
      edits: repairs,
      source: "resume",
      interrupted,
      problems,
    };
  }
  const copies = earlier.messages.map((message): TranscriptEdit => ({ edit: "add-message", message }));
  const handle = { ...fresh, parent: earlier.id };
  return {
    handle,
    sessionsDir,
    messages: [],
    edits: [...copies, ...repairs],
    source: "resume",
    interrupted,
    problems,
  };
}

async function loadEarlier(sessionsDir: string, wanted: string): Promise<LoadedSession> {
  const session =
    wanted === "latest"
      ? await getLatestSession(sessionsDir)
      : await loadSession(findSession(sessionsDir, wanted));
  if (session) return session;
  throw new SessionError(
    "not-found",
    "there is no earlier session in this folder yet; start one without --continue or --resume",
  );
}
