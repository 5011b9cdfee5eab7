import { closeSync, fstatSync, readSync } from "node:fs";
import { parseSessionLine } from "../../messages/parseSessionLine.ts";
import { firstLineOf, promptText } from "../../messages/promptText.ts";
import type { SessionRecord } from "../../messages/sessionLines.ts";
import { openPlainFile } from "../../workspace/files/plainFile.ts";

/** What the beginning and the end of a session file tell. */
export interface SessionHead {
  startedAt: number | undefined;
  firstPrompt: string | undefined;
  name: string | undefined;
  /** The session of which it is a copy. */
  parent: string | undefined;
  messageCount: number;
  counted: "all" | "head";
}

const FIRST_READ = 16 * 1024;
const LAST_READ = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Nothing when the file vanished or may not be read: it is listed, with what its name and date tell. */
export function readSessionHead(file: string): SessionHead {
  let fd: number | undefined;
  try {
    fd = openPlainFile(file);
    const head = readHead(fd);
    return head.counted === "all" ? head : { ...head, name: nameAtEnd(fd) };
  } catch {
    return summarize(Buffer.alloc(0), "all");
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** A long first prompt, or much context of hooks before it, gets a longer look. */
function readHead(fd: number): SessionHead {
  for (let length = FIRST_READ; ; length *= 8) {
    const bytes = readAt(fd, 0, length);
    const head = summarize(bytes, bytes.length < length ? "all" : "head");
    if (head.firstPrompt !== undefined || head.counted === "all" || length >= LAST_READ) return head;
  }
}

/** The last line that would say the name decides; before a crash in a long turn it may be far from the end. */
function nameAtEnd(fd: number): string | undefined {
  const { size } = fstatSync(fd);
  for (let length = FIRST_READ; ; length *= 8) {
    const bytes = readAt(fd, Math.max(0, size - length), length);
    for (const line of [...linesIn(bytes)].toReversed()) {
      const named = nameIn(line);
      if (named.is !== "silent") return named.name;
    }
    if (length >= size || length >= LAST_READ) return undefined;
  }
}

function summarize(bytes: Buffer, counted: SessionHead["counted"]): SessionHead {
  const head: SessionHead = {
    startedAt: undefined,
    firstPrompt: undefined,
    name: undefined,
    parent: undefined,
    messageCount: 0,
    counted,
  };
  const messages = new CountedMessages();
  for (const line of linesIn(bytes)) {
    const { ts = "", type, edit, id = "" } = beginningOf(line);
    if (type === "header") {
      head.startedAt ??= Date.parse(ts);
      const record = recordIn(line);
      if (record?.type === "header") head.parent ??= record.parent;
    }
    if (edit === "add-message") messages.add(id, line);
    else if (edit !== undefined && edit !== "add-block" && edit !== "update-tool")
      messages.change(recordIn(line));
    const named = nameIn(line);
    if (named.is === "said") head.name = named.name ?? head.name;
  }
  return { ...head, firstPrompt: messages.firstPrompt, messageCount: messages.count };
}

/** The messages by id, and which of them are prompts only as far as the first one needs it. */
class CountedMessages {
  #ids: string[] = [];
  #first: { id: string; line: string } | undefined;

  get count(): number {
    return this.#ids.length;
  }

  get firstPrompt(): string | undefined {
    return this.#first?.line;
  }

  add(id: string, line: Buffer): void {
    this.#ids.push(id);
    if (!this.#first) this.#lookAt(recordIn(line));
  }

  change(record: SessionRecord | undefined): void {
    if (record?.type !== "edit") return;
    const { edit } = record;
    if (edit.edit === "remove-message") this.#ids = this.#ids.filter((id) => id !== edit.messageId);
    if (edit.edit === "rewind" && this.#ids.includes(edit.messageId))
      this.#ids = this.#ids.slice(0, this.#ids.lastIndexOf(edit.messageId));
    if (this.#first && !this.#ids.includes(this.#first.id)) this.#first = undefined;
    if (edit.edit !== "bring-back") return;
    for (const message of edit.messages) {
      this.#ids.push(message.id);
      if (!this.#first) this.#lookAt({ type: "edit", edit: { edit: "add-message", message } });
    }
  }

  #lookAt(record: SessionRecord | undefined): void {
    if (record?.type !== "edit" || record.edit.edit !== "add-message") return;
    const { message } = record.edit;
    const line = firstLineOf(promptText(message) ?? "");
    if (line !== "") this.#first = { id: message.id, line };
  }
}

/** "said" without a name: a line that would repeat the name, if there were one. */
function nameIn(line: Buffer): { is: "silent" } | { is: "said"; name: string | undefined } {
  if (!SAYING_NAMES.has(beginningOf(line)["type"])) return { is: "silent" };
  const record = recordIn(line);
  return record ? { is: "said", name: "name" in record ? record.name : undefined } : { is: "silent" };
}

const SAYING_NAMES: ReadonlySet<string | undefined> = new Set(["named", "turn_ended", "resumed", "ended"]);

/** Which record it is can be seen at its beginning; only the lines that are needed are parsed. */
const beginningOf = (line: Buffer): Record<string, string | undefined> =>
  LINE_BEGIN.exec(line.toString("latin1", 0, 240))?.groups ?? {};

const LINE_BEGIN =
  /^\{"v":\d+,"seq":\d+,"ts":"(?<ts>[^"]*)","type":"(?<type>\w+)"(?:,"edit":\{"edit":"(?<edit>[\w-]+)"(?:,"message":\{"id":"(?<id>[^"]*)")?)?/;

function recordIn(line: Buffer): SessionRecord | undefined {
  const parsed = parseSessionLine(line.toString());
  return parsed.read === "record" ? parsed.record : undefined;
}

function* linesIn(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

function readAt(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, from));
}
