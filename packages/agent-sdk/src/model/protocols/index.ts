import type { ProtocolName } from "../../utils/protocolNames.ts";
import type { Protocol } from "../protocol.ts";

/** Each is loaded when it is used for the first time. */
export const PROTOCOLS: Record<ProtocolName, () => Promise<Protocol>> = {
  "chat-completions": async () => (await import("./chatCompletions/protocol.ts")).chatCompletions,
  "openai-responses": async () => (await import("./openaiResponses/protocol.ts")).openaiResponses,
  "anthropic-messages": async () => (await import("./anthropicMessages/protocol.ts")).anthropicMessages,
  "google-gemini": async () => (await import("./googleGemini/protocol.ts")).googleGemini,
};
