import type { ProtocolName } from "./protocolNames.ts";

/** Who has models, where, and behind which key. */
export interface ModelProvider {
  /** What stands before the "/" of a model's name. */
  id: string;
  /** For people. */
  name: string;
  protocol: ProtocolName;
  baseUrl: string;
  /** The variables that hold its key, in the order in which they are looked up. The first is the one that Wave speaks of. */
  keys: readonly string[];
  /** The variable that says where else it is. */
  baseUrlVariable?: string;
  /** Other names that people give it before the "/". */
  aliases?: readonly string[];
  /** How the names of its models begin, for a name without "provider/" in front of it. */
  models?: RegExp;
  /** How its keys begin, for one in WAVE_API_KEY. */
  keyBegins?: RegExp;
  /** When nobody names a model. Absent: it is asked what it has. */
  defaultModel?: string;
  /** It passes requests on to the others, and calls their models "provider/model" as well. */
  routes?: true;
}

/** What a server speaks that Wave knows nothing of but its address: most of them do. */
export const SPOKEN_EVERYWHERE: ProtocolName = "chat-completions";

/** With several keys set and no model named, the first of these is used. */
export const MODEL_PROVIDERS: readonly ModelProvider[] = [
  {
    id: "openai",
    name: "OpenAI",
    protocol: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    keys: ["OPENAI_API_KEY"],
    models: /^(gpt-|o\d|codex|chatgpt)/i,
    defaultModel: "gpt-5.4",
  },
  {
    id: "anthropic",
    name: "Anthropic",
    protocol: "anthropic-messages",
    baseUrl: "https://api.anthropic.com",
    keys: ["ANTHROPIC_API_KEY"],
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    models: /^claude/i,
    keyBegins: /^sk-ant-/,
    defaultModel: "claude-sonnet-5-5",
  },
  {
    id: "google",
    name: "Google",
    protocol: "google-gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    baseUrlVariable: "GOOGLE_GEMINI_BASE_URL",
    aliases: ["gemini"],
    models: /^(gemini|gemma)/i,
    keyBegins: /^AIza/,
    defaultModel: "gemini-pro-latest",
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    protocol: SPOKEN_EVERYWHERE,
    baseUrl: "https://openrouter.ai/api/v1",
    keys: ["OPENROUTER_API_KEY"],
    keyBegins: /^sk-or-/,
    routes: true,
  },
];

/** Keys that people have set, of servers that Wave reaches when it is told where they are. */
export const OTHER_KEYS: Readonly<Record<string, string>> = {
  CEREBRAS_API_KEY: "https://api.cerebras.ai/v1",
  DEEPSEEK_API_KEY: "https://api.deepseek.com/v1",
  GROQ_API_KEY: "https://api.groq.com/openai/v1",
  MISTRAL_API_KEY: "https://api.mistral.ai/v1",
  MOONSHOT_API_KEY: "https://api.moonshot.ai/v1",
  TOGETHER_API_KEY: "https://api.together.xyz/v1",
  XAI_API_KEY: "https://api.x.ai/v1",
};
