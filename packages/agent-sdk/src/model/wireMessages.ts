import type {
  ApiContentPart,
  ApiMessage,
  ApiToolCall,
  ApiVendorData,
} from "../utils/convertMessagesForAPI.ts";
import type { ModelTarget } from "./provider.ts";
import { wireId, wireName } from "./wireNames.ts";

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

/** Who gives, and gets back, what only one model at one server understands. */
export function vendorOf({ address, model }: Pick<ModelTarget, "address" | "model">): string {
  return `chat-completions ${address} ${model}`;
}

/**
 * The conversation as it goes over the wire: names and ids that every server takes, the same for a call and its result, and
 * beside them what this server gave and wants back. `leftBehind`: something came from another one and is not sent.
 */
export function wireMessages(
  messages: readonly ApiMessage[],
  vendor: string,
): { messages: WireMessage[]; leftBehind: boolean } {
  const ids = new WireIds();
  let leftBehind = false;
  const fieldsOf = (data: ApiVendorData | undefined): Record<string, unknown> => {
    if (data?.from === vendor) return data.fields;
    leftBehind ||= data !== undefined;
    return {};
  };
  const wireCall = ({ id, type, function: called, vendorData }: ApiToolCall): WireCall => ({
    ...fieldsOf(vendorData),
    id: ids.ofCall(id),
    type,
    function: { name: wireName(called.name), arguments: called.arguments },
  });
  const wire = messages.map((message): WireMessage => {
    if (message.role === "tool")
      return { role: "tool", tool_call_id: ids.ofResult(message.tool_call_id), content: message.content };
    if (message.role !== "assistant") return { ...message };
    const { tool_calls: calls, vendorData, ...rest } = message;
    ids.nextAnswer();
    return { ...fieldsOf(vendorData), ...rest, ...(calls && { tool_calls: calls.map(wireCall) }) };
  });
  return { messages: wire, leftBehind };
}

/** Results follow their calls, in the same order: that tells apart those whose calls came with one id, or with none. */
class WireIds {
  readonly #used = new Map<string, number>();
  #open = new Map<string, string[]>();

  nextAnswer(): void {
    this.#open = new Map();
  }

  ofCall(id: string): string {
    const repeats = this.#used.get(id) ?? 0;
    this.#used.set(id, repeats + 1);
    const made = wireId(id, repeats);
    this.#open.set(id, [...(this.#open.get(id) ?? []), made]);
    return made;
  }

  ofResult(id: string): string {
    return this.#open.get(id)?.shift() ?? wireId(id, 0);
  }
}
