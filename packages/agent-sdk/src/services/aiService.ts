import type { ModelAnswer, ModelRequest } from "../model/request.ts";
import { childEnvironment } from "../utils/environment.ts";
import { sha256 } from "../utils/sha256.ts";
import { withRetries } from "../model/attempts.ts";
import { askModel } from "../model/askModel.ts";
import { nameModel } from "../model/nameModel.ts";
import type { NamedTarget, Quirk, Quirks, QuirkState, RefusedImages } from "../model/call.ts";
import { PROTOCOLS } from "../model/protocols/index.ts";
import { patienceOf, resolveModel } from "../model/resolveModel.ts";
import { lookAgain, lookAround } from "../model/surroundings.ts";
import { promptKeyOf, systemPrompt, withRole, type Surroundings } from "../model/systemPrompt.ts";

export type { ToolCallWire } from "../messages/toolCall.ts";
export type {
  ModelAnswer,
  ModelOptions,
  ModelRequest,
  RetryNotice,
  ToolDescription,
} from "../model/request.ts";

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
  const resolved = resolveModel(request.model);
  const loading = PROTOCOLS[resolved.protocol]();
  const [protocol, target, prompt] = await Promise.all([
    loading,
    loading.then((protocol) =>
      nameModel({ protocol, target: resolved, cache: promptCache, signal, onRetry, onNotice }),
    ),
    request.system ?? gatherPrompt(request, promptCache),
  ]);
  const call = {
    target,
    messages: [{ role: "system" as const, content: withRole(prompt, request) }, ...request.messages],
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
  return withRetries(() => askModel(protocol, call), { signal, onRetry });
}

async function gatherPrompt(request: ModelRequest, cache: Map<string, string>): Promise<string> {
  const { projectDir, cwd, believed, instructions, model, signal } = request;
  const key = promptKeyOf(projectDir);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const { env } = childEnvironment(model.env, { apiKey: model.apiKey, providers: model.settings.providers });
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
