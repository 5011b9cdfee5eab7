import { asRecord, asText, type JsonRecord } from "../../json.ts";
import { Layout } from "../../layout.ts";
import type { AnswerDecoder, Delta, Kept } from "../../protocol.ts";

/** An item of the answer while it streams. */
interface Begun {
  /** Its place in the layout. */
  piece: number;
  /** Number of the call in the answer. */
  call: number;
  /** Characters of text, reasoning or arguments that came so far. */
  came: number;
  /** Parts of a summary: between two of them is a gap. */
  parts: number;
}

const KINDS: Readonly<Record<string, "text" | "reasoning" | "call">> = {
  message: "text",
  reasoning: "reasoning",
  function_call: "call",
};

export class ResponsesDecoder implements AnswerDecoder {
  readonly #layout = new Layout();
  /** By the place in the answer. */
  readonly #items = new Map<unknown, Begun>();
  #calls = 0;
  #isWorthKeeping = false;

  push(event: JsonRecord): Delta[] {
    const item = asRecord(event["item"]) ?? {};
    const at = event["output_index"];
    const delta = asText(event["delta"]) ?? "";
    switch (event["type"]) {
      case "response.output_item.added":
        return this.#begin(item, at);
      case "response.output_text.delta":
      case "response.refusal.delta":
        return this.#add("text", delta, at);
      case "response.reasoning_summary_part.added":
        return this.#apart(at);
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return this.#add("reasoning", delta, at);
      case "response.function_call_arguments.delta":
        return this.#argue(delta, at);
      case "response.output_item.done":
        return this.#end(item, at);
      case "response.completed":
      case "response.incomplete":
        return this.#finish(asRecord(event["response"]) ?? {});
      default:
        return [];
    }
  }

  whole(answer: JsonRecord): Delta[] | undefined {
    const output = answer["output"];
    if (!Array.isArray(output)) return undefined;
    const items = output.flatMap((entry, at) => {
      const item = asRecord(entry) ?? {};
      return [...this.#begin(item, at), ...this.#end(item, at)];
    });
    return [...items, ...this.#finish(answer)];
  }

  kept(): Kept | undefined {
    return this.#isWorthKeeping ? this.#layout.kept() : undefined;
  }

  #begin(item: JsonRecord, at: unknown): Delta[] {
    const kind = KINDS[asText(item["type"]) ?? ""];
    // What the server did by itself is no part of the answer.
    if (kind === undefined) return [];
    const begun: Begun = { piece: this.#layout.begin(kind), call: this.#calls, came: 0, parts: 0 };
    this.#items.set(at, begun);
    if (kind !== "call") return [];
    this.#calls += 1;
    const [id, name] = [asText(item["call_id"]), asText(item["name"])];
    const own = asText(item["id"]);
    return [{ kind: "call", call: begun.call, id, name, ...(own !== undefined && { fields: { id: own } }) }];
  }

  #add(kind: "text" | "reasoning", text: string, at: unknown): Delta[] {
    const begun = this.#items.get(at);
    if (!begun || text === "") return [];
    begun.came += text.length;
    this.#layout.grow(text);
    return [{ kind, text }];
  }

  #argue(text: string, at: unknown): Delta[] {
    const begun = this.#items.get(at);
    if (!begun || text === "") return [];
    begun.came += text.length;
    return [{ kind: "call", call: begun.call, arguments: text }];
  }

  /** Every part of a summary is a paragraph, and so is every further piece of reasoning. */
  #apart(at: unknown): Delta[] {
    const begun = this.#items.get(at);
    if (!begun) return [];
    begun.parts += 1;
    const isFirst = begun.parts === 1 && !this.#layout.hasText("reasoning");
    return isFirst ? [] : this.#add("reasoning", "\n\n", at);
  }

  /** The item as a whole: servers that do not stream it say all of it here. */
  #end(item: JsonRecord, at: unknown): Delta[] {
    const begun = this.#items.get(at);
    if (!begun) return [];
    const { came } = begun;
    switch (item["type"]) {
      case "message": {
        const [id, phase] = [asText(item["id"]), asText(item["phase"])];
        this.#isWorthKeeping ||= phase !== undefined;
        const fields = { ...(id !== undefined && { id }), ...(phase !== undefined && { phase }) };
        this.#layout.keep(fields, begun.piece);
        return came > 0 ? [] : this.#add("text", textsOf(item["content"]).join(""), at);
      }
      case "reasoning": {
        const { status: _status, ...kept } = item;
        this.#isWorthKeeping = true;
        this.#layout.keep({ item: kept }, begun.piece);
        return came > 0
          ? []
          : this.#add("reasoning", [item["summary"], item["content"]].flatMap(textsOf).join("\n\n"), at);
      }
      case "function_call":
        return came > 0 ? [] : this.#argue(asText(item["arguments"]) ?? "", at);
      default:
        return [];
    }
  }

  #finish(response: JsonRecord): Delta[] {
    return [...countedIn(response["usage"]), { kind: "finish", reason: this.#reason(response) }];
  }

  #reason({ status, incomplete_details: details }: JsonRecord): string {
    if (status !== "incomplete") return this.#calls > 0 ? "tool_calls" : "stop";
    const why = asText(asRecord(details)?.["reason"]) ?? "incomplete";
    return why === "max_output_tokens" ? "length" : why;
  }
}

/** A refusal is the model's answer as well. */
function textsOf(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => {
    const { text, refusal } = asRecord(part) ?? {};
    return asText(text) ?? asText(refusal) ?? [];
  });
}

function countedIn(usage: unknown): Delta[] {
  const counts = asRecord(usage);
  const [inputTokens, outputTokens] = [counts?.["input_tokens"], counts?.["output_tokens"]];
  if (typeof inputTokens !== "number" || typeof outputTokens !== "number") return [];
  const { cached_tokens: cached, cache_write_tokens: written } =
    asRecord(counts?.["input_tokens_details"]) ?? {};
  return [
    {
      kind: "usage",
      usage: {
        inputTokens,
        outputTokens,
        ...(typeof cached === "number" && { cachedInputTokens: cached }),
        ...(typeof written === "number" && written > 0 && { cacheWriteTokens: written }),
      },
    },
  ];
}
