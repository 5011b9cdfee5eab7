import { bearer, operationUrl } from "../../addresses.ts";
import { asRecord, type JsonRecord } from "../../json.ts";
import type { Protocol } from "../../protocol.ts";
import { listedByOpenAI } from "../openaiModels.ts";
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
  listed: listedByOpenAI,
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
