import { ModelError } from "../../errors.ts";
import { withRetries } from "./attempts.ts";
import type { ModelProvider, ModelTarget, NamedTarget, OnRetry } from "./provider.ts";

const NAMES_SHOWN = 5;

/** Nobody named a model: a server that has exactly one leaves no choice, and any other is asked about, not guessed. */
export async function nameModel(input: {
  provider: ModelProvider;
  target: ModelTarget;
  cache: Map<string, string>;
  signal: AbortSignal | undefined;
  onRetry: OnRetry;
}): Promise<NamedTarget> {
  const { provider, target, cache, signal, onRetry } = input;
  if (target.model !== undefined) return { ...target, model: target.model };

  const key = `model at ${target.address}`;
  const model = cache.get(key) ?? (await onlyModel());
  cache.set(key, model);
  return { ...target, model, modelFrom: `the list of ${target.address}` };

  async function onlyModel(): Promise<string> {
    const names = await withRetries(() => provider.models(target, signal), { signal, onRetry });
    const [only] = names;
    if (only !== undefined && names.length === 1) return only;
    throw new ModelError(
      "unknown-model",
      `${describe(target.address, names)} Set WAVE_MODEL to the one to use.`,
    );
  }
}

function describe(address: string, names: string[]): string {
  if (names.length === 0) return `No model is named, and the server at ${address} lists none.`;
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `"${name}"`);
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
  return `No model is named, and the server at ${address} has ${shown.join(", ")}${more}.`;
}
