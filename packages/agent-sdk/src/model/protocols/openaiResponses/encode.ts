import type { ApiContentPart, ApiMessage } from "../../../utils/convertMessagesForAPI.ts";
import { sha256 } from "../../../utils/sha256.ts";
import { asRecord, asText, type JsonRecord } from "../../json.ts";
import { piecesOf, type Piece } from "../../layout.ts";
import type { NeutralRequest } from "../../protocol.ts";
import { WireIds } from "../../wireIds.ts";
import { wireName } from "../../wireNames.ts";

/** An item of the conversation: a message, a call, its output, reasoning. Each kind has fields of its own. */
export type ResponseItem = JsonRecord & { type: string };

export interface ResponseBody {
  model: string;
  instructions?: string;
  input: ResponseItem[];
  tools?: { type: "function"; name: string; description: string; parameters: JsonRecord; strict: false }[];
  reasoning?: JsonRecord;
  include?: string[];
  store: false;
  stream: boolean;
  prompt_cache_key?: string;
}

export function encode({ target, messages, tools }: NeutralRequest): ResponseBody {
  const system = messages.flatMap((message) => (message.role === "system" ? [message.content] : []));
  const instructions = system.join("\n\n");
  return {
    model: target.model,
    ...(instructions !== "" && { instructions }),
    input: inputItems(messages),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: "function" as const,
        name: wireName(name),
        description,
        parameters,
        // Strict ones may have no optional field.
        strict: false as const,
      })),
    }),
    reasoning: { summary: "auto" },
    // Nothing of the conversation stays at the server, so the reasoning comes sealed and goes back with it.
    include: ["reasoning.encrypted_content"],
    store: false,
    stream: true,
    // Requests with the same beginning find the same cache.
    prompt_cache_key: sha256(instructions).slice(0, 32),
  };
}

function inputItems(messages: readonly ApiMessage[]): ResponseItem[] {
  const ids = new WireIds();
  return messages.flatMap((message): ResponseItem[] => {
    switch (message.role) {
      case "system":
        return [];
      case "user":
        return [{ type: "message", role: "user", content: userContent(message.content) }];
      case "tool": {
        const output = { call_id: ids.ofResult(message.tool_call_id), output: message.content };
        return [{ type: "function_call_output", ...output }];
      }
      case "assistant": {
        ids.nextAnswer();
        const pieces = piecesOf(message);
        // Reasoning that led to nothing that is sent is refused.
        const end = pieces.findLastIndex(({ is }) => is !== "reasoning") + 1;
        return pieces.slice(0, end).flatMap((piece) => itemOf(piece, ids));
      }
      default:
        return message satisfies never;
    }
  });
}

function userContent(content: string | ApiContentPart[]): JsonRecord[] {
  if (typeof content === "string") return [{ type: "input_text", text: content }];
  return content.map((part) =>
    part.type === "text"
      ? { type: "input_text", text: part.text }
      : { type: "input_image", image_url: part.image_url.url, detail: "auto" },
  );
}

function itemOf(piece: Piece, ids: WireIds): ResponseItem[] {
  if (piece.is === "call") {
    const { id, function: called, vendorData } = piece.call;
    const [own, name] = [asText(vendorData?.fields["id"]), wireName(called.name)];
    const call = { call_id: ids.ofCall(id), name, arguments: called.arguments };
    return [{ type: "function_call", ...(own !== undefined && { id: own }), ...call }];
  }
  if (piece.is === "reasoning") {
    const item = asRecord(piece.fields["item"]);
    return item ? [{ ...item, type: "reasoning" }] : [];
  }
  if (piece.text.trim() === "") return [];
  const content = [{ type: "output_text", text: piece.text, annotations: [] }];
  return [{ type: "message", role: "assistant", ...piece.fields, content }];
}
