import type { SpokenReply } from "../scenario.ts";
import { checkBody } from "./checkRequest.ts";
import { callsOf, countsOf, event, finishOf, modelIn, pieces } from "./replies.ts";
import type { Json, ScriptedWire, Setting } from "./wire.ts";

/** OpenAI Chat Completions. */
export const chatCompletions: ScriptedWire = {
  name: "chat-completions",
  asked: (path, body) => (path === "/v1/chat/completions" ? modelIn(body, "messages") : undefined),
  problems: checkBody,
  isStreamed: (_path, body) => body["stream"] === true,
  *stream(reply, setting) {
    for (const piece of chunks(reply, setting)) yield event(piece);
  },
  seal: () => undefined,
  farewell: "data: [DONE]\n\n",
  whole,
  error: (_status, message) => ({ error: { message } }),
  listPath: /^\/v1\/models$/,
  list: (names) => ({
    object: "list",
    data: names.map((id) => ({ id, object: "model", owned_by: "wave" })),
  }),
};

function* chunks(reply: SpokenReply, setting: Setting): Generator<Json> {
  const delta = (piece: Json): Json => chunk(setting, [{ index: 0, delta: piece, finish_reason: null }]);
  yield delta({ role: "assistant", content: "" });
  if (reply.extra) yield delta(reply.extra);
  for (const text of pieces(reply.think ?? "", reply.chunkSize)) yield delta({ [thinkField(reply)]: text });
  for (const text of pieces(reply.say ?? "", reply.chunkSize)) yield delta({ content: text });
  for (const [index, call] of callsOf(reply, setting).entries()) {
    const opening = { index, id: call.id, type: "function" };
    yield delta({
      tool_calls: [{ ...opening, ...call.extra, function: { name: call.name, arguments: "" } }],
    });
    for (const text of call.pieces) {
      yield delta({ tool_calls: [{ index, function: { arguments: text } }] });
    }
  }
  if (reply.hang) return;
  yield chunk(setting, [{ index: 0, delta: {}, finish_reason: finishOf(reply) }]);
  if (includesUsage(setting.body)) yield { ...chunk(setting, []), usage: usageOf(reply, setting) };
}

function whole(reply: SpokenReply, setting: Setting): Json {
  const calls = callsOf(reply, setting).map((call) => ({
    id: call.id,
    type: "function",
    ...call.extra,
    function: { name: call.name, arguments: call.text },
  }));
  const message = {
    role: "assistant",
    content: reply.say ?? null,
    ...reply.extra,
    ...(reply.think !== undefined && { [thinkField(reply)]: reply.think }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    ...chunk(setting, [{ index: 0, message, finish_reason: finishOf(reply) }]),
    object: "chat.completion",
    usage: usageOf(reply, setting),
  };
}

const thinkField = ({ thinkAs = "reasoning_content" }: SpokenReply) => thinkAs;

function includesUsage({ stream_options: options }: Json): boolean {
  return (
    typeof options === "object" &&
    options !== null &&
    "include_usage" in options &&
    options.include_usage === true
  );
}

function chunk(setting: Setting, choices: Json[]): Json {
  return {
    id: `scripted-${setting.n}`,
    object: "chat.completion.chunk",
    created: 0,
    model: setting.model,
    choices,
  };
}

function usageOf(reply: SpokenReply, setting: Setting): Json {
  const { input, output, cached } = countsOf(reply, setting);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
  };
}
