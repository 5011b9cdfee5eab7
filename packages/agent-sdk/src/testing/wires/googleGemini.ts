import type { SpokenReply } from "../scenario.ts";
import { checkGemini } from "./checkGemini.ts";
import { callsOf, countsOf, event, finishOf, pieces, sealOf } from "./replies.ts";
import type { Json, ScriptedWire, Setting } from "./wire.ts";

const ASKS = /^\/v1(?:beta)?\/models\/([^/:]+):(streamGenerateContent|generateContent)(\?|$)/;

/** Google's Gemini API. */
export const googleGemini: ScriptedWire = {
  name: "google-gemini",
  asked: (path, body) => (Array.isArray(body?.["contents"]) ? ASKS.exec(path)?.[1] : undefined),
  problems: checkGemini,
  isStreamed: (path) => ASKS.exec(path)?.[2] === "streamGenerateContent",
  stream,
  seal: (reply, setting) => seal(reply, setting),
  farewell: "",
  whole,
  error: (status, message, waitSeconds) => ({
    error: {
      code: status,
      message,
      status: STATUSES[status] ?? "UNKNOWN",
      ...(waitSeconds !== undefined && {
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${waitSeconds}s` }],
      }),
    },
  }),
  listPath: /^\/v1beta\/models(\?|$)/,
  list: (names) => ({
    models: names.map((name) => ({
      name: `models/${name}`,
      displayName: name,
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ["generateContent", "countTokens"],
    })),
  }),
};

const STATUSES: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

function* stream(reply: SpokenReply, setting: Setting): Generator<string> {
  const chunk = (parts: Json[], more: Json = {}) =>
    event({
      candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
      ...about(reply, setting),
    });
  yield chunk([]);
  for (const text of pieces(reply.think ?? "", reply.chunkSize)) yield chunk([{ text, thought: true }]);
  for (const text of pieces(reply.say ?? "", reply.chunkSize)) yield chunk([{ text }]);
  for (const part of callParts(reply, setting)) yield chunk([part]);
  if (reply.hang) return;
  yield chunk(lastSeal(reply, setting), { finishReason: finish(reply) });
}

function whole(reply: SpokenReply, setting: Setting): Json {
  const parts = [
    ...(reply.think === undefined ? [] : [{ text: reply.think, thought: true }]),
    ...(reply.say === undefined ? [] : [{ text: reply.say }]),
    ...callParts(reply, setting),
    ...lastSeal(reply, setting),
  ];
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, finishReason: finish(reply) }],
    ...about(reply, setting),
  };
}

/** Thoughts do not come back, so the seal says nothing of them. */
const seal = (_reply: SpokenReply, setting: Setting) => sealOf({ think: "" }, setting);

/** The first of the calls that are made together is sealed. */
function callParts(reply: SpokenReply, setting: Setting): Json[] {
  return callsOf(reply, setting).map((call, index) => ({
    functionCall: {
      id: call.id,
      name: call.name,
      args: JSON.parse(call.text) as unknown,
    },
    ...(index === 0 && reply.think !== undefined && { thoughtSignature: seal(reply, setting) }),
  }));
}

/** Without a call, the seal comes at the end, with a part that has no text. */
function lastSeal(reply: SpokenReply, setting: Setting): Json[] {
  const isDue = reply.think !== undefined && callsOf(reply, setting).length === 0;
  return isDue ? [{ text: "", thoughtSignature: seal(reply, setting) }] : [];
}

const FINISHES: Record<string, string> = {
  stop: "STOP",
  tool_calls: "STOP",
  length: "MAX_TOKENS",
  content_filter: "SAFETY",
};

const finish = (reply: SpokenReply) => FINISHES[finishOf(reply)] ?? finishOf(reply);

function about(reply: SpokenReply, setting: Setting): Json {
  const { input, output, cached } = countsOf(reply, setting);
  return {
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
      ...(cached !== undefined && { cachedContentTokenCount: cached }),
    },
    modelVersion: setting.model,
    responseId: `scripted-${setting.n}`,
  };
}
