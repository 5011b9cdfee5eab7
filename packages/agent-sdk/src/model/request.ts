import type { Usage, VendorData } from "../messages/blocks.ts";
import type { ToolCallWire } from "../messages/toolCall.ts";
import type { ProtocolName } from "../utils/protocolNames.ts";
import type { ApiMessage } from "../utils/convertMessagesForAPI.ts";

export type { ToolCallWire } from "../messages/toolCall.ts";

/** OpenAI's names. Every field may be missing: an empty answer is an answer. */
export interface ModelAnswer {
  content?: string;
  reasoning?: string;
  tool_calls?: ToolCallWire[];
  usage?: Usage;
  finish_reason?: string;
  /** What the server wants to see again with the answer. */
  vendorData?: VendorData;
}

export interface ToolDescription {
  name: string;
  description: string;
  /** JSON Schema. */
  parameters: Record<string, unknown>;
}

/** Where the model is and how to speak to it: options of Agent.create, and what settings say. */
export interface ModelOptions {
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  /** Chosen while the session ran: it counts before everything else. */
  chosenModel?: string | undefined;
  model?: string | undefined;
  /** Of the server on this machine that was found: variables and settings may be about another one. */
  localModel?: string | undefined;
  /** In seconds. */
  modelTimeout?: number | undefined;
  settings: {
    model: string | undefined;
    baseUrl: string | undefined;
    modelTimeout?: number | undefined;
    /** By the id of the provider. */
    providers?: Readonly<Record<string, ProviderSettings>> | undefined;
  };
  /** Where keys, addresses, proxies and certificates are named. */
  env: Record<string, string | undefined>;
}

/** What settings say about one provider. */
export interface ProviderSettings {
  /** Of a provider of one's own; Wave's own have theirs. */
  protocol?: ProtocolName | undefined;
  /** The variable with the key. */
  keyVariable?: string | undefined;
  baseUrl?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface RetryNotice {
  /** Which attempt failed, from 1. */
  attempt: number;
  /** How many there will be at most. */
  attempts: number;
  waitMs: number;
  /** What happened, without advice: Wave itself is about to try again. */
  why: string;
  /** What streamed in of this answer does not count any more: it begins again. */
  restarts?: true;
}

export interface ModelRequest {
  messages: ApiMessage[];
  tools: ToolDescription[];
  model: ModelOptions;
  projectDir: string;
  cwd: string;
  /** Whether the project is trusted: otherwise its repository is not looked at. */
  believed: boolean;
  /** Instead of all that an agent is told: for a question that is no part of a conversation. */
  system?: string | undefined;
  /** What a sub-agent is told beside what everybody is. */
  role?: string | undefined;
  /** Plan mode: said with every request, as long as it lasts. */
  isPlanning?: boolean;
  /** The answer has to be JSON that fits this schema: said with every request of the turn. */
  answerSchema?: Record<string, unknown> | undefined;
  /** What is in force of the project's AGENTS.md; empty when it has none, or nobody approved it. */
  instructions: string;
  /**
   * What was found out for earlier calls: the system prompt, the model's name, what the server does not take. The caller
   * keeps one per session, so that the beginning of every request stays the same and the server can cache it.
   */
  promptCache?: Map<string, string>;
  signal?: AbortSignal;
  onText?: (delta: string) => void;
  onReasoning?: (delta: string) => void;
  /** A tool call has begun to stream: its name is known. */
  onToolCall?: (name: string) => void;
  onRetry?: (notice: RetryNotice) => void;
  /** Something about the model that the user should know, told once per `promptCache`. */
  onNotice?: (text: string) => void;
}
