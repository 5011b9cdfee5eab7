import { closeSync, openSync, readSync, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { parseSessionLine } from "../messages/parseSessionLine.ts";
import { sessionFileFor, sessionIdsIn } from "./sessionPaths.ts";

export interface SessionSummary {
  id: string;
  file: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  updatedAt: number;
  /** The first line of what the user asked first; undefined when nothing was asked. */
  firstPrompt: string | undefined;
  messageCount: number;
  /** "head": the session is long and only its beginning was read, so there are at least this many messages. */
  counted: "all" | "head";
}

/** The sessions of a project, the one that was written last first. Reads the beginning of each file only. */
export async function listSessions(sessionsDir: string): Promise<SessionSummary[]> {
  const found: SessionSummary[] = [];
  for (const [index, entry] of newestSessions(sessionsDir).entries()) {
    // Short synchronous reads are several times faster than as many promises; the pause lets the rest of Wave live.
    if (index % 100 === 99) await setImmediate();
    const { startedAt = entry.updatedAt, ...head } = readHead(entry.file);
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
}

/** What a look at the folder tells, newest first; of two written in the same moment, the one that began later. */
export function newestSessions(sessionsDir: string): SessionEntry[] {
  const entries = sessionIdsIn(sessionsDir).flatMap((id) => {
    const file = sessionFileFor(sessionsDir, id);
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat?.isFile() ? [{ id, file, updatedAt: stat.mtimeMs }] : [];
  });
  return entries.toSorted((a, b) => b.updatedAt - a.updatedAt);
}

interface Head {
  startedAt: number | undefined;
  firstPrompt: string | undefined;
  messageCount: number;
  counted: "all" | "head";
}

const FIRST_READ = 16 * 1024;
const LAST_READ = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/** A long first prompt, or much context of hooks before it, gets a longer look. */
function readHead(file: string): Head {
  for (let length = FIRST_READ; ; length *= 8) {
    const bytes = readBytes(file, length);
    const head = summarize(bytes, bytes.length < length ? "all" : "head");
    if (head.firstPrompt !== undefined || head.counted === "all" || length >= LAST_READ) return head;
  }
}

function summarize(bytes: Buffer, counted: Head["counted"]): Head {
  const head: Head = { startedAt: undefined, firstPrompt: undefined, messageCount: 0, counted };
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    const line = bytes.subarray(start, end);
    start = end + 1;
    // Which record it is can be seen at its beginning; only the line with the prompt is parsed.
    const { ts = "", type, edit } = LINE_BEGIN.exec(line.toString("latin1", 0, 160))?.groups ?? {};
    if (type === "header") head.startedAt ??= Date.parse(ts);
    if (edit === "remove-message") head.messageCount--;
    if (edit !== "add-message") continue;
    head.messageCount++;
    head.firstPrompt ??= promptIn(line.toString());
  }
  return head;
}

const LINE_BEGIN =
  /^\{"v":\d+,"seq":\d+,"ts":"(?<ts>[^"]*)","type":"(?<type>\w+)"(?:,"edit":\{"edit":"(?<edit>[\w-]+)")?/;

function promptIn(line: string): string | undefined {
  const parsed = parseSessionLine(line);
  if (parsed.read !== "record" || parsed.record.type !== "edit") return undefined;
  const { edit } = parsed.record;
  // A message with an origin was written by a hook, not typed.
  if (edit.edit !== "add-message" || edit.message.role !== "user" || edit.message.origin) return undefined;
  const text = edit.message.blocks
    .flatMap((block) => (block.type === "text" ? [block.content] : []))
    .join("\n");
  // What a SessionStart hook tells the model is a message of role user, too, and has no text that anybody typed.
  return text.trimStart().split("\n", 1)[0]?.trimEnd() || undefined;
}

/** Nothing when the file vanished or may not be read: it is listed, with what its name and date tell. */
function readBytes(file: string, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    return bytes.subarray(0, readSync(fd, bytes, 0, length, 0));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
