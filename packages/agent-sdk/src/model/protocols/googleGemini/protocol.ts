import type { ListedModel } from "../../call.ts";
import { asRecord, asText, parseJson, type JsonRecord } from "../../json.ts";
import type { Protocol } from "../../protocol.ts";
import { ADAPTATIONS } from "./adaptations.ts";
import { GeminiDecoder } from "./decode.ts";
import { encode, type GeminiBody } from "./encode.ts";

/** Google's Gemini API. */
export const googleGemini: Protocol<GeminiBody> = {
  name: "google-gemini",
  answerUrl: ({ baseUrl, model }) => {
    const url = operation(
      baseUrl,
      `${model.includes("/") ? model : `models/${model}`}:streamGenerateContent`,
    );
    url.searchParams.set("alt", "sse");
    return url;
  },
  modelsUrl: ({ baseUrl }) => {
    const url = operation(baseUrl, "models");
    // Fifty unless told.
    url.searchParams.set("pageSize", "1000");
    return url;
  },
  headers: ({ apiKey }) => (apiKey === undefined ? {} : { "x-goog-api-key": apiKey }),
  encode,
  adaptations: ADAPTATIONS,
  decoder: () => new GeminiDecoder(),
  errorIn,
  waitMs,
  listed,
};

/** Base URLs come with and without the version. */
function operation(baseUrl: URL, name: string): URL {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = `${/\/v\d+\w*$/.test(path) ? path : `${path}/v1beta`}/${name}`;
  return url;
}

/** Calls that the server itself could not read: the model is asked again. */
const BROKEN_CALL = /^(MALFORMED_FUNCTION_CALL|UNEXPECTED_TOOL_CALL)$/;

function errorIn(chunk: JsonRecord): JsonRecord | undefined {
  if (chunk["error"]) return chunk;
  const candidates = chunk["candidates"];
  const candidate = asRecord(Array.isArray(candidates) ? candidates[0] : undefined);
  const status = asText(candidate?.["finishReason"]) ?? "";
  if (!BROKEN_CALL.test(status)) return undefined;
  const message = asText(candidate?.["finishMessage"]) ?? "the model wrote a call that cannot be read";
  return { error: { status, message } };
}

/** "34s", in a detail of the error. */
function waitMs(body: string): number | undefined {
  const parsed = parseJson(body);
  const error = asRecord(asRecord(Array.isArray(parsed) ? parsed[0] : parsed)?.["error"]);
  const details = error?.["details"];
  if (!Array.isArray(details)) return undefined;
  const delays = details.map(
    (detail) => /^([\d.]+)s$/.exec(asText(asRecord(detail)?.["retryDelay"]) ?? "")?.[1],
  );
  const seconds = delays.find((delay) => delay !== undefined);
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function listed(body: string): ListedModel[] | undefined {
  const models = asRecord(parseJson(body))?.["models"];
  if (!Array.isArray(models)) return undefined;
  return models.flatMap((entry) => {
    const record = asRecord(entry);
    const name = asText(record?.["name"])?.replace(/^models\//, "");
    const can = record?.["supportedGenerationMethods"];
    if (!name || (Array.isArray(can) && !can.includes("generateContent"))) return [];
    const size = record?.["inputTokenLimit"];
    return [{ name, contextSize: typeof size === "number" && size > 0 ? size : undefined }];
  });
}
