import type { ToolCallWire } from "../messages/toolCall.ts";
import type { HookPipeline } from "../session/hookPipeline.ts";
import { batchOf, stopFailureOf } from "./turn/hookFacts.ts";
import { STOP_BLOCK_LIMIT, type Ending } from "./turn/nextStep.ts";
import type { CallEnd } from "./toolManager.ts";
import type { Turn } from "./turn.ts";

/** A turn that did not end by itself has no Stop. Nobody waits for hooks after an interrupt. */
export async function tellOfEnd(
  hooks: Pick<HookPipeline, "perform" | "performAside">,
  { answer: last_assistant_message }: Pick<Turn, "answer">,
  ending: Ending,
): Promise<void> {
  if (ending.because === "aborted") hooks.performAside("Interrupt", { last_assistant_message });
  const failure = stopFailureOf(ending);
  if (failure) await hooks.perform("StopFailure", { ...failure, last_assistant_message });
}

/** All calls of one answer have their results: hooks may end the turn before the model sees them. */
export async function tellOfBatch(
  hooks: Pick<HookPipeline, "perform">,
  turn: Pick<Turn, "ending" | "end">,
  {
    calls,
    ends,
    signal,
  }: { calls: readonly ToolCallWire[]; ends: ReadonlyMap<string, CallEnd>; signal: AbortSignal },
): Promise<void> {
  if (turn.ending || signal.aborted) return;
  const tool_calls = batchOf(calls, (id) => ends.get(id)?.result ?? "");
  const { ended } = await hooks.perform("PostToolBatch", { tool_calls }, { signal });
  if (ended !== undefined) turn.end({ because: "halted", reason: ended });
}

export const stopFacts = ({ stopBlocks, answer }: Pick<Turn, "stopBlocks" | "answer">) => ({
  stop_hook_active: stopBlocks > 0,
  last_assistant_message: answer,
  stop_block_count: stopBlocks,
  stop_block_limit: STOP_BLOCK_LIMIT,
});
