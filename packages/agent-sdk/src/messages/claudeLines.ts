import { createHash } from "node:crypto";
import type { Block, Message, ToolBlock } from "./blocks.ts";

/** One line of Claude Code's transcript, without what is the same for all lines of a session. */
export interface ClaudeLine {
  /** The same part of the same message has the same one. */
  uuid: string;
  type: "user" | "assistant" | "system";
  [field: string]: unknown;
}

/**
 * A message in the shape in which scripts written for Claude Code read it: one line for each block of an answer, all with the id of
 * that answer, and one line of role user for each result. Errors and warnings are for the person and stay out.
 */
export function claudeLines(message: Message, model: string | undefined): ClaudeLine[] {
  if (message.role === "assistant") return [...answerLines(message, model), ...resultLines(message)];
  const summary = message.blocks.find((block) => block.type === "summary");
  if (summary) {
    const { content, askedBy, tokensBefore } = summary;
    const trigger = askedBy === "person" ? "manual" : "auto";
    return [
      {
        uuid: uuidOf(message, "boundary"),
        type: "system",
        subtype: "compact_boundary",
        content: "Conversation compacted",
        isMeta: false,
        level: "info",
        compactMetadata: { trigger, ...(tokensBefore !== undefined && { preTokens: tokensBefore }) },
      },
      { ...userLine(message, content), isCompactSummary: true, isVisibleInTranscriptOnly: true },
    ];
  }
  return userLines(message);
}

function userLines(message: Message): ClaudeLine[] {
  const command = message.blocks.find((block) => block.type === "tool");
  if (command) return commandLines(message, command);
  const parts = message.blocks.flatMap(userPart);
  const [first] = parts;
  if (!first) return [];
  const content = parts.length === 1 && "text" in first ? first.text : parts;
  // What hooks said to the model: no person wrote it.
  const isMeta = message.origin !== undefined || message.blocks.some(({ type }) => type === "hook");
  return [{ ...userLine(message, content), ...(isMeta && { isMeta }) }];
}

type UserPart = { type: "text"; text: string } | { type: "image"; source: object };

function userPart(block: Block): UserPart[] {
  if (block.type === "text" || block.type === "hook") return [{ type: "text", text: block.content }];
  if (block.type !== "image") return [];
  return [{ type: "image", source: { type: "base64", media_type: block.mediaType, data: block.data } }];
}

/** A command that the person ran with `!`. */
function commandLines(message: Message, block: ToolBlock): ClaudeLine[] {
  const { command } = inputOf(block);
  const typed = userLine(message, `<bash-input>${typeof command === "string" ? command : ""}</bash-input>`);
  if (block.stage !== "ended") return [typed];
  const printed = userLine(message, `<bash-stdout>${block.result ?? ""}</bash-stdout>`);
  return [typed, { ...printed, uuid: uuidOf(message, "output") }];
}

const userLine = (message: Message, content: unknown): ClaudeLine => ({
  uuid: uuidOf(message, "user"),
  type: "user",
  message: { role: "user", content },
});

function answerLines(message: Message, model: string | undefined): ClaudeLine[] {
  const { usage } = message;
  const around = {
    id: `msg_${message.id.replaceAll("-", "")}`,
    type: "message",
    role: "assistant",
    model: model ?? "unknown",
  };
  const after = {
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: Math.max(0, (usage?.inputTokens ?? 0) - (usage?.cachedInputTokens ?? 0)),
      cache_creation_input_tokens: usage?.cacheWriteTokens ?? 0,
      cache_read_input_tokens: usage?.cachedInputTokens ?? 0,
      output_tokens: usage?.outputTokens ?? 0,
    },
  };
  return message.blocks.flatMap((block, at): ClaudeLine[] => {
    const part = answerPart(block);
    if (!part) return [];
    const uuid = uuidOf(message, `${at}`);
    return [{ uuid, type: "assistant", message: { ...around, content: [part], ...after } }];
  });
}

function answerPart(block: Block): object | undefined {
  if (block.type === "text") return { type: "text", text: block.content };
  if (block.type === "reasoning") return { type: "thinking", thinking: block.content, signature: "" };
  if (block.type !== "tool") return undefined;
  return { type: "tool_use", id: block.id, name: block.name, input: inputOf(block) };
}

function resultLines(message: Message): ClaudeLine[] {
  return message.blocks.flatMap((block): ClaudeLine[] => {
    if (block.type !== "tool" || block.stage !== "ended") return [];
    const { id, result = "", success } = block;
    const part = { tool_use_id: id, type: "tool_result", content: result, is_error: success === false };
    const uuid = uuidOf(message, `result ${id}`);
    const toolUseResult = success === false ? `Error: ${result}` : result;
    return [{ uuid, type: "user", message: { role: "user", content: [part] }, toolUseResult }];
  });
}

/** As the model wrote it: what hooks made of it is theirs. */
function inputOf({ parameters }: ToolBlock): Readonly<Record<string, unknown>> {
  try {
    const input: unknown = JSON.parse(parameters);
    return typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input } : {};
  } catch {
    return {};
  }
}

function uuidOf({ id }: Message, part: string): string {
  const hex = createHash("sha256").update(`${id}/${part}`).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
