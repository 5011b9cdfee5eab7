import type { ApiContentPart, ApiMessage } from "../../../utils/convertMessagesForAPI.ts";
import { readDataUrl } from "../../images.ts";
import { asRecord, asText, parseJson, type JsonRecord } from "../../json.ts";
import { piecesOf, type Piece } from "../../layout.ts";
import type { NeutralRequest } from "../../protocol.ts";
import { WireIds } from "../../wireIds.ts";
import { plainId, wireName } from "../../wireNames.ts";

/** A block of content. Every kind has a type, and fields of its own. */
export type AnthropicBlock = JsonRecord & { type: string };

export interface AnthropicMessage {
  role: "user" | "assistant";
  content: AnthropicBlock[];
}

export interface AnthropicBody {
  model: string;
  max_tokens: number;
  system?: AnthropicBlock[];
  messages: AnthropicMessage[];
  tools?: { name: string; description: string; input_schema: JsonRecord }[];
  thinking?: JsonRecord;
  stream: true;
}

/** The protocol wants a limit. Enough for thoughts and a long file, and not more than any model of these years writes at once. */
const ANSWER_TOKENS = 32_000;

/** The server keeps what stands before such a point for a few minutes, and counts a tenth for it then. */
const CACHE_POINT = { cache_control: { type: "ephemeral" } };

export function encode({ target, messages, tools }: NeutralRequest): AnthropicBody {
  const system = messages.flatMap((message) => (message.role === "system" ? [message.content] : []));
  return {
    model: target.model,
    max_tokens: ANSWER_TOKENS,
    ...(system.length > 0 && { system: [{ type: "text", text: system.join("\n\n"), ...CACHE_POINT }] }),
    messages: withCachePoints(wireMessages(messages)),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        name: wireName(name),
        description,
        input_schema: parameters,
      })),
    }),
    // The model decides how much it thinks, and what it thought is shown.
    thinking: { type: "adaptive", display: "summarized" },
    stream: true,
  };
}

/** Results are blocks of one message of the user's, directly after the calls. */
function wireMessages(messages: readonly ApiMessage[]): AnthropicMessage[] {
  const wire: AnthropicMessage[] = [];
  const ids = new WireIds();
  let results: AnthropicBlock[] | undefined;
  for (const message of messages) {
    if (message.role === "tool") {
      const result = toolResult(plainId(ids.ofResult(message.tool_call_id)), message.content);
      if (results) results.push(result);
      else wire.push({ role: "user", content: (results = [result]) });
      continue;
    }
    results = undefined;
    if (message.role === "user") wire.push({ role: "user", content: userBlocks(message.content) });
    if (message.role !== "assistant") continue;
    ids.nextAnswer();
    const content = piecesOf(message).flatMap((piece) => blockOf(piece, ids));
    if (content.length > 0) wire.push({ role: "assistant", content });
  }
  return wire;
}

function toolResult(id: string, text: string): AnthropicBlock {
  return { type: "tool_result", tool_use_id: id, ...(text.trim() !== "" && { content: text }) };
}

function userBlocks(content: string | ApiContentPart[]): AnthropicBlock[] {
  const parts: ApiContentPart[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return parts.map((part) => {
    if (part.type === "text") return { type: "text", text: part.text };
    const image = readDataUrl(part.image_url.url);
    return {
      type: "image",
      source: image
        ? { type: "base64", media_type: image.mediaType, data: image.data }
        : { type: "url", url: part.image_url.url },
    };
  });
}

function blockOf(piece: Piece, ids: WireIds): AnthropicBlock[] {
  if (piece.is === "call") {
    const { id, function: called } = piece.call;
    const input = asRecord(parseJson(called.arguments)) ?? {};
    return [{ type: "tool_use", id: plainId(ids.ofCall(id)), name: wireName(called.name), input }];
  }
  if (piece.is === "text") return piece.text.trim() === "" ? [] : [{ type: "text", text: piece.text }];
  // Reasoning without its signature is refused: an answer that was cut while the model thought has none.
  const [signature, data] = [asText(piece.fields["signature"]), asText(piece.fields["data"])];
  if (data !== undefined) return [{ type: "redacted_thinking", data }];
  return signature === undefined ? [] : [{ type: "thinking", thinking: piece.text, signature }];
}

/**
 * At the end of the last two messages of the user: the newest is what the next request begins with, and the one before it is what
 * this one does, however many blocks lie between them.
 */
function withCachePoints(messages: readonly AnthropicMessage[]): AnthropicMessage[] {
  const marked = messages.filter(({ role }) => role === "user").slice(-2);
  return messages.map((message) => {
    if (!marked.includes(message)) return message;
    return {
      ...message,
      content: message.content.map((block, at) =>
        at === message.content.length - 1 ? { ...block, ...CACHE_POINT } : block,
      ),
    };
  });
}
