import type { Usage } from "../messages/blocks.ts";
import type { ModelAnswer } from "./request.ts";
import { asRecord, asText, type JsonRecord } from "./json.ts";
import { ToolCalls, type AnswerOptions } from "./toolCalls.ts";
import { REASONING_FIELDS, VendorFields } from "./vendorFields.ts";

/** What one piece of the stream added, for whoever watches. */
export type StreamDelta =
  | { kind: "text"; text: string }
  | { kind: "reasoning"; text: string }
  | { kind: "tool-call"; name: string };

/** Builds one answer from the pieces of a stream, or from a whole answer, which is one large piece. */
export class StreamAnswer {
  #text = "";
  #reasoning = "";
  readonly #calls: ToolCalls;
  #usage: Usage | undefined;
  #finishReason: string | undefined;
  #progress = 0;

  readonly #vendor: string;
  readonly #vendorFields = new VendorFields("answer");
  #reasoningField: string | undefined;

  constructor(options: AnswerOptions) {
    this.#vendor = options.vendor;
    this.#calls = new ToolCalls(options);
  }

  /** The model itself ended the answer: a connection that breaks after this broke nothing. */
  get finished(): boolean {
    return this.#finishReason !== undefined;
  }

  /** Nobody would miss it: no word, no call. */
  get isEmpty(): boolean {
    return this.#text.trim() === "" && this.#calls.isEmpty;
  }

  /** Grows with everything that becomes part of the answer, and with nothing else. */
  get progress(): number {
    return this.#progress + this.#calls.progress + (this.finished ? 1 : 0);
  }

  push(chunk: JsonRecord): StreamDelta[] {
    this.#usage = readUsage(chunk["usage"]) ?? this.#usage;
    const choices = chunk["choices"];
    const choice = asRecord(Array.isArray(choices) ? choices[0] : undefined);
    if (!choice) return [];
    this.#finishReason = asText(choice["finish_reason"]) ?? this.#finishReason;
    const piece = asRecord(choice["delta"]);
    const deltas = piece ? this.#add(piece) : this.#add(numbered(asRecord(choice["message"]) ?? {}));
    this.#progress += deltas.length;
    return deltas;
  }

  answer(): ModelAnswer {
    const calls = this.#calls.all();
    return {
      ...(this.#text !== "" && { content: this.#text }),
      ...(this.#reasoning !== "" && { reasoning: this.#reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#finishReason !== undefined && { finish_reason: this.#finishReason }),
      ...this.#vendorData(),
    };
  }

  #vendorData(): Pick<ModelAnswer, "vendorData"> {
    const fields = this.#vendorFields.all;
    // The details have the whole text in them.
    const textField = this.#vendorFields.has("reasoning_details") ? undefined : this.#reasoningField;
    if (!fields && textField === undefined) return {};
    return {
      vendorData: {
        from: this.#vendor,
        ...(fields && { fields }),
        ...(textField !== undefined && { textField }),
      },
    };
  }

  #add(piece: JsonRecord): StreamDelta[] {
    const deltas: StreamDelta[] = [];
    this.#vendorFields.push(piece);
    // Two names for one thing; servers that send both repeat the same text in them.
    const reasoningField = REASONING_FIELDS.find((field) => textOf(piece[field]) !== "");
    const reasoning = reasoningField === undefined ? "" : textOf(piece[reasoningField]);
    this.#reasoningField ??= reasoningField;
    if (reasoning) {
      this.#reasoning += reasoning;
      deltas.push({ kind: "reasoning", text: reasoning });
    }
    // A refusal is the model's answer in another field; dropped, the user would see nothing at all.
    const text = textOf(piece["content"]) || textOf(piece["refusal"]);
    if (text) {
      this.#text += text;
      deltas.push({ kind: "text", text });
    }
    const calls = piece["tool_calls"];
    for (const fragment of Array.isArray(calls) ? calls : []) {
      const name = this.#calls.push(asRecord(fragment) ?? {});
      if (name !== undefined) deltas.push({ kind: "tool-call", name });
    }
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
