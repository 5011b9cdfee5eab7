import type { SpokenReply } from "../scenario.ts";
import { checkAnthropic } from "./checkAnthropic.ts";
import { callsOf, countsOf, event, finishOf, modelIn, pieces, sealOf } from "./replies.ts";
import type { Json, ScriptedWire, Setting } from "./wire.ts";

/** Anthropic Messages. */
export const anthropicMessages: ScriptedWire = {
  name: "anthropic-messages",
  asked: (path, body) => (path === "/v1/messages" ? modelIn(body, "messages") : undefined),
  problems: checkAnthropic,
  isStreamed: (_path, body) => body["stream"] === true,
  stream,
  seal: sealOf,
  farewell: "",
  whole,
  error: (status, message) => ({
    type: "error",
    error: { type: ERRORS[status] ?? "api_error", message },
    request_id: "req_scripted",
  }),
  listPath: /^\/v1\/models\?limit=\d+$/,
  list: (names) => ({
    data: names.map((id) => ({
      type: "model",
      id,
      display_name: id,
      created_at: "2026-01-01T00:00:00Z",
      max_input_tokens: 200_000,
      max_tokens: 64_000,
    })),
    has_more: false,
    first_id: names[0] ?? null,
    last_id: names.at(-1) ?? null,
  }),
};

const ERRORS: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

const STOPS: Record<string, string> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  content_filter: "refusal",
};

function* stream(reply: SpokenReply, setting: Setting): Generator<string> {
  const typed = (data: Json & { type: string }) => event(data, data.type);
  let index = -1;
  const begin = (block: Json) => typed({ type: "content_block_start", index: ++index, content_block: block });
  const delta = (piece: Json) => typed({ type: "content_block_delta", index, delta: piece });
  const stop = () => typed({ type: "content_block_stop", index });

  const { output: _output, ...counts } = usageOf(reply, setting);
  yield (
    typed({
      type: "message_start",
      message: {
        ...messageOf(setting, []),
        stop_reason: null,
        stop_sequence: null,
        usage: { ...counts, output_tokens: 1 },
      },
    }) + typed({ type: "ping" })
  );
  if (reply.think !== undefined) {
    const opening = begin({ type: "thinking", thinking: "", signature: "" });
    const thoughts = pieces(reply.think, reply.chunkSize).map((text) =>
      delta({ type: "thinking_delta", thinking: text }),
    );
    yield* withFirst(opening, thoughts);
    yield delta({ type: "signature_delta", signature: sealOf(reply, setting) }) + stop();
  }
  if (reply.say !== undefined) {
    const opening = begin({ type: "text", text: "" });
    const words = pieces(reply.say, reply.chunkSize).map((text) => delta({ type: "text_delta", text }));
    yield* withFirst(opening, words);
    yield stop();
  }
  for (const call of callsOf(reply, setting)) {
    yield begin({ type: "tool_use", id: call.id, name: call.name, input: {} });
    for (const text of call.pieces) yield delta({ type: "input_json_delta", partial_json: text });
    yield stop();
  }
  if (reply.hang) return;
  yield (
    typed({
      type: "message_delta",
      delta: { stop_reason: stopOf(reply), stop_sequence: null },
      usage: { output_tokens: usageOf(reply, setting)["output_tokens"] },
    }) + typed({ type: "message_stop" })
  );
}

/** What opens a block comes with its first piece, so that pieces count the same on every wire. */
function* withFirst(opening: string, rest: readonly string[]): Generator<string> {
  yield opening + (rest[0] ?? "");
  yield* rest.slice(1);
}

function whole(reply: SpokenReply, setting: Setting): Json {
  const content = [
    ...(reply.think === undefined
      ? []
      : [{ type: "thinking", thinking: reply.think, signature: sealOf(reply, setting) }]),
    ...(reply.say === undefined ? [] : [{ type: "text", text: reply.say }]),
    ...callsOf(reply, setting).map((call) => ({
      type: "tool_use",
      id: call.id,
      name: call.name,
      input: JSON.parse(call.text) as unknown,
    })),
  ];
  return {
    ...messageOf(setting, content),
    stop_reason: stopOf(reply),
    stop_sequence: null,
    usage: usageOf(reply, setting),
  };
}

function messageOf(setting: Setting, content: readonly unknown[]): Json {
  return { id: `msg_${setting.n}`, type: "message", role: "assistant", model: setting.model, content };
}

const stopOf = (reply: SpokenReply) => STOPS[finishOf(reply)] ?? finishOf(reply);

/** What is cached is not part of `input_tokens`. */
function usageOf(reply: SpokenReply, setting: Setting): Json {
  const { input, output, cached = 0, written = 0 } = countsOf(reply, setting);
  return {
    input_tokens: input - cached - written,
    output_tokens: output,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
  };
}
