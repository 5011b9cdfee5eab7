import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A variable that every process started below a Wave inherits, so that they can be found again. */
export const MARK = "TERMINAL_TEST_MARK";

export const newMark = (): string => randomUUID();

/** What still runs of a run: [pid, command line]. */
export function processesWith(mark: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || !(read(pid, "environ") ?? "").includes(`${MARK}=${mark}`)) return [];
    // A zombie has no command line left: nothing of it runs.
    const command = read(pid, "cmdline")?.replaceAll("\0", " ").trim();
    return command ? [`${pid} ${command}`] : [];
  });
}

/** Resolves with what is left after everything had its time to end. */
export async function leftOver(mark: string): Promise<string[]> {
  for (let round = 0; round < 100 && processesWith(mark).length > 0; round++) await sleep(50);
  return processesWith(mark);
}

/** Seconds of CPU that a program has taken, of its own and of the system's for it, with all its threads. */
export function cpuSeconds(pid: number): number {
  const stat = read(String(pid), "stat") ?? "";
  // The name of the program stands in brackets and may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** The same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Megabytes in memory. */
export function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(String(pid), "status") ?? "")?.[1]) / 1024;
}

export function childrenOf(pid: number): number[] {
  return (read(String(pid), `task/${pid}/children`) ?? "").trim().split(" ").filter(Boolean).map(Number);
}

function read(pid: string, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // ENOENT, ESRCH, EACCES: it has ended, or is somebody else's.
    return undefined;
  }
}
