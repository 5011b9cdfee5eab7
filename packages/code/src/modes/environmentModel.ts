import { ModelError, resolveModel } from "wave-agent-sdk";

/** Whether the environment alone says where a model is. Settings can only add to that, never take it away. */
export function isInEnvironment(env: Record<string, string | undefined>): boolean {
  try {
    resolveModel({ settings: { model: undefined, baseUrl: undefined }, env });
    return true;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return false;
  }
}
