import type { ListedModel } from "../call.ts";
import { asRecord, asText, parseJson } from "../json.ts";

/** The list of models as OpenAI gives it, and everybody who speaks like OpenAI. */
export function listedByOpenAI(body: string): ListedModel[] | undefined {
  const data = asRecord(parseJson(body))?.["data"];
  if (!Array.isArray(data)) return undefined;
  return data.flatMap((entry) => {
    const record = asRecord(entry);
    const name = asText(record?.["id"]);
    return name ? [{ name, contextSize: SIZE_FIELDS.map((field) => record?.[field]).find(isSize) }] : [];
  });
}

/** OpenRouter and Together, vLLM, Groq, LM Studio and Mistral. */
const SIZE_FIELDS = ["context_length", "max_model_len", "context_window", "max_context_length"];

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
