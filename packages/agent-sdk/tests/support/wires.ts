import type { ModelOptions } from "@/services/aiService.ts";
import { PROTOCOL_NAMES, type ProtocolName } from "@/utils/protocolNames.ts";

/** No key looks like a word of a test. */
export const WIRE_KEY = "key-0123456789-abcdef";

/** How a person points Wave at a server, over each wire. */
export interface WireSetup {
  env: Record<string, string>;
  /** A settings file. */
  settings: { providers?: Record<string, { baseUrl: string }> };
  model: string;
}

const SETUPS: Record<ProtocolName, (baseUrl: string) => WireSetup> = {
  "chat-completions": (baseUrl) => ({
    env: { WAVE_API_KEY: WIRE_KEY, WAVE_BASE_URL: baseUrl },
    settings: {},
    model: "some-model",
  }),
  "openai-responses": (baseUrl) => ({
    env: { OPENAI_API_KEY: WIRE_KEY },
    settings: { providers: { openai: { baseUrl } } },
    model: "openai/gpt-5.4",
  }),
  "anthropic-messages": (baseUrl) => ({
    env: { ANTHROPIC_API_KEY: WIRE_KEY, ANTHROPIC_BASE_URL: baseUrl.replace(/\/v1$/, "") },
    settings: {},
    model: "anthropic/claude-sonnet-5-5",
  }),
  "google-gemini": (baseUrl) => ({
    env: { GEMINI_API_KEY: WIRE_KEY, GOOGLE_GEMINI_BASE_URL: baseUrl.replace(/\/v1$/, "") },
    settings: {},
    model: "google/gemini-3.5-flash",
  }),
};

export const WIRES = PROTOCOL_NAMES.map((wire) => ({ wire, setup: SETUPS[wire] }));

/** The same for one call. */
export function optionsOver(wire: ProtocolName, baseUrl: string): ModelOptions {
  const { env, settings, model } = SETUPS[wire](baseUrl);
  return { model, env, settings: { model: undefined, baseUrl: undefined, ...settings } };
}
