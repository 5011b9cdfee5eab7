import type { ApiContentPart } from "../../../utils/convertMessagesForAPI.ts";
import { asRecord, asText } from "../../json.ts";
import { plainSchema } from "../../plainSchema.ts";
import { REASONING_FIELDS, VENDOR_FIELDS } from "./vendorFields.ts";
import type { WireBody, WireCall, WireMessage, WireTool } from "./wireMessages.ts";

/** A request changed so that a picky server takes it: pure, and the same request where there is nothing to change. */
export type WireChange = (body: WireBody) => WireBody;

export const without =
  (...fields: readonly string[]): WireChange =>
  (body) => ({ ...body, ...Object.fromEntries(fields.map((field) => [field, undefined])) });

export const inOnePiece: WireChange = (body) => without("stream_options")({ ...body, stream: false });

export const withoutReasoning: WireChange = (body) =>
  body.tools ? { ...body, reasoning_effort: "none" } : body;

/** Some servers have no default. Enough for a long file, and not more than most models write at once. */
export const withAnswerLimit: WireChange = (body) => ({ ...body, max_tokens: 8_192 });

/** For models whose template has no place for a system prompt: it opens the first message. */
export const systemInFirstMessage: WireChange = (body) => {
  const [system, first, ...rest] = body.messages;
  if (system?.role !== "system") return body;
  const opening: WireMessage = { ...system, role: "user" };
  const messages = first?.role === "user" ? [joined(opening, first)] : [opening, ...(first ? [first] : [])];
  return { ...body, messages: [...messages, ...rest] };
};

/** Said for the model where a server wants a word of it between results and what a person or a hook says. */
export const RESULTS_SEEN = "I have seen the results.";

/** User and assistant by turns. */
export const alternating: WireChange = (body) => {
  const messages: WireMessage[] = [];
  for (const message of body.messages) {
    const last = messages.at(-1);
    const mayJoin = last?.role === message.role && message.role !== "tool" && !last.tool_calls;
    if (last && mayJoin) {
      messages[messages.length - 1] = joined(last, message);
      continue;
    }
    if (last?.role === "tool" && message.role === "user")
      messages.push({ role: "assistant", content: RESULTS_SEEN });
    messages.push(message);
  }
  return { ...body, messages };
};

function joined(first: WireMessage, second: WireMessage): WireMessage {
  const contents = [first.content, second.content];
  const texts = contents.flatMap((content) => (typeof content === "string" ? [content] : []));
  const isText = contents.every((content) => content === null || typeof content === "string");
  const content = isText ? texts.join("\n\n") || null : contents.flatMap(partsOf);
  return { ...first, ...second, content };
}

function partsOf(content: WireMessage["content"]): ApiContentPart[] {
  if (typeof content !== "string") return content ?? [];
  return content.trim() === "" ? [] : [{ type: "text", text: content }];
}

export const textForNull: WireChange = (body) =>
  eachMessage(body, (message) => (message.content === null ? { ...message, content: "" } : message));

export const NO_TEXT = "(no text)";

export const neverEmpty: WireChange = (body) =>
  eachMessage(body, (message) => {
    const { content } = message;
    const isEmpty = content === null || (typeof content === "string" && content.trim() === "");
    return isEmpty ? { ...message, content: NO_TEXT } : message;
  });

export const withIds =
  (idOf: (id: string) => string): WireChange =>
  (body) =>
    eachMessage(body, (message) => ({
      ...message,
      ...(message.tool_call_id !== undefined && { tool_call_id: idOf(message.tool_call_id) }),
      ...(message.tool_calls && {
        tool_calls: message.tool_calls.map((call) => ({ ...call, id: idOf(call.id) })),
      }),
    }));

/** Results that say again of which tool they are. */
export const namedResults: WireChange = (body) => {
  const calls = body.messages.flatMap(({ tool_calls: made = [] }) => made);
  const names = new Map(calls.map((call) => [call.id, call.function.name]));
  return eachMessage(body, (message) =>
    message.role === "tool" ? { ...message, name: names.get(message.tool_call_id ?? "") } : message,
  );
};

/** Instead of reasoning that nobody kept, or that another model did. */
export const NOT_KEPT = "(not kept)";

export const filledReasoning: WireChange = (body) =>
  eachMessage(body, (message) => {
    const [field, other] = REASONING_FIELDS;
    if (message.role !== "assistant" || asText(message[field])) return message;
    return { ...message, [field]: asText(message[other]) ?? NOT_KEPT };
  });

/** Google names this text for calls that have no signature, because another model made them. */
const SKIP_SIGNATURE = "skip_thought_signature_validator";

export const filledSignatures: WireChange = (body) =>
  eachMessage(body, (message) => {
    const [first, ...rest] = message.tool_calls ?? [];
    // Of calls that were made together only the first has one.
    if (!first || asRecord(asRecord(first["extra_content"])?.["google"])?.["thought_signature"])
      return message;
    const signed: WireCall = { ...first, extra_content: { google: { thought_signature: SKIP_SIGNATURE } } };
    return { ...message, tool_calls: [signed, ...rest] };
  });

export const withoutVendorFields: WireChange = (body) =>
  eachMessage(body, (message) => ({
    ...withoutVendor(message),
    ...(message.tool_calls && { tool_calls: message.tool_calls.map(withoutVendor) }),
  }));

function withoutVendor<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !VENDOR_FIELDS.has(name))) as T;
}

/** Descriptions of input with nothing in them but what every server knows. */
export const plainSchemas: WireChange = (body) => ({
  ...body,
  ...(body.tools && { tools: body.tools.map(plainTool) }),
});

function plainTool(tool: WireTool): WireTool {
  const parameters = plainSchema(tool.function.parameters);
  return { ...tool, function: { ...tool.function, parameters } };
}

function eachMessage(body: WireBody, change: (message: WireMessage) => WireMessage): WireBody {
  return { ...body, messages: body.messages.map(change) };
}
