import { join } from "node:path";
import { SessionError } from "../errors.ts";
import type { HookFacts } from "../hooks/events.ts";
import type { Message, Usage } from "../messages/blocks.ts";
import type { TranscriptEdit } from "../messages/edits.ts";
import { repairEdits } from "../messages/repair.ts";
import type { SessionRecord } from "../messages/sessionLines.ts";
import {
  getLatestSession,
  loadSession,
  type GoingBack,
  type LoadedSession,
  type SessionHandle,
} from "../services/session.ts";
import { copySubAgents } from "./file/subAgentFile.ts";
import { FileCopies } from "./file/fileCopies.ts";
import { skippedSessions } from "./file/sessionList.ts";
import { copiesFolderOf, findSession, newSessionId, sessionsDirFor } from "./file/sessionPaths.ts";

export interface OpenedSession {
  handle: SessionHandle;
  sessionsDir: string;
  /** What was said before, as it is in the file. */
  messages: Message[];
  /** To be made and written before anything else: answers for calls that were running at a crash, or all that a fork copies. */
  records: SessionRecord[];
  /** What the person calls it. */
  name?: string | undefined;
  goingBack?: GoingBack | undefined;
  /** What its turns have cost so far. */
  usage?: Usage | undefined;
  /** The model that was chosen in the session before. */
  model?: string | undefined;
  /** Allow rules that were kept for the session before. */
  rules?: readonly string[];
  /** How it begins; after a compaction it begins once more. */
  source: Exclude<HookFacts<"SessionStart">["source"], "compact">;
  interrupted: string[];
  problems: string[];
}

/** A new session, or an earlier one as it was left. Throws SessionError. */
export async function openSession(options: {
  home: string;
  projectDir: string;
  resume: string | undefined;
  fork: boolean;
  /** Of a new session. */
  source: "startup" | "clear";
}): Promise<OpenedSession> {
  const sessionsDir = sessionsDirFor(options.home, options.projectDir);
  const id = newSessionId();
  const fresh: SessionHandle = { id, file: join(sessionsDir, `${id}.jsonl`), cwd: options.projectDir };
  if (options.resume === undefined) {
    return {
      handle: fresh,
      sessionsDir,
      messages: [],
      records: [],
      source: options.source,
      interrupted: [],
      problems: [],
    };
  }
  const earlier = await loadEarlier(sessionsDir, options.resume);
  if (earlier.newer !== undefined && !options.fork) throw fromNewer(earlier.id, earlier.newer);
  const repairs = repairEdits(earlier.messages, earlier.interrupted);
  const inFile = earlier.cutShort ? earlier.messages.slice(0, -1) : earlier.messages;
  const added = (message: Message): TranscriptEdit => ({ edit: "add-message", message });
  const { interrupted, problems } = earlier;
  const { model } = earlier;
  const rules = earlier.rules ?? [];
  if (!options.fork) {
    const handle = { id: earlier.id, file: earlier.file, cwd: earlier.cwd || options.projectDir };
    return {
      handle,
      sessionsDir,
      messages: inFile,
      records: [...earlier.messages.slice(inFile.length).map(added), ...repairs].map((edit) => ({
        type: "edit",
        edit,
      })),
      name: earlier.name,
      goingBack: earlier.goingBack,
      usage: earlier.usage,
      model,
      rules,
      source: "resume",
      interrupted,
      problems,
    };
  }
  const copies = earlier.messages.map(added);
  const handle = { ...fresh, parent: earlier.id };
  copySubAgents(earlier.file, handle.file);
  return {
    handle,
    sessionsDir,
    messages: [],
    records: [
      ...(await copyGoingBack(earlier, handle, [...copies, ...repairs])),
      ...rules.map((rule) => ({ type: "rule_added", rule, scope: "session" }) as const),
      ...(model === undefined ? [] : [{ type: "model_chosen", model } as const]),
    ],
    model,
    rules,
    source: "fork",
    interrupted,
    problems,
  };
}

/** A copy can go back as far as what it was copied from: it gets its records and its copies of files. */
async function copyGoingBack(
  { file, goingBack }: LoadedSession,
  copy: SessionHandle,
  edits: TranscriptEdit[],
): Promise<SessionRecord[]> {
  if (!goingBack) return edits.map((edit) => ({ type: "edit", edit }));
  await new FileCopies(copiesFolderOf(copy.file)).adopt(new FileCopies(copiesFolderOf(file)));
  return goingBack.checkpoints.interleave(edits);
}

/** What this version does not know could be lost, or be read wrongly later, if it went on there. */
function fromNewer(id: string, newer: string): SessionError {
  return new SessionError(
    "newer",
    `Session ${id} was written by a newer version of Wave (${newer}), so this one does not write into it: upgrade Wave, or go on in a copy of it (--fork), in which that is marked as unknown.`,
    { copyOf: id },
  );
}

async function loadEarlier(sessionsDir: string, wanted: string): Promise<LoadedSession> {
  const session =
    wanted === "latest"
      ? await getLatestSession(sessionsDir, { goingBack: true })
      : await loadSession(findSession(sessionsDir, wanted), { goingBack: true });
  if (session) return session;
  throw new SessionError("not-found", wanted === "latest" ? whyNoLatest(sessionsDir) : whyGone(wanted));
}

function whyNoLatest(sessionsDir: string): string {
  const skipped = skippedSessions(sessionsDir).map(({ file, why }) => `${file}: ${why}`);
  return skipped.length === 0
    ? "there is no earlier session in this folder yet; start one without --continue or --resume"
    : `no earlier session of this folder can be read (${skipped.join("; ")})`;
}

/** Its name is there, and what it leads to is not. */
function whyGone(wanted: string): string {
  return `The file of session ${wanted} is gone: \`wave sessions list\` shows those that are there.`;
}
