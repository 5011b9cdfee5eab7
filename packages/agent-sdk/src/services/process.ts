import { ProcessLife } from "../process/processLife.ts";
import type { ProcessRequest, ProcessRun, RunningProcess } from "../process/processRun.ts";

export type {
  Captured,
  ProcessEnd,
  ProcessRequest,
  ProcessRun,
  RunningProcess,
} from "../process/processRun.ts";

/** Starts a process in a group of its own, without a terminal. A start that fails is a value of `done`, too. */
export function startProcess(request: ProcessRequest): RunningProcess {
  const life = new ProcessLife(request);
  life.begin();
  return life;
}

export function runProcess(request: ProcessRequest): Promise<ProcessRun> {
  return startProcess(request).done;
}
