import type { DeepReadonly } from "../utils/deepFreeze.ts";
import { z } from "zod";
import { once } from "../utils/once.ts";
import type { Block, Message } from "./blocks.ts";

/** Of an answer that streams in, how it goes on: `text` stands from `at` on in one of its blocks. */
const partSchema = once(() =>
  z.object({
    block: z.int().nonnegative(),
    type: z.enum(["text", "reasoning"]),
    at: z.int().nonnegative(),
    text: z.string(),
  }),
);

/**
 * What has come of an answer since the record before it, so that a crash costs no more than a moment of it. The message with the
 * whole answer takes its place.
 */
export const streamedSchema = once(() =>
  z.object({
    type: z.literal("streamed"),
    messageId: z.string(),
    /** How many blocks there are now; 0: nothing of it counts any more. */
    blocks: z.int().nonnegative(),
    parts: z.array(partSchema()),
  }),
);

export type StreamedRecord = DeepReadonly<z.infer<ReturnType<typeof streamedSchema>>>;
type StreamedPart = z.infer<ReturnType<typeof partSchema>>;

export interface StreamedBlock {
  type: "text" | "reasoning";
  content: string;
}

/** What a person has seen of an answer while it streamed. */
export function streamedBlocks(blocks: readonly Block[]): StreamedBlock[] {
  return blocks.flatMap((block) =>
    block.type === "text" || block.type === "reasoning" ? [{ type: block.type, content: block.content }] : [],
  );
}

/** How the blocks of an answer go on; empty when nothing is new. An answer that began anew is said anew. */
export function newParts(before: readonly StreamedBlock[], now: readonly StreamedBlock[]): StreamedPart[] {
  return now.flatMap(({ type, content }, block) => {
    const known = before[block];
    const goesOn = known?.type === type && content.startsWith(known.content);
    const at = goesOn ? known.content.length : 0;
    const isNew = !goesOn || content.length > at;
    return isNew ? [{ block, type, at, text: content.slice(at) }] : [];
  });
}

/** Put together again from its records, until the message that has all of it. */
export class StreamedAnswer {
  #messageId: string | undefined;
  #blocks: StreamedBlock[] = [];

  add({ messageId, blocks, parts }: StreamedRecord): void {
    if (messageId !== this.#messageId) this.#blocks = [];
    this.#messageId = messageId;
    for (const { block, type, at, text } of parts) {
      const known = this.#blocks[block];
      const before = known?.type === type ? known.content.slice(0, at) : "";
      // A line in between may be damaged: what comes after it still belongs to this block, or to the next one there is.
      this.#blocks[Math.min(block, this.#blocks.length)] = { type, content: before + text };
    }
    this.#blocks.length = Math.min(this.#blocks.length, blocks);
  }

  forget(): void {
    this.#messageId = undefined;
    this.#blocks = [];
  }

  /** What is there of an answer that never became whole; undefined when there is none. */
  get cutShort(): Message | undefined {
    const blocks = this.#blocks.filter(({ content }) => content !== "");
    if (this.#messageId === undefined || blocks.length === 0) return undefined;
    return {
      id: this.#messageId,
      role: "assistant",
      blocks: [...blocks, { type: "warn", content: CUT_SHORT }],
    };
  }
}

const CUT_SHORT =
  "cut short: Wave was stopped while this answer was coming in, so its end is missing, with at most the last second of what you saw";
