import type { DeepReadonly } from "../utils/deepFreeze.ts";
import { z } from "zod";
import { blockSchema, messageSchema, toolBlockSchema, type Block, type Message } from "./blocks.ts";
import { once } from "../utils/once.ts";

/**
 * A change of the conversation, as data. The session file is the list of edits, so what was shown, what is resumed
 * and what is sent come from the same fold.
 */
export const editSchema = once(() =>
  z.discriminatedUnion("edit", [
    z.object({ edit: z.literal("add-message"), message: messageSchema() }),
    z.object({ edit: z.literal("add-block"), messageId: z.string(), block: blockSchema() }),
    z.object({
      edit: z.literal("update-tool"),
      toolId: z.string(),
      changes: toolBlockSchema().omit({ type: true, id: true, name: true }).partial(),
    }),
    z.object({ edit: z.literal("remove-message"), messageId: z.string() }),
    /** The summary in this message no longer stands for what was said before it. */
    z.object({ edit: z.literal("undo-compaction"), messageId: z.string() }),
    /** Back to before this message: it and everything after it are gone from the conversation, though not from the file. */
    z.object({ edit: z.literal("rewind"), messageId: z.string() }),
    /** What a rewind took away is there again. */
    z.object({ edit: z.literal("bring-back"), messages: z.array(messageSchema()) }),
  ]),
);

export type TranscriptEdit = DeepReadonly<z.infer<ReturnType<typeof editSchema>>>;

/** Returns a new list; messages that did not change keep their identity, so a UI can compare them. */
export function applyEdit(messages: readonly Message[], edit: TranscriptEdit): Message[] {
  switch (edit.edit) {
    case "add-message":
      return [...messages, edit.message];
    case "add-block":
      return replaceLast(
        messages,
        (message) => message.id === edit.messageId,
        (message) => ({ ...message, blocks: [...message.blocks, edit.block] }),
      );
    case "update-tool":
      return replaceLast(
        messages,
        (message) => message.blocks.some((block) => block.type === "tool" && block.id === edit.toolId),
        (message) => ({
          ...message,
          blocks: message.blocks.map((block) =>
            block.type === "tool" && block.id === edit.toolId
              ? Object.assign({ ...block }, edit.changes)
              : block,
          ),
        }),
      );
    case "remove-message":
      return messages.filter((message) => message.id !== edit.messageId);
    case "undo-compaction":
      return replaceLast(
        messages,
        (message) => message.id === edit.messageId,
        (message) => ({ ...message, blocks: message.blocks.map(withoutEffect) }),
      );
    case "rewind":
      return messages.slice(0, rewindsTo(messages, edit.messageId));
    case "bring-back":
      return [...messages, ...edit.messages];
  }
}

/** How many messages a rewind leaves; all of them when there is no such message. */
export function rewindsTo(messages: readonly Message[], messageId: string): number {
  const index = messages.findLastIndex((message) => message.id === messageId);
  return index === -1 ? messages.length : index;
}

/** A summary that stays to be read and stands for nothing any more. */
export function withoutEffect(block: Block): Block {
  return block.type === "summary" ? { ...block, undone: true } : block;
}

// Searched from the end: edits nearly always concern the newest messages, whatever the length of the session.
function replaceLast(
  messages: readonly Message[],
  matches: (message: Message) => boolean,
  change: (message: Message) => Message,
): Message[] {
  const index = messages.findLastIndex(matches);
  const found = messages[index];
  return found ? messages.with(index, change(found)) : [...messages];
}
