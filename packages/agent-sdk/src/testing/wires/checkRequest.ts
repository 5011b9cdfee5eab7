import { readableJson } from "../../utils/readable.ts";
import type { ScriptedRequestBody } from "../scenario.ts";

type JsonRecord = Record<string, unknown>;

const ROLES = new Set(["system", "developer", "user", "assistant", "tool"]);

/** A whole request of Chat Completions. */
export function checkBody({ model, messages, tools }: ScriptedRequestBody): string[] {
  const badNames = (tools ?? []).map((tool) => tool.function.name).filter((name) => !isToolName(name));
  return [
    ...(model ? [] : ["model: there is none."]),
    ...(tools?.length === 0 ? ["tools: an empty list; leave it out."] : []),
    ...badNames.map((name) => `tools: the name ${JSON.stringify(name)} is not allowed.`),
    ...checkRequest(messages),
  ];
}

/**
 * What the pickiest provider would reject in the messages of a request: one sentence per problem, with the place. Empty
 * when there is nothing to reject. Most servers take more than this, so a conversation that passes here passes anywhere.
 */
export function checkRequest(messages: readonly unknown[]): string[] {
  const records = messages.map(asRecord);
  return [
    ...(messages.length === 0 ? ["messages: there are none."] : []),
    ...records.flatMap((message, index) => checkMessage(message, `messages[${index}]`)),
    ...checkPairs(records),
    ...checkEnd(records),
    ...messages.flatMap((message, index) =>
      isWellFormed(message) ? [] : [`messages[${index}]: has half a surrogate pair in it.`],
    ),
  ];
}

export function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  return typeof value !== "object" || value === null || Object.values(value).every(isWellFormed);
}

function checkMessage(message: JsonRecord | undefined, at: string): string[] {
  if (!message) return [`${at}: is not an object.`];
  const role = message["role"];
  if (typeof role !== "string" || !ROLES.has(role))
    return [`${at}: the role ${JSON.stringify(role)} is not known.`];
  if (role === "assistant") return checkAssistant(message, at);
  if (role === "tool") return checkTool(message, at);
  return checkContent(message["content"], `${at} (${role})`);
}

function checkAssistant(message: JsonRecord, at: string): string[] {
  const { content, tool_calls: calls } = message;
  if (calls === undefined)
    return isText(content) ? [] : [`${at} (assistant): has neither content nor tool_calls.`];
  if (!Array.isArray(calls) || calls.length === 0)
    return [`${at} (assistant): tool_calls is not a list with calls in it.`];
  const problems = calls.flatMap((call, index) => checkCall(asRecord(call), `${at}.tool_calls[${index}]`));
  return typeof content === "string" || content === null || content === undefined
    ? problems
    : [...problems, `${at} (assistant): content is neither text nor null.`];
}

function checkCall(call: JsonRecord | undefined, at: string): string[] {
  const called = asRecord(call?.["function"]);
  const [id, name, args] = [call?.["id"], called?.["name"], called?.["arguments"]];
  return [
    ...(isText(id) ? [] : [`${at}: has no id.`]),
    ...(isText(id) && id.length > 40 ? [`${at}: its id is longer than 40 characters.`] : []),
    ...(call?.["type"] === "function" ? [] : [`${at}: its type is not "function".`]),
    ...(isText(name) ? [] : [`${at}: has no function name.`]),
    ...(isText(name) && !isToolName(name)
      ? [`${at}: the function name ${JSON.stringify(name)} is not allowed.`]
      : []),
    ...(typeof args === "string" ? [] : [`${at}: its arguments are not text.`]),
    // A server reads them once more.
    ...(typeof args === "string" && readableJson(args) !== args
      ? [`${at}: its arguments have half a surrogate pair in them.`]
      : []),
  ];
}

export function isToolName(name: unknown): boolean {
  return typeof name === "string" && /^[\w-]{1,64}$/.test(name);
}

function checkTool(message: JsonRecord, at: string): string[] {
  return [
    ...(isText(message["tool_call_id"]) ? [] : [`${at} (tool): has no tool_call_id.`]),
    ...(typeof message["content"] === "string" ? [] : [`${at} (tool): content is not text.`]),
  ];
}

function checkContent(content: unknown, at: string): string[] {
  if (typeof content === "string") return isText(content) ? [] : [`${at}: content is empty.`];
  if (!Array.isArray(content) || content.length === 0)
    return [`${at}: content is neither text nor a list of parts.`];
  return content.flatMap((part, index) => checkPart(asRecord(part), `${at}.content[${index}]`));
}

function checkPart(part: JsonRecord | undefined, at: string): string[] {
  if (part?.["type"] === "text") return isText(part["text"]) ? [] : [`${at}: its text is empty.`];
  if (part?.["type"] !== "image_url")
    return [`${at}: the type ${JSON.stringify(part?.["type"])} is not known.`];
  return isText(asRecord(part["image_url"])?.["url"]) ? [] : [`${at}: has no image_url.url.`];
}

/** Every call is answered by exactly one tool message, and all of them come before any other message. */
function checkPairs(messages: (JsonRecord | undefined)[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  let open = new Set<string>();
  let asked = -1;
  const close = (): void => {
    for (const id of open)
      problems.push(`messages[${asked}] (assistant): the call "${id}" is not answered directly after it.`);
    open = new Set();
  };
  for (const [index, message] of messages.entries()) {
    if (message?.["role"] === "tool") {
      const id = String(message["tool_call_id"]);
      if (!open.delete(id))
        problems.push(`messages[${index}] (tool): answers "${id}", which no call just before it has open.`);
      continue;
    }
    close();
    asked = index;
    for (const id of callIds(message)) {
      if (seen.has(id)) problems.push(`messages[${index}] (assistant): the call id "${id}" was used before.`);
      seen.add(id);
      open.add(id);
    }
  }
  close();
  return problems;
}

function checkEnd(messages: (JsonRecord | undefined)[]): string[] {
  const role = messages.at(-1)?.["role"];
  if (role !== "assistant" && role !== "system") return [];
  return [`messages[${messages.length - 1}] (${role}): the last message is not from a user or a tool.`];
}

function callIds(message: JsonRecord | undefined): string[] {
  const calls = message?.["role"] === "assistant" ? message["tool_calls"] : undefined;
  return Array.isArray(calls) ? calls.map((call) => String(asRecord(call)?.["id"])) : [];
}

export function asRecord(value: unknown): JsonRecord | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonRecord)
    : undefined;
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
