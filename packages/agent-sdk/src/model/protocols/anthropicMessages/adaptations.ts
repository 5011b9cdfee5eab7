import type { Adaptation } from "../../adaptations.ts";
import { joinByRole } from "../../joinByRole.ts";
import { plainSchema } from "../../plainSchema.ts";
import type { AnthropicBlock, AnthropicBody } from "./encode.ts";

type Change = (body: AnthropicBody) => AnthropicBody;

const SMALL_ANSWER = 8_192;
const SMALL_BUDGET = 4_096;

const withBudget: Change = (body) => ({
  ...body,
  thinking: { type: "enabled", budget_tokens: SMALL_BUDGET },
});

const withoutThinking: Change = ({ thinking: _thinking, ...body }) => body;

const eachBlock = (
  body: AnthropicBody,
  change: (block: AnthropicBlock) => AnthropicBlock[],
): AnthropicBody => ({
  ...body,
  messages: body.messages
    .map((message) => ({ ...message, content: message.content.flatMap(change) }))
    .filter(({ content }) => content.length > 0),
});

const withoutThoughts: Change = (body) =>
  eachBlock(body, (block) => (block.type.endsWith("thinking") ? [] : [block]));

const withoutCachePoints: Change = (body) => ({
  ...eachBlock(body, (block) => [withoutPoint(block)]),
  ...(body.system && { system: body.system.map(withoutPoint) }),
});

function withoutPoint({ cache_control: _point, ...block }: AnthropicBlock): AnthropicBlock {
  return { ...block, type: block.type };
}

const alternating: Change = (body) => ({
  ...body,
  messages: joinByRole(body.messages, (first, next) => ({
    ...first,
    content: [...first.content, ...next.content],
  })),
});

const plainSchemas: Change = (body) => ({
  ...body,
  ...(body.tools && {
    tools: body.tools.map((tool) => ({ ...tool, input_schema: plainSchema(tool.input_schema) })),
  }),
});

/** Older models of Anthropic's, and servers of others that speak its protocol. */
export const ADAPTATIONS: readonly Adaptation<AnthropicBody>[] = [
  {
    name: "thinking-budget",
    says: /adaptive|thinking\.\S*display|thinking\.type/i,
    change: withBudget,
    does: "gives it a fixed number of tokens to think with",
  },
  {
    name: "no-thinking",
    says: /thinking['"`]?.{0,80}(not (supported|available|allowed)|unsupported|extra inputs|unexpected)|(not|n't) support.{0,40}thinking|expected ['"`]?thinking/i,
    change: withoutThinking,
    does: "does not ask it to think",
  },
  {
    name: "smaller-answer",
    says: /max_tokens/i,
    change: (body) => ({ ...body, max_tokens: SMALL_ANSWER }),
    does: `asks for at most ${SMALL_ANSWER} tokens at once`,
  },
  {
    name: "nothing-back",
    says: /signature|redacted_thinking|thinking.{0,60}(cannot be modified|invalid)|invalid.{0,60}thinking/i,
    change: withoutThoughts,
    does: "does not send back the reasoning of earlier answers",
  },
  {
    name: "no-cache-points",
    says: /cache_control/i,
    change: withoutCachePoints,
    does: "does not say what should be cached",
  },
  {
    name: "alternate",
    says: /(must|should) alternate|roles in a row|consecutive (user|messages)/i,
    change: alternating,
    does: "sends messages of one role that follow each other as one",
  },
  {
    name: "plain-schemas",
    says: /additionalProperties|\$schema|input_schema|(unsupported|invalid|unknown).{0,60}(schema|keyword)/i,
    change: plainSchemas,
    does: "describes its tools without limits on their input, which it still checks",
  },
];
