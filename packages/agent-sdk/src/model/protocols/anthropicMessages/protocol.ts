import type { ListedModel } from "../../call.ts";
import { asRecord, asText, parseJson } from "../../json.ts";
import type { Protocol } from "../../protocol.ts";
import { ADAPTATIONS } from "./adaptations.ts";
import { AnthropicDecoder } from "./decode.ts";
import { encode, type AnthropicBody } from "./encode.ts";

const VERSION = "2023-06-01";

/** Anthropic Messages, at Anthropic and at others who speak it. */
export const anthropicMessages: Protocol<AnthropicBody> = {
  name: "anthropic-messages",
  answerUrl: ({ baseUrl }) => operation(baseUrl, "messages"),
  modelsUrl: ({ baseUrl }) => {
    const url = operation(baseUrl, "models");
    // Twenty unless told.
    url.searchParams.set("limit", "1000");
    return url;
  },
  headers: ({ apiKey }) => ({
    "anthropic-version": VERSION,
    ...(apiKey !== undefined && { "x-api-key": apiKey }),
  }),
  encode,
  adaptations: ADAPTATIONS,
  decoder: () => new AnthropicDecoder(),
  errorIn: (event) => (event["type"] === "error" ? event : undefined),
  waitMs: () => undefined,
  listed,
};

/** Base URLs come with and without the version. */
function operation(baseUrl: URL, name: string): URL {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, "").replace(/(\/v1)?(\/messages)?$/, "");
  url.pathname = `${path}/v1/${name}`;
  return url;
}

function listed(body: string): ListedModel[] | undefined {
  const data = asRecord(parseJson(body))?.["data"];
  if (!Array.isArray(data)) return undefined;
  return data.flatMap((entry) => {
    const record = asRecord(entry);
    const name = asText(record?.["id"]);
    const size = record?.["max_input_tokens"];
    return name ? [{ name, contextSize: typeof size === "number" && size > 0 ? size : undefined }] : [];
  });
}
