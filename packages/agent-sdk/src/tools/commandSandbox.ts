import type { ProcessRequest, RunningProcess } from "../services/process.ts";

/** What commands run in, where settings ask for it. */
export interface CommandSandbox {
  /** `endedByItself`: see `startIn`. */
  start(request: ProcessRequest, endedByItself: () => boolean): RunningProcess;
  /** What the model should know about output that shows a refused write. */
  hint(output: string): string | undefined;
}
