import type { ScriptedRequestBody } from "../scenario.ts";
import { asRecord, isText, isToolName, isWellFormed } from "./checkRequest.ts";
import { isSealOf, withoutTheirSeal } from "./replies.ts";
import type { Json, Memory } from "./wire.ts";

type Asked = { model: string; memory: Memory };

/** What OpenAI's server rejects in a request for a response, a sentence each, with the place. */
export function checkResponses(body: ScriptedRequestBody, asked: Asked): string[] {
  const input = Array.isArray(body["input"]) ? body["input"].map((item) => asRecord(item) ?? {}) : [];
  return [
    ...(body.model ? [] : ["Missing required parameter: 'model'."]),
    ...(isWellFormed(body) ? [] : ["the request has half a surrogate pair in it"]),
    ...(input.length > 0 ? [] : ["input: is empty"]),
    ...checkTools(body["tools"]),
    ...input.flatMap((item, at) => checkItem(item, `input[${at}]`, asked)),
    ...checkOutputs(input),
    ...checkReasoning(input, asked),
  ];
}

function checkTools(tools: unknown): string[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) return ["tools: is not a list"];
  return tools.flatMap((entry, at) => {
    const tool = asRecord(entry);
    const isFunction = tool?.["type"] === "function" && asRecord(tool["parameters"]);
    return isFunction && isToolName(tool?.["name"]) ? [] : [`tools[${at}]: is no function with a name`];
  });
}

function checkItem(item: Json, at: string, { model }: Asked): string[] {
  switch (item["type"]) {
    case "message":
      return checkMessage(item, at);
    case "function_call":
      return [
        ...(isText(item["call_id"]) && item["call_id"].length <= 64 ? [] : [`Invalid '${at}.call_id'.`]),
        ...(isToolName(item["name"]) ? [] : [`Invalid '${at}.name'.`]),
        ...(typeof item["arguments"] === "string" ? [] : [`Invalid '${at}.arguments'.`]),
      ];
    case "function_call_output":
      return typeof item["output"] === "string" ? [] : [`Invalid '${at}.output'.`];
    case "reasoning": {
      const summary = item["summary"];
      const thought = Array.isArray(summary) ? summary.map((part) => asRecord(part)?.["text"]).join("") : "";
      const isSealed = isSealOf(item["encrypted_content"], thought, model);
      return isSealed && isText(item["id"])
        ? []
        : [`${at}: the encrypted_content of the reasoning item is invalid`];
    }
    default:
      return [`Invalid value: '${String(item["type"])}' in '${at}.type'.`];
  }
}

const PARTS: Record<string, readonly string[]> = {
  user: ["input_text", "input_image"],
  assistant: ["output_text", "refusal"],
};

function checkMessage({ role, content }: Json, at: string): string[] {
  const known = PARTS[String(role)];
  if (!known) return [`Invalid value: '${String(role)}' in '${at}.role'.`];
  if (!Array.isArray(content) || content.length === 0) return [`${at}.content: is empty`];
  return content.flatMap((entry, index) => {
    const part = asRecord(entry) ?? {};
    const isKnown = known.includes(String(part["type"]));
    const hasText = part["type"] === "input_image" ? isText(part["image_url"]) : isText(part["text"]);
    return isKnown && hasText ? [] : [`Invalid value in '${at}.content[${index}]'.`];
  });
}

/** Every call has one output behind it, and every output its call before it. */
function checkOutputs(input: readonly Json[]): string[] {
  const idsOf = (type: string) =>
    input.flatMap((item) => (item["type"] === type ? [String(item["call_id"])] : []));
  const [calls, outputs] = [idsOf("function_call"), idsOf("function_call_output")];
  return [
    ...(new Set(calls).size === calls.length ? [] : ["input: a call_id is used twice"]),
    ...calls
      .filter((id) => !outputs.includes(id))
      .map((id) => `No tool output found for function call ${id}.`),
    ...outputs
      .filter((id) => !calls.includes(id))
      .map((id) => `No tool call found for function call output with call_id ${id}.`),
  ];
}

/** Reasoning stands directly before what it led to, and comes back with it. */
function checkReasoning(input: readonly Json[], asked: Asked): string[] {
  const seals: unknown[] = [];
  return input.flatMap((item, at) => {
    if (item["type"] === "reasoning") {
      seals.push(item["encrypted_content"]);
      const next = input[at + 1];
      const follows =
        next?.["type"] === "function_call" || (next?.["type"] === "message" && next["role"] === "assistant");
      return follows
        ? []
        : [
            `Item '${String(item["id"])}' of type 'reasoning' was provided without its required following item.`,
          ];
    }
    if (item["type"] !== "function_call") return [];
    return withoutTheirSeal([String(item["call_id"])], seals, asked).map(
      (id) => `Item '${id}' of type 'function_call' was provided without its required 'reasoning' item.`,
    );
  });
}
