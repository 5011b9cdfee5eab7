import type { CannotRun, ToolOutcome } from "./tool.ts";

/** The call did not do what it was asked; the sentence says why and what to do, to the model and to hooks. */
export function refusal(sentence: string): ToolOutcome {
  return { success: false, result: sentence, response: { success: false, error: sentence } };
}

/** The same for what was found out before anything was done. */
export function cannotRun({ problem, inFull }: CannotRun): ToolOutcome {
  return refusal(inFull ?? problem);
}
