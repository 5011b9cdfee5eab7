import { blockSchema } from "./blocks.ts";

/** The blocks in a line of a session file, before anybody has checked it. */

export const isPlainRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The same line with other blocks, wherever an edit has them. */
export function mapBlocks(line: unknown, map: (block: unknown) => unknown): unknown {
  if (!isPlainRecord(line) || !isPlainRecord(line["edit"])) return line;
  const { edit } = line;
  const message = (one: unknown) =>
    isPlainRecord(one) && Array.isArray(one["blocks"]) ? { ...one, blocks: one["blocks"].map(map) } : one;
  return {
    ...line,
    edit: {
      ...edit,
      ...("message" in edit && { message: message(edit["message"]) }),
      ...("block" in edit && { block: map(edit["block"]) }),
      ...(Array.isArray(edit["messages"]) && { messages: edit["messages"].map(message) }),
    },
  };
}

/** What an older version kept because it did not know it. */
export function readUnknown(block: unknown): unknown {
  if (!isPlainRecord(block) || block["type"] !== "unknown") return block;
  const known = blockSchema().safeParse(block["raw"]);
  return known.success ? block["raw"] : block;
}
