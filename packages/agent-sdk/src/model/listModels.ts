import { ModelError } from "../errors.ts";
import type { ModelOptions } from "./request.ts";
import { askForModels } from "./askModel.ts";
import type { ListedModel } from "./call.ts";
import { PROTOCOLS } from "./protocols/index.ts";
import { resolveModel } from "./resolveModel.ts";

/** Somebody is looking at an empty list meanwhile. */
const LIMIT_MS = 10_000;

/** What the server offers, asked once. Rejects with ModelError: one sentence, with the next step in it. */
export async function listModels(options: ModelOptions, limitMs = LIMIT_MS): Promise<ListedModel[]> {
  const target = resolveModel(options);
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
