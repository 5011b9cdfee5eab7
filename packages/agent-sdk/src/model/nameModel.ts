import { ModelError } from "../errors.ts";
import { withRetries } from "./attempts.ts";
import { DEFAULT } from "./resolveModel.ts";
import { askForModels } from "./askModel.ts";
import type { ModelTarget, NamedTarget, OnRetry } from "./call.ts";
import type { Protocol } from "./protocol.ts";

const NAMES_SHOWN = 5;

/**
 * Nobody named a model: a server that has exactly one leaves no choice, and any other is asked about, not guessed. Which
 * one is used is told before anything is sent to it, once per cache.
 */
export async function nameModel(input: {
  protocol: Protocol;
  target: ModelTarget;
  cache: Map<string, string>;
  signal: AbortSignal | undefined;
  onRetry: OnRetry;
  onNotice: ((text: string) => void) | undefined;
}): Promise<NamedTarget> {
  const { protocol, target, cache, signal, onRetry, onNotice } = input;
  if (target.model !== undefined && target.modelFrom !== DEFAULT) return { ...target, model: target.model };

  const key = modelKey(target.address);
  const known = cache.get(key);
  const model = known ?? target.model ?? (await onlyModel());
  if (known === undefined) onNotice?.(chosen(model, target));
  cache.set(key, model);
  return target.model === undefined
    ? { ...target, model, modelFrom: `the list of ${target.address}` }
    : { ...target, model };

  async function onlyModel(): Promise<string> {
    const listed = await withRetries(() => askForModels(protocol, target, signal), { signal, onRetry });
    const [only] = listed;
    if (only?.contextSize !== undefined) cache.set(sizeKey(only.name), String(only.contextSize));
    if (only !== undefined && listed.length === 1) return only.name;
    const names = listed.map(({ name }) => name);
    throw new ModelError(
      "unknown-model",
      `${describe(target.address, names)} Set WAVE_MODEL to the one to use.`,
    );
  }
}

/** Where a cache has the name of a model that nobody named, and how much a model takes. */
export const modelKey = (address: string) => `model at ${address}`;
export const sizeKey = (model: string) => `context size of ${model}`;

function chosen(model: string, { address, modelFrom }: ModelTarget): string {
  const which = modelFrom === DEFAULT ? "its default there" : "the only one there";
  return `No model is named, so Wave uses "${model}" of ${address}, ${which}; WAVE_MODEL names another.`;
}

function describe(address: string, names: string[]): string {
  if (names.length === 0) return `No model is named, and the server at ${address} lists none.`;
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `"${name}"`);
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
  return `No model is named, and the server at ${address} has ${shown.join(", ")}${more}.`;
}
