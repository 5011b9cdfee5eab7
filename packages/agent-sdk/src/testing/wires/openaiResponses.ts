import type { SpokenReply } from "../scenario.ts";
import { checkResponses } from "./checkResponses.ts";
import { callsOf, countsOf, event, finishOf, modelIn, pieces, sealOf } from "./replies.ts";
import type { Json, ScriptedWire, Setting } from "./wire.ts";

/** OpenAI Responses. */
export const openaiResponses: ScriptedWire = {
  name: "openai-responses",
  asked: (path, body) => (path === "/v1/responses" ? modelIn(body, "input") : undefined),
  problems: checkResponses,
  isStreamed: (_path, body) => body["stream"] === true,
  stream,
  seal: sealOf,
  farewell: "",
  whole: (reply, setting) => responseOf(reply, setting, "ended"),
  error: (status, message) => ({
    error: {
      message,
      type: status === 429 ? "requests" : "invalid_request_error",
      param: null,
      code: CODES[status] ?? null,
    },
  }),
  // The same as that of Chat Completions, which answers it.
  listPath: /^$/,
  list: () => ({}),
};

const CODES: Record<number, string> = {
  401: "invalid_api_key",
  404: "model_not_found",
  429: "rate_limit_exceeded",
};

/** An item of the answer, and the pieces in which it streams between its first and its last event. */
interface Item {
  begun: Json;
  done: Json;
  deltas: Json[];
  /** Events that open and close the part that streams. */
  opened: Json[];
  closed: Json[];
}

function* stream(reply: SpokenReply, setting: Setting): Generator<string> {
  let number = 0;
  const typed = (data: Json) => event({ ...data, sequence_number: number++ }, String(data["type"]));
  yield (
    typed({ type: "response.created", response: responseOf(reply, setting, "begun") }) +
      typed({ type: "response.in_progress", response: responseOf(reply, setting, "begun") })
  );
  for (const [at, { begun, done, deltas, opened, closed }] of itemsOf(reply, setting).entries()) {
    const place = { output_index: at, item_id: begun["id"] };
    const [first, ...rest] = deltas;
    const opening = [
      { type: "response.output_item.added", output_index: at, item: begun },
      ...opened.map((part) => ({ ...part, ...place })),
    ];
    yield [...opening, ...(first ? [{ ...first, ...place }] : [])].map(typed).join("");
    for (const delta of rest) yield typed({ ...delta, ...place });
    const closing = [
      ...closed.map((part) => ({ ...part, ...place })),
      { type: "response.output_item.done", output_index: at, item: done },
    ];
    yield closing.map(typed).join("");
  }
  if (reply.hang) return;
  const response = responseOf(reply, setting, "ended");
  yield typed({ type: `response.${String(response["status"])}`, response });
}

function itemsOf(reply: SpokenReply, setting: Setting): Item[] {
  return [
    ...(reply.think === undefined ? [] : [reasoningItem(reply.think, reply, setting)]),
    ...(reply.say === undefined ? [] : [messageItem(reply.say, reply, setting)]),
    ...callsOf(reply, setting).map((call, index) => {
      const named = {
        id: `fc_${setting.n}_${index}`,
        type: "function_call",
        call_id: call.id,
        name: call.name,
      };
      const whole = call.text;
      return {
        begun: { ...named, arguments: "", status: "in_progress" },
        done: { ...named, arguments: whole, status: "completed" },
        opened: [],
        deltas: call.pieces.map((delta) => ({
          type: "response.function_call_arguments.delta",
          delta,
        })),
        closed: [{ type: "response.function_call_arguments.done", name: call.name, arguments: whole }],
      };
    }),
  ];
}

function reasoningItem(think: string, reply: SpokenReply, setting: Setting): Item {
  const item = { id: `rs_${setting.n}`, type: "reasoning", summary: [] };
  const part = { summary_index: 0 };
  const summary = { type: "summary_text", text: think };
  return {
    begun: item,
    done: { ...item, summary: [summary], encrypted_content: sealOf(reply, setting) },
    opened: [{ type: "response.reasoning_summary_part.added", ...part, part: { ...summary, text: "" } }],
    deltas: pieces(think, reply.chunkSize).map((delta) => ({
      type: "response.reasoning_summary_text.delta",
      ...part,
      delta,
    })),
    closed: [
      { type: "response.reasoning_summary_text.done", ...part, text: think },
      { type: "response.reasoning_summary_part.done", ...part, part: summary },
    ],
  };
}

function messageItem(say: string, reply: SpokenReply, setting: Setting): Item {
  const item = { id: `msg_${setting.n}`, type: "message", role: "assistant" };
  const part = { content_index: 0 };
  const content = { type: "output_text", text: say, annotations: [] };
  return {
    begun: { ...item, status: "in_progress", content: [] },
    done: { ...item, status: "completed", content: [content] },
    opened: [{ type: "response.content_part.added", ...part, part: { ...content, text: "" } }],
    deltas: pieces(say, reply.chunkSize).map((delta) => ({
      type: "response.output_text.delta",
      ...part,
      delta,
      logprobs: [],
    })),
    closed: [
      { type: "response.output_text.done", ...part, text: say, logprobs: [] },
      { type: "response.content_part.done", ...part, part: content },
    ],
  };
}

function responseOf(reply: SpokenReply, setting: Setting, stage: "begun" | "ended"): Json {
  const { input, output, cached = 0 } = countsOf(reply, setting);
  const finish = finishOf(reply);
  const why = finish === "length" ? "max_output_tokens" : finish === "content_filter" ? finish : undefined;
  const isEnded = stage === "ended";
  return {
    id: `resp_${setting.n}`,
    object: "response",
    created_at: 0,
    status: !isEnded ? "in_progress" : why === undefined ? "completed" : "incomplete",
    error: null,
    incomplete_details: isEnded && why !== undefined ? { reason: why } : null,
    instructions: null,
    model: setting.model,
    output: isEnded ? itemsOf(reply, setting).map(({ done }) => done) : [],
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: [],
    metadata: {},
    temperature: 1,
    top_p: 1,
    usage: isEnded
      ? {
          input_tokens: input,
          input_tokens_details: { cached_tokens: cached },
          output_tokens: output,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: input + output,
        }
      : null,
  };
}
