import { bearer, operationUrl } from "../../addresses.ts";
import { asRecord, type JsonRecord } from "../../json.ts";
import type { Protocol } from "../../protocol.ts";
import { listedByOpenAI } from "../openaiModels.ts";
import { ADAPTATIONS } from "./adaptations.ts";
import { ResponsesDecoder } from "./decode.ts";
import { encode, type ResponseBody } from "./encode.ts";

/** OpenAI Responses, with nothing kept at the server. */
export const openaiResponses: Protocol<ResponseBody> = {
  name: "openai-responses",
  answerUrl: ({ baseUrl }) => operationUrl(baseUrl, "responses"),
  modelsUrl: ({ baseUrl }) => operationUrl(baseUrl, "models"),
  headers: bearer,
  encode,
  adaptations: ADAPTATIONS,
  decoder: () => new ResponsesDecoder(),
  errorIn,
  waitMs: () => undefined,
  listed: (body) => listedByOpenAI(body)?.filter(({ name }) => !SPEAKS_NOT.test(name)),
};

/** Models of the list that are asked for pictures, sounds or numbers. */
const SPEAKS_NOT =
  /embedding|whisper|\btts\b|dall-e|image|audio|realtime|moderation|transcribe|sora|davinci|babbage/i;

function errorIn(event: JsonRecord): JsonRecord | undefined {
  if (event["type"] === "error") return event;
  const failed = event["type"] === "response.failed" ? asRecord(event["response"]) : event;
  const error = failed?.["error"];
  return error ? { error } : undefined;
}
