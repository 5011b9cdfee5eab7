import type { Usage } from "../messages/blocks.ts";
import type { ModelAnswer } from "../services/aiService.ts";
import type { HookPipeline } from "../session/hookPipeline.ts";
import type { ModelManager } from "../session/modelManager.ts";

/** Asks the model, with hooks told before and after. They look on: nothing they say holds the request up or changes it. */
export async function observedRequest(
  hooks: Pick<HookPipeline, "perform" | "performAside">,
  model: Pick<ModelManager, "name" | "ask">,
  request: Parameters<ModelManager["ask"]>[0] & { signal: AbortSignal },
): Promise<ModelAnswer> {
  const { signal } = request;
  await hooks.perform("PreModelRequest", { model: model.name ?? "" }, { signal });
  const startedAt = performance.now();
  const facts = () => ({ model: model.name ?? "", duration_ms: Math.round(performance.now() - startedAt) });
  try {
    const answer = await model.ask(request);
    const ended = { status: "success", error: null, token_usage: tokensOf(answer.usage) } as const;
    await hooks.perform("PostModelRequest", { ...facts(), ...ended }, { signal });
    return answer;
  } catch (error) {
    const status = signal.aborted ? "interrupted" : "error";
    const said = error instanceof Error ? error.message : String(error);
    const ended = { ...facts(), status, error: said, token_usage: null } as const;
    // Nobody waits for hooks after an interrupt.
    if (signal.aborted) hooks.performAside("PostModelRequest", ended);
    else await hooks.perform("PostModelRequest", ended, { signal });
    throw error;
  }
}

function tokensOf(usage: Usage | undefined) {
  if (!usage) return null;
  const { inputTokens: input, outputTokens: output, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  return {
    input,
    cached_input: cachedInputTokens,
    cache_write_input: cacheWriteTokens,
    output,
    total: input + output,
  };
}
