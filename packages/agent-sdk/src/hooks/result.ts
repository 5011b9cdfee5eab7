import type { HookIdentity } from "./definition.ts";
import type { FailureWay } from "./failures.ts";

/**
 * What one hook process (or function) did. Six fields are enough for a test double; the rest is Wave's own addition.
 * `success` is true only for exit code 0. A timeout has `timedOut: true` and no exit code.
 */
export interface HookExecutionResult {
  success: boolean;
  exitCode?: number;
  stdout?: string;
  stderr?: string;
  /** Milliseconds. */
  duration: number;
  timedOut: boolean;
  /** The signal that ended the process. */
  signal?: string;
  /** It never ran, or it is a function and failed as such. The message goes on after the hook's name: "was not started: …". */
  error?: { way: FailureWay; message: string };
  /** Bytes that were printed and not kept. */
  truncated?: { stdout: number; stderr: number };
  /** `$1` or `$2` were cut at their limit, so the hook did not see everything it asked for. */
  argsCut?: boolean;
  /** The turn was interrupted while the hook ran. */
  aborted?: boolean;
  /** It was started and nobody waits for it: how it ended is not known yet. */
  background?: true;
  /** Why it was not asked: one before it in a sequential group had decided. Goes on after its name. */
  notAsked?: string;
  /** The tool's input that it saw, when those before it in a sequential group had changed it. */
  saw?: Record<string, unknown>;
  hook?: HookIdentity;
}
