import type { NeutralRequest } from "../../protocol.ts";
import type { ToolDescription } from "../../request.ts";
import { wireName } from "../../wireNames.ts";
import { wireMessages, type WireBody, type WireTool } from "./wireMessages.ts";

/** Only what Wave needs: every further field is one more that some server rejects. */
export function encode({ target, messages, tools }: NeutralRequest): WireBody {
  return {
    model: target.model,
    messages: wireMessages(messages),
    // An empty list is an error at OpenAI.
    ...(tools.length > 0 && { tools: tools.map(describe) }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function describe({ name, description, parameters }: ToolDescription): WireTool {
  return { type: "function", function: { name: wireName(name), description, parameters } };
}
