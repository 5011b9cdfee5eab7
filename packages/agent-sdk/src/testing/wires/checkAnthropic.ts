import type { ScriptedRequestBody } from "../scenario.ts";
import { asRecord, isText, isToolName, isWellFormed } from "./checkRequest.ts";
import { isSealOf, withoutTheirSeal } from "./replies.ts";
import type { Json, Memory } from "./wire.ts";

type Asked = { model: string; memory: Memory };

/** What Anthropic's server rejects, a sentence each, with the place. */
export function checkAnthropic(body: ScriptedRequestBody, asked: Asked): string[] {
  const messages: (Json | undefined)[] = body.messages.map(asRecord);
  const limit = body["max_tokens"];
  return [
    ...(body.model ? [] : ["model: Field required"]),
    ...(typeof limit === "number" && limit > 0 ? [] : ["max_tokens: Field required"]),
    ...(isWellFormed(body) ? [] : ["the request has half a surrogate pair in it"]),
    ...checkTools(body["tools"]),
    ...(messages[0]?.["role"] === "user" ? [] : ["messages: first message must use the user role"]),
    ...messages.flatMap((message, at) => checkMessage(message, `messages.${at}`, asked)),
    ...checkResults(messages),
    ...(messages.at(-1)?.["role"] === "assistant" ? ["messages: the last message is the assistant's"] : []),
    ...(cachePoints(body) > 4 ? ["A maximum of 4 blocks with cache_control may be provided."] : []),
  ];
}

function checkTools(tools: unknown): string[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools) || tools.length === 0) return ["tools: is not a list with tools in it"];
  return tools.flatMap((entry, at) => {
    const tool = asRecord(entry);
    const schema = asRecord(tool?.["input_schema"]);
    return [
      ...(isToolName(tool?.["name"]) ? [] : [`tools.${at}.name: String should match pattern`]),
      ...(schema?.["type"] === "object" ? [] : [`tools.${at}.input_schema.type: Field required`]),
    ];
  });
}

function checkMessage(message: Json | undefined, at: string, asked: Asked): string[] {
  const { role, content } = message ?? {};
  if (role !== "user" && role !== "assistant") return [`${at}.role: is ${JSON.stringify(role)}`];
  if (typeof content === "string") return isText(content) ? [] : [`${at}: content is empty`];
  if (!Array.isArray(content) || content.length === 0) return [`${at}.content: has no blocks`];
  const blocks = content.map((block) => asRecord(block) ?? {});
  return [
    ...blocks.flatMap((block, index) => checkBlock(block, `${at}.content.${index}`, role, asked)),
    ...(role === "assistant" ? checkThoughts(blocks, at, asked) : []),
  ];
}

function checkBlock(block: Json, at: string, role: string, { model }: Asked): string[] {
  switch (`${role} ${String(block["type"])}`) {
    case "user text":
    case "assistant text":
      return isText(block["text"]) ? [] : [`${at}: text content blocks must be non-empty`];
    case "user image": {
      const source = asRecord(block["source"]);
      const isImage =
        /^image\/(png|jpeg|gif|webp)$/.test(String(source?.["media_type"])) && isText(source?.["data"]);
      return source?.["type"] === "base64" && isImage ? [] : [`${at}.source: is no image`];
    }
    case "user tool_result":
      return isText(block["tool_use_id"]) ? [] : [`${at}.tool_use_id: Field required`];
    case "assistant tool_use":
      return [
        ...(/^[a-zA-Z0-9_-]+$/.test(String(block["id"])) ? [] : [`${at}.id: String should match pattern`]),
        ...(isToolName(block["name"]) ? [] : [`${at}.name: String should match pattern`]),
        ...(asRecord(block["input"]) ? [] : [`${at}.input: Input should be a valid dictionary`]),
      ];
    case "assistant thinking": {
      const thought = block["thinking"];
      const isSealed = typeof thought === "string" && isSealOf(block["signature"], thought, model);
      return isSealed ? [] : [`${at}: Invalid \`signature\` in \`thinking\` block`];
    }
    case "assistant redacted_thinking":
      return isText(block["data"]) ? [] : [`${at}.data: Field required`];
    default:
      return [`${at}: ${role} has no block ${JSON.stringify(block["type"])}`];
  }
}

/** The thoughts that led to calls come back, and before them. */
function checkThoughts(blocks: readonly Json[], at: string, asked: Asked): string[] {
  const ids = blocks.flatMap((block) => (block["type"] === "tool_use" ? [String(block["id"])] : []));
  const seals = blocks
    .slice(
      0,
      blocks.findIndex(({ type }) => type === "tool_use"),
    )
    .map(({ signature }) => signature);
  return withoutTheirSeal(ids, seals, asked).map(
    (id) => `${at}: the thinking that led to ${id} is missing, or stands behind it`,
  );
}

/** Every call is answered in the message directly after it, and nothing else is. */
function checkResults(messages: readonly (Json | undefined)[]): string[] {
  const idsIn = (message: Json | undefined, type: string, field: string): string[] => {
    const content = message?.["content"];
    const blocks = Array.isArray(content) ? content.map(asRecord) : [];
    return blocks.flatMap((block) => (block?.["type"] === type ? [String(block[field])] : []));
  };
  const all = messages.flatMap((message) => idsIn(message, "tool_use", "id"));
  return [
    ...(new Set(all).size === all.length ? [] : ["messages: `tool_use` ids must be unique"]),
    ...messages.flatMap((message, at) => {
      const asked = idsIn(messages[at - 1], "tool_use", "id");
      const answered = idsIn(message, "tool_result", "tool_use_id");
      return [
        ...asked
          .filter((id) => !answered.includes(id))
          .map(
            (id) =>
              `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}`,
          ),
        ...answered
          .filter((id) => !asked.includes(id))
          .map((id) => `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`),
      ];
    }),
  ];
}

function cachePoints(body: object): number {
  return [...JSON.stringify(body).matchAll(/"cache_control":\{/g)].length;
}
