import type { HookDefinition } from "../definition.ts";
import type { HookEvent } from "../events.ts";
import type { FailureWay } from "../failures.ts";
import type { HookExecutionResult } from "../result.ts";
import type { HookRunContext } from "../../services/hook.ts";

/** One run of one hook, whether it is a command or a function. */
export interface HookCall {
  event: HookEvent;
  hook: HookDefinition;
  context: HookRunContext;
  /** The event's input, one line of JSON, the same for all hooks. */
  line: string;
  timeoutMs: number;
}

/** `message` goes on after the hook's name. */
export function didNotRun(way: FailureWay, message: string): HookExecutionResult {
  return { success: false, duration: 0, timedOut: false, error: { way, message } };
}
