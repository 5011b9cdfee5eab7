import type { Bounds } from "../permissions/decide.ts";
import type { HiddenPlace } from "../permissions/readOnlyPlan.ts";
import type { ProcessRequest, RunningProcess } from "../services/process.ts";

/** What commands run in, where settings ask for it. */
export interface CommandSandbox {
  /** Finds out what can be had on this machine, once. */
  look(): Promise<void>;
  /** Whether a command that nobody said yes to can change nothing and reach nobody here. */
  readonly boundsReading: boolean;
  /** How it could be so, where it is not and a person may want it. */
  readonly advice: string | undefined;
  start(request: ProcessRequest, how: RunInSandbox): RunningProcess;
  /** What the model should know about output that shows something refused. */
  hint(ran: RanInSandbox): string | undefined;
  /** Whether a command was refused something where it could only read: so it does more than that. */
  wasRefused(command: string): boolean;
}

export interface RanInSandbox {
  stdout: string;
  stderr: string;
  failed: boolean;
  command: string;
  bounds: Bounds;
}

export interface RunInSandbox {
  bounds: Bounds;
  /** See `startIn`. */
  endedByItself: () => boolean;
  /** What rules keep back. */
  hidden: () => readonly HiddenPlace[];
  /** Files of Wave's own that the command needs, and those that its shell writes. */
  own: { read: readonly string[]; write: readonly string[] };
}
