import type { Block, Message } from "wave-agent-sdk";

/** Stands above what hooks said about a prompt that is not there: it must not read as part of the turn before. */
export const UNSENT = "a prompt that was not sent";

/** Whether the block at `index` begins what hooks said about a prompt that they held back. */
export function beginsUnsent(message: Message, index: number, previous: Message | undefined): boolean {
  const block = message.blocks[index];
  if (message.role !== "assistant" || !block || !isAboutPrompt(block)) return false;
  const before = message.blocks[index - 1];
  return before ? !isAboutPrompt(before) : !isPrompt(previous);
}

const isAboutPrompt = (block: Block): boolean =>
  (block.type === "error" || block.type === "warn") && block.origin?.hookEvent === "UserPromptSubmit";

/** Or what its hooks told the model. */
const isPrompt = (message: Message | undefined): boolean =>
  message?.role === "user" && message.blocks.some(({ type }) => type === "text" || type === "hook");
