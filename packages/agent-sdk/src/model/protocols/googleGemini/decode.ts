import { asRecord, asText, type JsonRecord } from "../../json.ts";
import { Layout } from "../../layout.ts";
import type { AnswerDecoder, Delta, Kept } from "../../protocol.ts";

/** How an answer ends, in the words that all of Wave uses. */
const REASONS: Readonly<Record<string, string>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  CONTINUATION: "length",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  IMAGE_SAFETY: "content_filter",
};

export class GeminiDecoder implements AnswerDecoder {
  readonly #layout = new Layout();
  #calls = 0;
  /** The last piece is whole: what comes now is another one. */
  #isSealed = true;

  /** Every event is a part of the answer in the same form as a whole one. */
  push(chunk: JsonRecord): Delta[] {
    const candidates = chunk["candidates"];
    const candidate = asRecord(Array.isArray(candidates) ? candidates[0] : undefined);
    const parts = asRecord(candidate?.["content"])?.["parts"];
    const read = (Array.isArray(parts) ? parts : []).flatMap((part) => this.#read(asRecord(part) ?? {}));
    return [...read, ...countedIn(chunk["usageMetadata"]), ...this.#ended(candidate, chunk)];
  }

  whole(answer: JsonRecord): Delta[] | undefined {
    return answer["candidates"] || answer["promptFeedback"] ? this.push(answer) : undefined;
  }

  kept(): Kept | undefined {
    return this.#layout.kept();
  }

  #read(part: JsonRecord): Delta[] {
    const signature = asText(part["thoughtSignature"]);
    const signed = signature === undefined ? undefined : { thoughtSignature: signature };
    const called = asRecord(part["functionCall"]);
    if (called) return this.#call(called, signed);
    const text = asText(part["text"]);
    if (text === undefined) return [];
    const kind = part["thought"] === true ? "reasoning" : "text";
    if (this.#isSealed || this.#layout.last !== kind || (text === "" && signed)) this.#layout.begin(kind);
    this.#layout.grow(text);
    if (signed) this.#layout.keep(signed);
    this.#isSealed = signed !== undefined;
    return text === "" ? [] : [{ kind, text }];
  }

  /** A call comes as a whole. */
  #call(called: JsonRecord, signed: JsonRecord | undefined): Delta[] {
    const name = asText(called["name"]);
    if (name === undefined) return [];
    this.#layout.begin("call");
    this.#isSealed = true;
    const id = asText(called["id"]) || undefined;
    const fields = { ...(id !== undefined && { id }), ...signed };
    const args = asRecord(called["args"]) ?? {};
    return [
      {
        kind: "call",
        call: this.#calls++,
        id,
        name,
        arguments: JSON.stringify(args),
        ...(Object.keys(fields).length > 0 && { fields }),
      },
    ];
  }

  #ended(candidate: JsonRecord | undefined, chunk: JsonRecord): Delta[] {
    const reason = asText(candidate?.["finishReason"]);
    if (reason !== undefined) {
      const isForCalls = reason === "STOP" && this.#calls > 0;
      return [{ kind: "finish", reason: isForCalls ? "tool_calls" : (REASONS[reason] ?? reason) }];
    }
    const blocked = asText(asRecord(chunk["promptFeedback"])?.["blockReason"]);
    return blocked === undefined ? [] : [{ kind: "finish", reason: "content_filter" }];
  }
}

function countedIn(usage: unknown): Delta[] {
  const counts = asRecord(usage);
  if (!counts) return [];
  const count = (field: string) => Number(counts[field] ?? 0);
  const cached = counts["cachedContentTokenCount"];
  return [
    {
      kind: "usage",
      usage: {
        inputTokens: count("promptTokenCount") + count("toolUsePromptTokenCount"),
        outputTokens: count("candidatesTokenCount") + count("thoughtsTokenCount"),
        ...(typeof cached === "number" && { cachedInputTokens: cached }),
      },
    },
  ];
}
