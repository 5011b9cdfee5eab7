import type { Usage } from "../../../messages/blocks.ts";
import { asRecord, asText, type JsonRecord } from "../../json.ts";
import type { AnswerDecoder, Delta, Kept } from "../../protocol.ts";
import { CallFragments } from "./callFragments.ts";
import { REASONING_FIELDS, VendorFields } from "./vendorFields.ts";

/** A whole answer is one large piece. */
export class ChatDecoder implements AnswerDecoder {
  readonly #calls = new CallFragments();
  readonly #vendorFields = new VendorFields("answer");
  #reasoningField: string | undefined;

  push(chunk: JsonRecord): Delta[] {
    const usage = readUsage(chunk["usage"]);
    const counted: Delta[] = usage ? [{ kind: "usage", usage }] : [];
    const choices = chunk["choices"];
    const choice = asRecord(Array.isArray(choices) ? choices[0] : undefined);
    if (!choice) return counted;
    const piece = asRecord(choice["delta"]) ?? numbered(asRecord(choice["message"]) ?? {});
    const reason = asText(choice["finish_reason"]);
    const ended: Delta[] = reason === undefined ? [] : [{ kind: "finish", reason }];
    return [...counted, ...this.#read(piece), ...ended];
  }

  whole(answer: JsonRecord): Delta[] | undefined {
    return Array.isArray(answer["choices"]) ? this.push(answer) : undefined;
  }

  kept(): Kept | undefined {
    const fields = this.#vendorFields.all;
    // The details have the whole text in them.
    const textField = this.#vendorFields.has("reasoning_details") ? undefined : this.#reasoningField;
    if (!fields && textField === undefined) return undefined;
    return { ...(fields && { fields }), ...(textField !== undefined && { textField }) };
  }

  #read(piece: JsonRecord): Delta[] {
    const deltas: Delta[] = [];
    this.#vendorFields.push(piece);
    // Two names for one thing; servers that send both repeat the same text in them.
    const reasoningField = REASONING_FIELDS.find((field) => textOf(piece[field]) !== "");
    const reasoning = reasoningField === undefined ? "" : textOf(piece[reasoningField]);
    this.#reasoningField ??= reasoningField;
    if (reasoning) deltas.push({ kind: "reasoning", text: reasoning });
    // A refusal is the model's answer in another field; dropped, the user would see nothing at all.
    const text = textOf(piece["content"]) || textOf(piece["refusal"]);
    if (text) deltas.push({ kind: "text", text });
    const calls = piece["tool_calls"];
    for (const fragment of Array.isArray(calls) ? calls : [])
      deltas.push(this.#calls.push(asRecord(fragment) ?? {}));
    return deltas;
  }
}

/** The calls of a whole answer are whole: none goes on with the one before it, whatever it has or lacks. */
function numbered(message: JsonRecord): JsonRecord {
  const calls = message["tool_calls"];
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: calls.map((call, index) => ({ ...asRecord(call), index })) };
}

/** Text, or a list of parts with text in them. */
function textOf(value: unknown): string {
  if (!Array.isArray(value)) return asText(value) ?? "";
  return value.map((part) => asText(asRecord(part)?.["text"]) ?? "").join("");
}

function readUsage(value: unknown): Usage | undefined {
  const usage = asRecord(value);
  const inputTokens = usage?.["prompt_tokens"];
  const outputTokens = usage?.["completion_tokens"];
  if (typeof inputTokens !== "number" || typeof outputTokens !== "number") return undefined;
  const cached =
    asRecord(usage?.["prompt_tokens_details"])?.["cached_tokens"] ?? usage?.["prompt_cache_hit_tokens"];
  return { inputTokens, outputTokens, ...(typeof cached === "number" && { cachedInputTokens: cached }) };
}
