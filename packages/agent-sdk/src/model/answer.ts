import type { AnswerCut } from "../events.ts";
import type { Block } from "../messages/blocks.ts";
import type { ToolCallWire } from "../messages/toolCall.ts";
import type { ModelAnswer } from "../services/aiService.ts";
import { readableJson, readableText } from "../utils/readable.ts";

/** A model's answer in text that every guard can read: what is judged, shown, written down and run is the same. */
export function readableAnswer(answer: ModelAnswer): ModelAnswer {
  const { content, reasoning, tool_calls: calls } = answer;
  return {
    ...answer,
    ...(content === undefined ? {} : { content: readableText(content) }),
    ...(reasoning === undefined ? {} : { reasoning: readableText(reasoning) }),
    ...(calls === undefined ? {} : { tool_calls: calls.map(readableCall) }),
  };
}

function readableCall(call: ToolCallWire): ToolCallWire {
  const { name, arguments: parameters } = call.function;
  return {
    ...call,
    id: readableText(call.id),
    function: { ...call.function, name: readableText(name), arguments: readableJson(parameters) },
  };
}

/** A model's answer as blocks of a message. */
export function blocksOf(answer: ModelAnswer, calls: readonly ToolCallWire[]): Block[] {
  const blocks: Block[] = [];
  const { vendorData, reasoning = "" } = answer;
  if (reasoning || vendorData)
    blocks.push({ type: "reasoning", content: reasoning, ...(vendorData && { vendorData }) });
  if (answer.content) blocks.push({ type: "text", content: answer.content });
  for (const call of calls) {
    const { name, arguments: parameters } = call.function;
    const vendor = call.vendorData && { vendorData: call.vendorData };
    blocks.push({ type: "tool", id: call.id, name, parameters, stage: "pending", ...vendor });
  }
  return blocks;
}

/** Some servers give every call of an answer the same id, or none: results could not be told apart. */
export function withUniqueIds(calls: readonly ToolCallWire[]): ToolCallWire[] {
  const seen = new Set<string>();
  return calls.map((call, index) => {
    const id = call.id && !seen.has(call.id) ? call.id : `${call.id || "call"}_${index}`;
    seen.add(id);
    return { ...call, id };
  });
}

/** Calls come one after the other: an answer that reached its output limit ended in the last of them. */
export function withItsEnd(calls: readonly ToolCallWire[], finishReason: string | undefined): ToolCallWire[] {
  return calls.map((call, index) =>
    isAtLimit(finishReason) && index === calls.length - 1 ? { ...call, endedAt: "output-limit" } : call,
  );
}

/** The limit of the answer, or of the context as a whole. */
const isAtLimit = (finishReason: string | undefined) =>
  finishReason === "length" || finishReason === "model_context_window_exceeded";

/** Why an answer ends before the model was done with it. */
export function cutOf(finishReason: string | undefined): { by: AnswerCut; warning: string } | undefined {
  if (isAtLimit(finishReason))
    return { by: "output-limit", warning: "the model's answer was cut: it reached its output limit" };
  if (finishReason === "content_filter")
    return { by: "content-filter", warning: "the model's answer was cut by the provider's content filter" };
  return undefined;
}

/** Nothing on the screen, and nothing happens: that it is no mistake of Wave's has to be said. */
export function isNothing({ content = "", tool_calls: calls = [] }: ModelAnswer): boolean {
  return content.trim() === "" && calls.length === 0;
}
