import { appendFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Message } from "../messages/blocks.ts";
import { claudeLines, type ClaudeLine } from "../messages/claudeLines.ts";
import { makePrivateFolder, PRIVATE_FILE } from "../workspace/files/privateFile.ts";

/**
 * The conversation as a file in Claude Code's shape, for hooks that were written for it and read `transcript_path`. Nobody else
 * reads it, so it is written only when such a hook is about to run, and then only what is new since the last time.
 */
export class ClaudeTranscript {
  readonly #options: ClaudeTranscriptOptions;
  /** By their place: the messages as they were written, and which of their lines. */
  #written: { message: Message; uuids: ReadonlySet<string> }[] = [];
  #last: string | null = null;
  #begun = false;
  #toldOfProblem = false;

  constructor(options: ClaudeTranscriptOptions) {
    this.#options = options;
  }

  /** Its path; the file is complete up to now. */
  upToDate(): string {
    const { file, tell } = this.#options;
    try {
      this.#bringUpToDate();
    } catch (error) {
      // The hook runs all the same: it may judge without it, and its onError speaks when it cannot.
      if (!this.#toldOfProblem)
        tell(`the transcript for hooks of Claude Code cannot be written: ${String(error)}`);
      this.#toldOfProblem = true;
      this.#begun = false;
    }
    return file;
  }

  #bringUpToDate(): void {
    const messages = this.#options.messages();
    // Messages that are gone, or others in their place: a rewind, or a prompt that was taken back.
    const isAnotherStory = this.#written.some(({ message }, at) => messages[at]?.id !== message.id);
    if (isAnotherStory || !this.#begun) this.#writeAnew(messages);
    else {
      const lines = this.#newLines(messages);
      if (lines !== "") appendFileSync(this.#options.file, lines);
    }
    this.#begun = true;
  }

  #writeAnew(messages: readonly Message[]): void {
    const { file } = this.#options;
    this.#written = [];
    this.#last = null;
    makePrivateFolder(dirname(file));
    // A hook of an earlier event may still read the old one.
    const next = `${file}.new`;
    rmSync(next, { force: true });
    writeFileSync(next, this.#newLines(messages), { mode: PRIVATE_FILE, flag: "wx" });
    renameSync(next, file);
  }

  #newLines(messages: readonly Message[]): string {
    const { model } = this.#options;
    const lines: string[] = [];
    for (const [at, message] of messages.entries()) {
      const known = this.#written[at];
      // What did not change is the same object.
      if (known?.message === message) continue;
      const all = claudeLines(message, model());
      for (const line of all) if (!known?.uuids.has(line.uuid)) lines.push(this.#around(line));
      this.#written[at] = {
        message,
        uuids: new Set([...(known?.uuids ?? []), ...all.map(({ uuid }) => uuid)]),
      };
    }
    return lines.join("");
  }

  #around({ uuid, ...line }: ClaudeLine): string {
    const { sessionId, cwd, now } = this.#options;
    const parentUuid = this.#last;
    this.#last = uuid;
    const place = { isSidechain: false, userType: "external", cwd: cwd(), sessionId };
    return `${JSON.stringify({ parentUuid, ...place, ...line, uuid, timestamp: now().toISOString() })}\n`;
  }
}

export interface ClaudeTranscriptOptions {
  file: string;
  sessionId: string;
  /** Those that may be on disk: a prompt that is being judged is not among them. */
  messages: () => readonly Message[];
  cwd: () => string;
  model: () => string | undefined;
  now: () => Date;
  /** For the person. */
  tell: (text: string) => void;
}
