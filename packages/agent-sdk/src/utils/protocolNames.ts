/** The wires that Wave speaks, as settings and session files call them. `model/protocols/index.ts` has what each of them does. */
export const PROTOCOL_NAMES = [
  "chat-completions",
  "openai-responses",
  "anthropic-messages",
  "google-gemini",
] as const;

export type ProtocolName = (typeof PROTOCOL_NAMES)[number];
