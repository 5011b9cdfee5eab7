import type { Checkpoints } from "../messages/checkpoints.ts";
import type { SessionRecord } from "../messages/sessionLines.ts";
import { newParts, streamedBlocks } from "../messages/streamedAnswer.ts";
import type { MessageManager } from "../managers/messageManager.ts";

/** The records that have a whole conversation as it is now, with what was done in it: for a file that has nothing of it. */
export function conversationRecords(
  messages: Pick<MessageManager, "messages" | "finished">,
  checkpoints: Checkpoints,
): SessionRecord[] {
  const { finished } = messages;
  const edits = finished.map((message) => ({ edit: "add-message", message }) as const);
  // After a crash nobody could say otherwise that these had begun.
  const running = finished.flatMap(({ blocks }) =>
    blocks.flatMap((block): SessionRecord[] =>
      block.type === "tool" && block.stage === "running"
        ? [{ type: "tool_started", toolId: block.id, name: block.name, inputHash: "" }]
        : [],
    ),
  );
  const live = messages.messages.slice(finished.length).map(({ id, blocks }): SessionRecord => {
    const streamed = streamedBlocks(blocks);
    return { type: "streamed", messageId: id, blocks: streamed.length, parts: newParts([], streamed) };
  });
  return [...checkpoints.interleave(edits), ...running, ...live];
}
