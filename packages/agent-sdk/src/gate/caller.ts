import type { CallOrigin } from "../permissions/origin.ts";
import type { ToolCallContext } from "../tools/tool.ts";

/** Who makes a call, and what interrupts it. */
export interface Caller {
  origin: CallOrigin;
  signal: AbortSignal;
  /** Calls of the same answer that come only after this one. */
  callsBehind?: number;
  /** Says that the turn ends with the calls that run. */
  ending?: AbortSignal;
}

/** What the caller knows of a run; the gate adds the rest. */
export type CallerContext = Omit<ToolCallContext, "session" | "searchFilter" | "bounds" | "hidden">;
