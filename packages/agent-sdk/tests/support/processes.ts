import { readdirSync, readFileSync } from "node:fs";

/** Pids of living processes (zombies apart) whose environment contains a text. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter(
      (name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(text) && isAlive(Number(name)),
    )
    .map(Number);
}

export function isAlive(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat !== "" && !/\) [ZX] /.test(stat);
}

export function endProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // ESRCH: it ended by itself.
    }
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // The process ended, or it is somebody else's.
    return "";
  }
}
