/** The wires that Wave speaks, as settings and session files call them. `model/protocols/index.ts` has what each of them does. */
export const PROTOCOL_NAMES = ["chat-completions", "anthropic-messages"] as const;

export type ProtocolName = (typeof PROTOCOL_NAMES)[number];
