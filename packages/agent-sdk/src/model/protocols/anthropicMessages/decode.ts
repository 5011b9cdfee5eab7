import { asRecord, asText, type JsonRecord } from "../../json.ts";
import { Layout } from "../../layout.ts";
import type { AnswerDecoder, Delta, Kept } from "../../protocol.ts";

/** How an answer ends, in the words that all of Wave uses. */
const REASONS: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  pause_turn: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  refusal: "content_filter",
};

export class AnthropicDecoder implements AnswerDecoder {
  readonly #layout = new Layout();
  #calls = 0;
  /** Of the block that streams: whether the call has its input. */
  #hasInput = false;
  #counts: JsonRecord = {};

  push(event: JsonRecord): Delta[] {
    switch (event["type"]) {
      case "message_start":
        return this.#count(asRecord(event["message"])?.["usage"]);
      case "content_block_start":
        return this.#begin(asRecord(event["content_block"]) ?? {});
      case "content_block_delta":
        return this.#grow(asRecord(event["delta"]) ?? {});
      case "content_block_stop":
        return this.#endOfBlock();
      case "message_delta":
        return [...this.#count(event["usage"]), ...endedBy(asRecord(event["delta"]))];
      default:
        // Pings, and whatever the protocol may add.
        return [];
    }
  }

  whole(answer: JsonRecord): Delta[] | undefined {
    const content = answer["content"];
    if (answer["type"] !== "message" || !Array.isArray(content)) return undefined;
    const blocks = content.flatMap((block) => {
      const record = asRecord(block) ?? {};
      return [...this.#begin(record), ...this.#endOfBlock()];
    });
    return [...blocks, ...this.#count(answer["usage"]), ...endedBy(answer)];
  }

  kept(): Kept | undefined {
    return this.#layout.kept();
  }

  #begin(block: JsonRecord): Delta[] {
    switch (block["type"]) {
      case "text":
        this.#layout.begin("text");
        return this.#add("text", asText(block["text"]));
      case "thinking": {
        const apart = this.#apart();
        this.#layout.begin("reasoning");
        const thought = this.#add("reasoning", asText(block["thinking"]));
        this.#sign(asText(block["signature"]));
        return [...apart, ...thought];
      }
      case "redacted_thinking":
        this.#layout.begin("reasoning", { data: block["data"] });
        return [];
      case "tool_use":
        return this.#beginCall(block);
      default:
        return [];
    }
  }

  #beginCall(block: JsonRecord): Delta[] {
    this.#layout.begin("call");
    const input = asRecord(block["input"]) ?? {};
    this.#hasInput = Object.keys(input).length > 0;
    return [
      {
        kind: "call",
        call: this.#calls++,
        id: asText(block["id"]) || undefined,
        name: asText(block["name"]) || undefined,
        ...(this.#hasInput && { arguments: JSON.stringify(input) }),
      },
    ];
  }

  #grow(delta: JsonRecord): Delta[] {
    switch (delta["type"]) {
      case "text_delta":
        return this.#add("text", asText(delta["text"]));
      case "thinking_delta":
        return this.#add("reasoning", asText(delta["thinking"]));
      case "signature_delta":
        this.#sign(asText(delta["signature"]));
        return [];
      case "input_json_delta": {
        const text = asText(delta["partial_json"]) ?? "";
        if (text === "") return [];
        this.#hasInput = true;
        return [{ kind: "call", call: this.#calls - 1, arguments: text }];
      }
      default:
        return [];
    }
  }

  /** A call without input streams nothing of it. */
  #endOfBlock(): Delta[] {
    if (this.#layout.last !== "call" || this.#hasInput) return [];
    this.#hasInput = true;
    return [{ kind: "call", call: this.#calls - 1, arguments: "{}" }];
  }

  #add(kind: "text" | "reasoning", text: string | undefined): Delta[] {
    if (!text) return [];
    this.#layout.grow(text);
    return [{ kind, text }];
  }

  /** Two thoughts in a row are two paragraphs. The gap belongs to neither. */
  #apart(): Delta[] {
    if (!this.#layout.hasText("reasoning")) return [];
    this.#layout.begin("reasoning");
    return this.#add("reasoning", "\n\n");
  }

  #sign(signature: string | undefined): void {
    if (signature) this.#layout.keep({ signature });
  }

  /** Counts come twice, and the later ones leave out what has not changed. */
  #count(usage: unknown): Delta[] {
    const given = Object.entries(asRecord(usage) ?? {}).filter(([, value]) => typeof value === "number");
    this.#counts = { ...this.#counts, ...Object.fromEntries(given) };
    const count = (field: string) => Number(this.#counts[field] ?? 0);
    const [read, written] = [count("cache_read_input_tokens"), count("cache_creation_input_tokens")];
    if (this.#counts["output_tokens"] === undefined) return [];
    return [
      {
        kind: "usage",
        usage: {
          inputTokens: count("input_tokens") + read + written,
          outputTokens: count("output_tokens"),
          ...(read > 0 && { cachedInputTokens: read }),
          ...(written > 0 && { cacheWriteTokens: written }),
        },
      },
    ];
  }
}

function endedBy(delta: JsonRecord | undefined): Delta[] {
  const reason = asText(delta?.["stop_reason"]);
  return reason === undefined ? [] : [{ kind: "finish", reason: REASONS[reason] ?? reason }];
}
