import type { TurnEnd } from "wave-agent-sdk";

const BACK = "your prompt is back in the input";

export const NOT_SENT = `not sent: ${BACK}`;

/** What became of a prompt that is back. Why stands above it, in the conversation: nothing is told twice. */
export function backWords({ because, modelCalls }: Pick<TurnEnd, "because" | "modelCalls">): string {
  if (because === "aborted") return `interrupted: ${BACK}`;
  const wasHeldBack = because === "prompt-blocked" || (because === "halted" && modelCalls === 0);
  return wasHeldBack ? NOT_SENT : `not answered: ${BACK}`;
}
