import { ModelError } from "../errors.ts";
import { askForModels } from "./askModel.ts";
import type { ListedModel, ModelTarget } from "./call.ts";
import { PROTOCOLS } from "./protocols/index.ts";
import type { ModelOptions } from "./request.ts";
import { fullName, resolveModel, usableTargets } from "./resolveModel.ts";

/** Somebody is looking at an empty list meanwhile. */
const LIMIT_MS = 10_000;

/** What the server in use offers, asked once. Rejects with ModelError: one sentence, with the next step in it. */
export async function listModels(options: ModelOptions, limitMs = LIMIT_MS): Promise<ListedModel[]> {
  return listOf(resolveModel(options), limitMs);
}

export interface AllModels {
  /** By the names that choose them, those of the provider in use first. */
  models: ListedModel[];
  /** Providers whose key is set and who gave no list: one sentence each. */
  missing: string[];
}

/** What every provider offers whose key is set. Rejects when not one of them has a list. */
export async function listAllModels(options: ModelOptions, limitMs = LIMIT_MS): Promise<AllModels> {
  const targets = usableTargets(options);
  const lists = await Promise.allSettled(targets.map((target) => listOf(target, limitMs)));
  const models = lists.flatMap((list, at) =>
    list.status === "fulfilled" ? list.value.map((model) => named(model, targets[at])) : [],
  );
  const failed = lists.flatMap((list) => (list.status === "rejected" ? [list.reason as unknown] : []));
  const unexpected = failed.find((error) => !(error instanceof ModelError));
  if (unexpected !== undefined || failed.length === lists.length) throw unexpected ?? failed[0];
  return { models, missing: failed.map((error) => (error instanceof ModelError ? error.message : "")) };
}

const named = (model: ListedModel, target: ModelTarget | undefined): ListedModel => ({
  ...model,
  name: (target && fullName({ ...target, model: model.name })) ?? model.name,
});

async function listOf(target: ModelTarget, limitMs: number): Promise<ListedModel[]> {
  const signal = AbortSignal.timeout(limitMs);
  try {
    const outcome = await askForModels(await PROTOCOLS[target.protocol](), target, signal);
    if (outcome.end === "answered") return outcome.value;
    throw outcome.error;
  } catch (error) {
    if (!signal.aborted || error instanceof ModelError) throw error;
    const message = `The model server at ${target.address} did not list its models within ${limitMs / 1000} seconds; name one all the same, or try again later.`;
    throw new ModelError("unreachable", message, { cause: error });
  }
}
