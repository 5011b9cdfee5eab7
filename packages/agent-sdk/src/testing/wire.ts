import type { ScriptedCall, SpokenReply } from "./scenario.ts";

type Json = Record<string, unknown>;

export interface Setting {
  model: string;
  /** Number of the request, from 0. */
  n: number;
  requestBytes: number;
  includeUsage: boolean;
}

/** The pieces of a streamed answer, before they become events. */
export function* streamChunks(reply: SpokenReply, setting: Setting): Generator<Json> {
  const delta = (piece: Json): Json => chunk(setting, [{ index: 0, delta: piece, finish_reason: null }]);
  yield delta({ role: "assistant", content: "" });
  if (reply.extra) yield delta(reply.extra);
  for (const text of pieces(reply.think ?? "", reply.chunkSize)) yield delta({ [thinkField(reply)]: text });
  for (const text of pieces(reply.say ?? "", reply.chunkSize)) yield delta({ content: text });
  for (const [index, call] of callsOf(reply).entries()) {
    const opening = { index, id: idOf(call, setting.n, index), type: "function" };
    yield delta({
      tool_calls: [{ ...opening, ...call.extra, function: { name: call.name, arguments: "" } }],
    });
    for (const text of argumentPieces(call, reply.chunkSize)) {
      yield delta({ tool_calls: [{ index, function: { arguments: text } }] });
    }
  }
  if (reply.hang) return;
  yield chunk(setting, [{ index: 0, delta: {}, finish_reason: finishOf(reply) }]);
  if (setting.includeUsage) yield { ...chunk(setting, []), usage: usageOf(reply, setting) };
}

/** The same answer in one piece. */
export function wholeAnswer(reply: SpokenReply, setting: Setting): Json {
  const calls = callsOf(reply).map((call, index) => ({
    id: idOf(call, setting.n, index),
    type: "function",
    ...call.extra,
    function: { name: call.name, arguments: argumentText(call) },
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

export function saysSomething(reply: SpokenReply): boolean {
  return reply.think !== undefined || reply.say !== undefined || callsOf(reply).length > 0;
}

const thinkField = ({ thinkAs = "reasoning_content" }: SpokenReply) => thinkAs;

function chunk(setting: Setting, choices: Json[]): Json {
  return {
    id: `scripted-${setting.n}`,
    object: "chat.completion.chunk",
    created: 0,
    model: setting.model,
    choices,
  };
}

function callsOf(reply: SpokenReply): ScriptedCall[] {
  return [...(reply.call ? [reply.call] : []), ...(reply.calls ?? [])];
}

function idOf(call: ScriptedCall, n: number, index: number): string {
  return call.id ?? `call_${n}_${index}`;
}

function argumentText(call: ScriptedCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
}

function argumentPieces(call: ScriptedCall, size: number | undefined): string[] {
  const text = argumentText(call);
  return size === undefined ? [text] : pieces(text, size);
}

/** By words, as a model streams, or by a number of characters, never through the middle of one. */
function pieces(text: string, size: number | undefined): string[] {
  if (text === "") return [];
  if (size === undefined) return text.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? [];
  const letters = Array.from(text);
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, index) =>
    letters.slice(index * size, (index + 1) * size).join(""),
  );
}

function finishOf(reply: SpokenReply): string {
  return reply.finish ?? (callsOf(reply).length > 0 ? "tool_calls" : "stop");
}

function usageOf(reply: SpokenReply, setting: Setting): Json {
  const spoken = (reply.think ?? "") + (reply.say ?? "") + callsOf(reply).map(argumentText).join("");
  const usage = reply.usage ?? { input: tokens(setting.requestBytes), output: tokens(spoken.length) };
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    ...(usage.cached !== undefined && { prompt_tokens_details: { cached_tokens: usage.cached } }),
  };
}

function tokens(size: number): number {
  return Math.ceil(size / 4);
}
