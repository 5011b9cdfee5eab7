import { readdirSync, readFileSync } from "node:fs";

/** What is started gets this variable, and so does everything it starts, however it hides from its process group. */
export const RUN_ID_VARIABLE = "WAVE_RUN_ID";

export interface ProcessTree {
  /** The process Wave started; it leads its own process group. */
  pid: number;
  /** The unique value in RUN_ID_VARIABLE. */
  runId: string;
}

/**
 * The living processes of a tree: its process group, every process that carries the run id in its environment (also
 * after `setsid` or a double fork), and their children (also with an emptied environment). Without /proc: none, and
 * the process group is all that can be reached.
 */
export function livingMembers(tree: ProcessTree): number[] {
  const processes = runningProcesses();
  const members = new Set<number>();
  for (const { pid, group } of processes) {
    if (pid === tree.pid || group === tree.pid || carriesRunId(pid, tree.runId)) members.add(pid);
  }
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const { pid, parent } of processes) if (members.has(parent)) members.add(pid);
  }
  return [...members];
}

/** Signals the whole tree. A process that is already gone is not an error. */
export function signalTree(tree: ProcessTree, signal: "SIGTERM" | "SIGKILL"): void {
  const members = livingMembers(tree);
  send(-tree.pid, signal);
  for (const pid of members) send(pid, signal);
}

function send(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it is gone already. EPERM: it changed its user, and Wave may not touch it any more.
  }
}

interface RunningEntry {
  pid: number;
  parent: number;
  group: number;
}

function runningProcesses(): RunningEntry[] {
  return listProc().flatMap((name) => {
    const stat = readProc(name, "stat");
    if (stat === undefined) return [];
    // The program's name stands in brackets and may itself hold spaces and brackets: read on after the last one.
    const [state, parent, group] = stat
      .subarray(stat.lastIndexOf(")") + 2)
      .toString("latin1")
      .split(" ");
    return state === "Z" || state === "X"
      ? []
      : [{ pid: Number(name), parent: Number(parent), group: Number(group) }];
  });
}

function carriesRunId(pid: number, runId: string): boolean {
  return readProc(String(pid), "environ")?.includes(runId) ?? false;
}

function listProc(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    // No /proc on this system.
    return [];
  }
}

function readProc(pid: string, file: "stat" | "environ"): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    // It ended since the folder was listed, or it belongs to another user.
    return undefined;
  }
}
