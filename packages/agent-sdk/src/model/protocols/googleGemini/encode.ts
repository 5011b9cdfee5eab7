import type { ApiContentPart, ApiMessage } from "../../../utils/convertMessagesForAPI.ts";
import { readDataUrl } from "../../images.ts";
import { asRecord, asText, parseJson, type JsonRecord } from "../../json.ts";
import { piecesOf, type Piece } from "../../layout.ts";
import type { NeutralRequest } from "../../protocol.ts";
import { wireName } from "../../wireNames.ts";

/** Text, an image, a call or its result. */
export type GeminiPart = JsonRecord;

export interface GeminiContent {
  role: "user" | "model";
  parts: GeminiPart[];
}

export interface GeminiTool {
  name: string;
  description: string;
  /** One of the two. */
  parametersJsonSchema?: JsonRecord;
  parameters?: JsonRecord;
}

/** The model is part of the address. */
export interface GeminiBody {
  systemInstruction?: { parts: GeminiPart[] };
  contents: GeminiContent[];
  tools?: { functionDeclarations: GeminiTool[] }[];
  generationConfig?: JsonRecord;
}

export function encode({ messages, tools }: NeutralRequest): GeminiBody {
  const system = messages.flatMap((message) => (message.role === "system" ? [message.content] : []));
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    name: wireName(name),
    description,
    parametersJsonSchema: parameters,
  }));
  return {
    ...(system.length > 0 && { systemInstruction: { parts: [{ text: system.join("\n\n") }] } }),
    contents: contentsOf(messages),
    ...(tools.length > 0 && { tools: [{ functionDeclarations }] }),
    generationConfig: { thinkingConfig: { includeThoughts: true } },
  };
}

/** A call as its result refers to it. Not every server gives ids: without one, name and order have to do. */
interface OpenCall {
  name: string;
  id: string | undefined;
}

/** The results of an answer's calls are the parts of one content, directly after it. */
function contentsOf(messages: readonly ApiMessage[]): GeminiContent[] {
  const contents: GeminiContent[] = [];
  let open = new Map<string, OpenCall[]>();
  let results: GeminiPart[] | undefined;
  for (const message of messages) {
    if (message.role === "tool") {
      const result = resultPart(open.get(message.tool_call_id)?.shift(), message.content);
      if (results) results.push(result);
      else contents.push({ role: "user", parts: (results = [result]) });
      continue;
    }
    results = undefined;
    if (message.role === "user") contents.push({ role: "user", parts: userParts(message.content) });
    if (message.role !== "assistant") continue;
    open = openCalls(message.tool_calls ?? []);
    const parts = piecesOf(message).flatMap(partsOf);
    if (parts.length > 0) contents.push({ role: "model", parts });
  }
  return contents;
}

type Call = Extract<Piece, { is: "call" }>["call"];

const ownId = ({ vendorData }: Call) => asText(vendorData?.fields["id"]);

function openCalls(calls: readonly Call[]): Map<string, OpenCall[]> {
  const open = new Map<string, OpenCall[]>();
  for (const call of calls) {
    const named = { name: wireName(call.function.name), id: ownId(call) };
    open.set(call.id, [...(open.get(call.id) ?? []), named]);
  }
  return open;
}

function resultPart(call: OpenCall | undefined, text: string): GeminiPart {
  const { name = "unknown", id } = call ?? {};
  return { functionResponse: { ...(id !== undefined && { id }), name, response: { output: text } } };
}

function userParts(content: string | ApiContentPart[]): GeminiPart[] {
  if (typeof content === "string") return [{ text: content }];
  return content.map((part) => {
    if (part.type === "text") return { text: part.text };
    const image = readDataUrl(part.image_url.url);
    return image
      ? { inlineData: { mimeType: image.mediaType, data: image.data } }
      : { fileData: { fileUri: part.image_url.url } };
  });
}

/** A signature goes back with the part that it came with. Thoughts without one are for people. */
function partsOf(piece: Piece): GeminiPart[] {
  if (piece.is === "call") {
    const { function: called, vendorData } = piece.call;
    const { id, ...signature } = vendorData?.fields ?? {};
    const args = asRecord(parseJson(called.arguments)) ?? {};
    const functionCall = { ...(id !== undefined && { id }), name: wireName(called.name), args };
    return [{ functionCall, ...signature }];
  }
  const isSigned = piece.fields["thoughtSignature"] !== undefined;
  if (piece.is === "reasoning") return isSigned ? [{ text: piece.text, thought: true, ...piece.fields }] : [];
  return piece.text.trim() === "" && !isSigned ? [] : [{ text: piece.text, ...piece.fields }];
}
