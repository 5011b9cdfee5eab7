import type { Adaptation } from "../../adaptations.ts";
import { plainSchema } from "../../plainSchema.ts";
import type { ResponseBody, ResponseItem } from "./encode.ts";

type Change = (body: ResponseBody) => ResponseBody;

const withoutSummary: Change = ({ reasoning: _reasoning, ...body }) => body;

/** What only a model that reasons understands. */
const withoutReasoning: Change = ({ reasoning: _reasoning, include: _include, ...body }) => body;

const withoutCacheKey: Change = ({ prompt_cache_key: _key, ...body }) => body;

/** Reasoning, and the ids that refer to it. */
const withNothingBack: Change = (body) => ({
  ...body,
  input: body.input.filter(({ type }) => type !== "reasoning").map(withoutId),
});

function withoutId({ id: _id, ...item }: ResponseItem): ResponseItem {
  return { ...item, type: item.type };
}

const plainSchemas: Change = (body) => ({
  ...body,
  ...(body.tools && {
    tools: body.tools.map((tool) => ({ ...tool, parameters: plainSchema(tool.parameters) })),
  }),
});

/** Older models of OpenAI's, and servers of others that speak its protocol. */
export const ADAPTATIONS: readonly Adaptation<ResponseBody>[] = [
  {
    name: "no-summary",
    says: /verified to generate reasoning summar|reasoning[._]summary/i,
    change: withoutSummary,
    does: "does not ask for summaries of its reasoning",
  },
  {
    name: "no-reasoning",
    says: /(unsupported|unknown|unrecognized|invalid).{0,40}\b(reasoning|include)\b|\b(reasoning|include|encrypted[ _]content)['"`]?.{0,60}not (supported|allowed|permitted)/i,
    change: withoutReasoning,
    does: "does not ask for its reasoning",
  },
  {
    name: "no-stream",
    says: /verified to stream|(not|n't) support stream|streaming is not/i,
    change: (body) => ({ ...body, stream: false }),
    does: "asks for whole answers, which show nothing until they are there",
  },
  {
    name: "no-cache-key",
    says: /prompt_cache_key/i,
    change: withoutCacheKey,
    does: "does not say which cache it would find itself in",
  },
  {
    name: "nothing-back",
    says: /encrypted_content|reasoning['"`]? item|\brs_|item.{0,80}not found/i,
    change: withNothingBack,
    does: "does not send back the reasoning of earlier answers",
  },
  {
    name: "plain-schemas",
    says: /additionalProperties|\$schema|(unsupported|invalid|unknown).{0,60}(schema|keyword)/i,
    change: plainSchemas,
    does: "describes its tools without limits on their input, which it still checks",
  },
];
