import type { CallOrigin } from "../permissions/origin.ts";

/** Who makes a call, and what interrupts it. */
export interface Caller {
  origin: CallOrigin;
  signal: AbortSignal;
  /** Calls of the same answer that come only after this one. */
  callsBehind?: number;
  /** Says that the turn ends with the calls that run. */
  ending?: AbortSignal;
}
