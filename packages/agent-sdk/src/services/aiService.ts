import type { Usage, VendorData } from "../messages/blocks.ts";
import type { ToolCallWire } from "../messages/toolCall.ts";
import type { ApiMessage } from "../utils/convertMessagesForAPI.ts";
import { childEnvironment } from "../utils/environment.ts";
import { sha256 } from "../utils/sha256.ts";
import { withRetries } from "./model/attempts.ts";
import { chatCompletions } from "./model/chatCompletions.ts";
import { nameModel } from "./model/nameModel.ts";
import type { NamedTarget, Quirk, Quirks, QuirkState, RefusedImages } from "./model/provider.ts";
import { patienceOf, resolveModel } from "./model/resolveModel.ts";
import { lookAgain, lookAround } from "./model/surroundings.ts";
import { promptKeyOf, systemPrompt, type Surroundings } from "./model/systemPrompt.ts";

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
  settings: { model: string | undefined; baseUrl: string | undefined; modelTimeout?: number | undefined };
  /** Where keys, addresses, proxies and certificates are named. */
  env: Record<string, string | undefined>;
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

/**
 * Streams one answer. Also gathers the system prompt and resolves the key, so an Agent can exist without one.
 * Rejects with ModelError, or with the signal's reason when aborted. What streamed before an abort is with the caller.
 */
export async function callAgent(request: ModelRequest): Promise<ModelAnswer> {
  const {
    signal,
    onRetry,
    onNotice,
    onText,
    onReasoning,
    onToolCall,
    tools,
    promptCache = new Map<string, string>(),
  } = request;
  signal?.throwIfAborted();
  const provider = chatCompletions;
  const resolved = resolveModel(request.model);
  const [target, prompt] = await Promise.all([
    nameModel({ provider, target: resolved, cache: promptCache, signal, onRetry, onNotice }),
    gatherPrompt(request, promptCache),
  ]);
  const call = {
    target,
    messages: [{ role: "system" as const, content: prompt }, ...request.messages],
    tools,
    signal,
    on: {
      ...(onText && { onText }),
      ...(onReasoning && { onReasoning }),
      ...(onToolCall && { onToolCall }),
      ...(onNotice && { onNotice }),
    },
    patience: patienceOf(request.model),
    quirks: rememberedQuirks(promptCache, target),
    refusedImages: rememberedImages(promptCache, target),
  };
  return withRetries(() => provider.answer(call), { signal, onRetry });
}

async function gatherPrompt(request: ModelRequest, cache: Map<string, string>): Promise<string> {
  const { projectDir, cwd, believed, instructions, model, signal } = request;
  const key = promptKeyOf(projectDir);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const { env } = childEnvironment(model.env, model.apiKey);
  const place = { projectDir, cwd, believed, instructions, env, signal };
  const before = cache.get(`surroundings of ${projectDir}`);
  const first: Surroundings | undefined = before === undefined ? undefined : JSON.parse(before);
  const seen = first ? await lookAgain(first, place) : await lookAround(place);
  // An abort leaves a prompt without the git state behind; the next call shall look again.
  signal?.throwIfAborted();
  const prompt = systemPrompt(seen);
  cache.set(key, prompt).set(`surroundings of ${projectDir}`, JSON.stringify(seen));
  return prompt;
}

function rememberedQuirks(cache: Map<string, string>, { model, address }: NamedTarget): Quirks {
  const key = (quirk: Quirk) => `${quirk} of ${model} at ${address}`;
  return {
    get: (quirk) => cache.get(key(quirk)) as QuirkState | undefined,
    set: (quirk, state) => void cache.set(key(quirk), state),
  };
}

function rememberedImages(cache: Map<string, string>, { model, address }: NamedTarget): RefusedImages {
  const key = (url: string) => `image ${sha256(url)} for ${model} at ${address}`;
  return {
    has: (url) => cache.has(key(url)),
    add: (url) => void cache.set(key(url), "refused"),
  };
}
