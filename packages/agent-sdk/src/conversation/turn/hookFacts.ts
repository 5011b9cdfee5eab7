import type { TurnFailure } from "../../errors.ts";
import type { HookFacts } from "../../hooks/events.ts";
import type { ToolCallWire } from "../../messages/toolCall.ts";
import type { Ending } from "./nextStep.ts";

/** The calls of one answer, as the model made them, with what they were answered. */
export const batchOf = (
  calls: readonly ToolCallWire[],
  resultOf: (id: string) => string,
): HookFacts<"PostToolBatch">["tool_calls"] =>
  calls.map(({ id, function: { name, arguments: given } }) => ({
    tool_name: name,
    tool_input: inputOf(given),
    tool_use_id: id,
    tool_response: resultOf(id),
  }));

function inputOf(given: string): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(given);
    return typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input } : {};
  } catch {
    return {};
  }
}

/** As Claude Code calls them. */
const STOP_ERRORS = {
  authentication: "authentication_failed",
  "rate-limit": "rate_limit",
  overloaded: "overloaded",
  context: "invalid_request",
  refused: "invalid_request",
  network: "server_error",
  "cut-off": "server_error",
  server: "server_error",
  internal: "unknown",
} as const satisfies Record<TurnFailure["kind"], HookFacts<"StopFailure">["error"]>;

/** Undefined for a turn that no failure of the model ended. */
export function stopFailureOf(
  ending: Ending,
): Pick<HookFacts<"StopFailure">, "error" | "error_details"> | undefined {
  if (ending.because !== "model-error" && ending.because !== "context-full") return undefined;
  const { kind, message } = ending.failure;
  return { error: STOP_ERRORS[kind], error_details: message };
}
