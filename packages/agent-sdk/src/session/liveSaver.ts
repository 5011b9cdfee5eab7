import type { Message } from "../messages/blocks.ts";
import { newParts, streamedBlocks, type StreamedBlock } from "../messages/streamedAnswer.ts";
import type { SessionLog } from "./sessionLog.ts";

/** How far the disk may be behind what is shown. A second is promised; a busy machine gets the other half of it. */
const BEHIND_MS = 500;

/**
 * Keeps an answer on disk while it streams in. Each record has only what is new, and none is synced: a kill loses nothing that
 * was written, and after a power failure the answer is asked for again.
 */
export class LiveSaver {
  readonly #log: SessionLog;
  #shown: Message | undefined;
  #saved: StreamedBlock[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(log: SessionLog) {
    this.#log = log;
  }

  show(message: Message): void {
    this.#shown = message;
    this.#timer ??= setTimeout(() => this.#save(), BEHIND_MS);
  }

  /** The whole answer is written by somebody else, or there is none: then what was saved of it does not count. */
  end(answer: "whole" | "none"): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const messageId = this.#shown?.id;
    if (answer === "none" && messageId !== undefined && this.#saved.length > 0)
      this.#log.append({ type: "streamed", messageId, blocks: 0, parts: [] });
    this.#shown = undefined;
    this.#saved = [];
  }

  #save(): void {
    this.#timer = undefined;
    if (!this.#shown) return;
    const { id: messageId } = this.#shown;
    const blocks = streamedBlocks(this.#shown.blocks);
    const parts = newParts(this.#saved, blocks);
    this.#saved = blocks;
    this.#log.append({ type: "streamed", messageId, blocks: blocks.length, parts });
  }
}
