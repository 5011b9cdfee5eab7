import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
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

/** Sockets on which a process waits for others to come, as it sees them itself. */
export function listeningSockets(pid: number): string[] {
  const own = new Set(
    entriesOf(`/proc/${pid}/fd`).flatMap(
      (fd) => /^socket:\[(\d+)\]$/.exec(linkAt(`/proc/${pid}/fd/${fd}`))?.[1] ?? [],
    ),
  );
  return Object.entries(NETWORKS).flatMap(([network, { isListening, inode }]) =>
    (read(String(pid), `net/${network}`) ?? "")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => isListening(fields) && own.has(fields[inode] ?? ""))
      .map((fields) => `${network} ${fields.join(" ")}`),
  );
}

/** Where the kernel's tables say that a socket listens, and which it is. */
const tcp = { isListening: (fields: readonly string[]) => fields[3] === "0A", inode: 9 };
const NETWORKS = {
  tcp,
  tcp6: tcp,
  unix: { isListening: (fields: readonly string[]) => fields[3] === "00010000", inode: 6 },
};

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It has ended, or is somebody else's.
    return [];
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Closed meanwhile.
    return "";
  }
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
