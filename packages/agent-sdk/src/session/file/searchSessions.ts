import { setImmediate } from "node:timers/promises";
import type { Block, Message } from "../../messages/blocks.ts";
import type { TranscriptEdit } from "../../messages/edits.ts";
import { parseSessionLine } from "../../messages/parseSessionLine.ts";
import { StreamedAnswer } from "../../messages/streamedAnswer.ts";
import { fileLines } from "../../workspace/files/fileLines.ts";
import { newestSessions } from "./sessionList.ts";

/** A session in which a text was found. */
export interface SessionHit {
  id: string;
  file: string;
  /** The line that has it, or the part of a long line around it. */
  line: string;
  /** Who said it: a tool's own name for what it was given and what it answered. */
  by: string;
}

/** Enough to choose from; a text that is in more sessions needs more words. */
const MAX_HITS = 50;
const LINE_LENGTH = 200;

/**
 * The sessions of a project in whose texts something was said, the one that was written last first, as they are found. In
 * any case of letters. Searches what is in the file, so also what a rewind took out of the conversation. Reads line by line,
 * each session up to its first hit, and stops when `signal` says so.
 */
export async function* searchSessions(
  sessionsDir: string,
  text: string,
  { signal, maxHits = MAX_HITS }: { signal?: AbortSignal; maxHits?: number } = {},
): AsyncGenerator<SessionHit, void, undefined> {
  const wanted = text.trim().toLowerCase();
  let left = wanted === "" ? 0 : maxHits;
  for (const { id, file } of newestSessions(sessionsDir)) {
    if (left === 0 || signal?.aborted) return;
    const hit = await firstHit(file, wanted, signal);
    if (!hit) continue;
    left--;
    yield { id, file, ...hit };
  }
}

async function firstHit(
  file: string,
  wanted: string,
  signal: AbortSignal | undefined,
): Promise<Pick<SessionHit, "line" | "by"> | undefined> {
  // As it stands in JSON: most lines are ruled out without being parsed.
  const quick = JSON.stringify(wanted).slice(1, -1);
  const streamed = new StreamedAnswer();
  try {
    for await (const lines of fileLines(file)) {
      if (signal?.aborted) return undefined;
      for (const { bytes } of lines) {
        const type = TYPE.exec(bytes.toString("latin1", 0, 160))?.[1];
        if (type === "streamed") addPart(streamed, bytes.toString());
        if (type !== "edit") continue;
        // The whole answer is in the message that follows its pieces.
        streamed.forget();
        const line = bytes.toString();
        const hit = line.toLowerCase().includes(quick) ? hitInLine(line, wanted) : undefined;
        if (hit) return hit;
      }
      // A search through gigabytes must not stop the screen.
      await setImmediate();
    }
  } catch {
    // ENOENT, EACCES: a session that cannot be read has nothing to find, and the list of sessions says so.
    return undefined;
  }
  const { cutShort } = streamed;
  return cutShort && hitIn({ edit: "add-message", message: cutShort }, wanted);
}

const TYPE = /"type":"(\w+)"/;

function addPart(streamed: StreamedAnswer, line: string): void {
  const parsed = parseSessionLine(line);
  if (parsed.read === "record" && parsed.record.type === "streamed") streamed.add(parsed.record);
}

function hitInLine(line: string, wanted: string): Pick<SessionHit, "line" | "by"> | undefined {
  const parsed = parseSessionLine(line);
  return parsed.read === "record" && parsed.record.type === "edit"
    ? hitIn(parsed.record.edit, wanted)
    : undefined;
}

function hitIn(edit: TranscriptEdit, wanted: string): Pick<SessionHit, "line" | "by"> | undefined {
  for (const { by, text } of textsIn(edit)) {
    const at = text.toLowerCase().indexOf(wanted);
    if (at !== -1) return { by, line: lineAround(text, at, wanted.length) };
  }
  return undefined;
}

interface Said {
  by: string;
  text: string;
}

function textsIn(edit: TranscriptEdit): Said[] {
  switch (edit.edit) {
    case "add-message":
      return edit.message.blocks.flatMap((block) => textsOf(block, edit.message.role));
    case "add-block":
      return textsOf(edit.block, "assistant");
    case "update-tool":
      return [edit.changes.result ?? "", JSON.stringify(edit.changes.input ?? "")].map((text) => ({
        by: "tool",
        text,
      }));
    default:
      return [];
  }
}

function textsOf(block: Block, role: Message["role"]): Said[] {
  switch (block.type) {
    case "text":
      return [{ by: role === "user" ? "you" : "model", text: block.content }];
    case "reasoning":
    case "summary":
      return [{ by: "model", text: block.content }];
    case "tool":
      return [block.parameters, block.result ?? ""].map((text) => ({ by: block.name, text }));
    case "hook":
    case "error":
    case "warn":
      return [{ by: block.type, text: block.content }];
    case "image":
      return [{ by: role === "user" ? "you" : "model", text: block.path ?? "" }];
    case "unknown":
      return [{ by: "unknown", text: JSON.stringify(block.raw) }];
  }
}

/** The line of a text at a place; of a line that is too long, what is around that place. */
function lineAround(text: string, at: number, length: number): string {
  const start = text.lastIndexOf("\n", at) + 1;
  const end = text.indexOf("\n", at);
  const line = text.slice(start, end === -1 ? undefined : end).trim();
  if (line.length <= LINE_LENGTH) return line;
  const from = Math.max(start, at - Math.floor((LINE_LENGTH - length) / 2));
  const part = text.slice(from, from + LINE_LENGTH).split("\n", 1)[0] ?? "";
  // Half a character at the ends of a part would not be text.
  return `${from > start ? "…" : ""}${part.toWellFormed().replaceAll("\u{FFFD}", "").trim()}…`;
}
