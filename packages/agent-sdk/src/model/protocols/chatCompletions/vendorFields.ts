import { asRecord, asText, type JsonRecord } from "../../json.ts";

/** What servers send with a call and want to see again with it: Gemini 3's signatures, by their own name and by LiteLLM's. */
const CALL_FIELDS = ["extra_content", "provider_specific_fields", "thought_signature"];

/** The same with an answer: OpenRouter's reasoning, sealed or not, LiteLLM's, and again Gemini's signatures. */
const ANSWER_FIELDS = ["extra_content", "provider_specific_fields", "reasoning_details", "thinking_blocks"];

/** Reasoning as text. DeepSeek and Kimi want it back under the first name, Groq, Cerebras and vLLM under the second. */
export const REASONING_FIELDS = ["reasoning_content", "reasoning"] as const;

/** Every field of a message or a call that Wave sends only because it came. */
export const VENDOR_FIELDS: ReadonlySet<string> = new Set([
  ...CALL_FIELDS,
  ...ANSWER_FIELDS,
  ...REASONING_FIELDS,
]);

/** Collects, from pieces, what has to go back as it came. */
export class VendorFields {
  readonly #names: readonly string[];
  #fields: JsonRecord = {};

  constructor(of: "call" | "answer") {
    this.#names = of === "call" ? CALL_FIELDS : ANSWER_FIELDS;
  }

  push(piece: JsonRecord): void {
    for (const name of this.#names) {
      const value = piece[name];
      if (isSomething(value)) this.#fields = merged(this.#fields, { [name]: value });
    }
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#fields, name);
  }

  /** Undefined when nothing came. */
  get all(): JsonRecord | undefined {
    return Object.keys(this.#fields).length === 0 ? undefined : this.#fields;
  }
}

const isSomething = (value: unknown) =>
  value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

function merged(before: JsonRecord, after: JsonRecord): JsonRecord {
  const both = { ...before };
  for (const [name, value] of Object.entries(after)) {
    const old = both[name];
    const [oldRecord, newRecord] = [asRecord(old), asRecord(value)];
    if (Array.isArray(old) && Array.isArray(value)) both[name] = value.reduce<unknown[]>(appended, old);
    else if (oldRecord && newRecord) both[name] = merged(oldRecord, newRecord);
    else if (isSomething(value)) both[name] = value;
  }
  return both;
}

/** Parts whose text goes on where that of the last one ended are one part; everything else stands for itself. */
function appended(list: unknown[], part: unknown): unknown[] {
  const [last, next] = [asRecord(list.at(-1)), asRecord(part)];
  const name = TEXT_NAMES.find((each) => asText(next?.[each]) !== undefined);
  const isSigned = isSomething(last?.["signature"]);
  const goesOn = last?.["type"] === next?.["type"] && last?.["index"] === next?.["index"] && !isSigned;
  if (!last || !next || !goesOn || name === undefined) return [...list, part];
  const text = `${asText(last[name]) ?? ""}${asText(next[name]) ?? ""}`;
  return [...list.slice(0, -1), { ...merged(last, next), [name]: text }];
}

const TEXT_NAMES = ["text", "summary", "thinking"];
