import type { ApiContentPart, ApiMessage, ApiToolCall } from "../../../utils/convertMessagesForAPI.ts";
import { WireIds } from "../../wireIds.ts";
import { wireName } from "../../wireNames.ts";

export interface WireCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
  [vendorField: string]: unknown;
}

export interface WireMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string | null | ApiContentPart[];
  tool_calls?: WireCall[];
  tool_call_id?: string;
  [vendorField: string]: unknown;
}

export interface WireTool {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

export interface WireBody {
  model: string;
  messages: WireMessage[];
  tools?: WireTool[];
  stream: boolean;
  [field: string]: unknown;
}

/**
 * The conversation as it goes over the wire: names and ids that every server takes, the same for a call and its result, and
 * beside them what this server gave and wants back.
 */
export function wireMessages(messages: readonly ApiMessage[]): WireMessage[] {
  const ids = new WireIds();
  const wireCall = ({ id, type, function: called, vendorData }: ApiToolCall): WireCall => ({
    ...vendorData?.fields,
    id: ids.ofCall(id),
    type,
    function: { name: wireName(called.name), arguments: called.arguments },
  });
  return messages.map((message): WireMessage => {
    if (message.role === "tool")
      return { role: "tool", tool_call_id: ids.ofResult(message.tool_call_id), content: message.content };
    if (message.role !== "assistant") return { ...message };
    const { tool_calls: calls, vendorData, ...rest } = message;
    ids.nextAnswer();
    return { ...vendorData?.fields, ...rest, ...(calls && { tool_calls: calls.map(wireCall) }) };
  });
}
