import type { Message } from "./blocks.ts";
import { beginsTurn } from "./context.ts";

/** What a person typed to begin a turn; undefined for every other message. */
export function promptText(message: Message): string | undefined {
  if (!beginsTurn(message)) return undefined;
  return message.blocks.flatMap((block) => (block.type === "text" ? [block.content] : [])).join("\n");
}

/** Its first line that says something. */
export function firstLineOf(text: string): string {
  return text.trimStart().split("\n", 1)[0]?.trimEnd() ?? "";
}
