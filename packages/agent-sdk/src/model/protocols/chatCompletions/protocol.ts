import { bearer, operationUrl } from "../../addresses.ts";
import { asRecord, asText, parseJson, type JsonRecord } from "../../json.ts";
import type { ListedModel } from "../../call.ts";
import type { Protocol } from "../../protocol.ts";
import { ADAPTATIONS } from "./adaptations.ts";
import { ChatDecoder } from "./decode.ts";
import { encode } from "./encode.ts";
import type { WireBody } from "./wireMessages.ts";

/** OpenAI Chat Completions, at any base URL. */
export const chatCompletions: Protocol<WireBody> = {
  name: "chat-completions",
  answerUrl: ({ baseUrl }) => operationUrl(baseUrl, "chat/completions"),
  modelsUrl: ({ baseUrl }) => operationUrl(baseUrl, "models"),
  headers: bearer,
  encode,
  adaptations: ADAPTATIONS,
  decoder: () => new ChatDecoder(),
  errorIn,
  waitMs: () => undefined,
  listed,
};

/** Servers report an error in the middle of an answer in as many shapes as in its place. */
function errorIn(record: JsonRecord): JsonRecord | undefined {
  if (record["error"] || record["object"] === "error" || record["type"] === "error") return record;
  const choices = record["choices"];
  if (Array.isArray(choices)) {
    const choice = asRecord(choices[0]);
    return choice?.["error"] || choice?.["finish_reason"] === "error" ? choice : undefined;
  }
  const saysWhy = ["message", "detail", "msg"].some((field) => record[field]);
  return saysWhy && !asRecord(record["usage"]) ? record : undefined;
}

function listed(body: string): ListedModel[] | undefined {
  const data = asRecord(parseJson(body))?.["data"];
  if (!Array.isArray(data)) return undefined;
  return data.flatMap((entry) => {
    const record = asRecord(entry);
    const name = asText(record?.["id"]);
    return name ? [{ name, contextSize: SIZE_FIELDS.map((field) => record?.[field]).find(isSize) }] : [];
  });
}

/** OpenRouter and Together, vLLM, Groq, LM Studio and Mistral. */
const SIZE_FIELDS = ["context_length", "max_model_len", "context_window", "max_context_length"];

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
