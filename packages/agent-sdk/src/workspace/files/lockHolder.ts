import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";
import { errorCode } from "../../utils/errorCode.ts";
import { once } from "../../utils/once.ts";

/** Who holds a lock, as the lock file says it. */
const lockHolderSchema = once(() =>
  z.object({
    pid: z.int().positive(),
    /** When that process was started, in the kernel's own ticks: a pid alone is given to somebody else sooner or later. */
    started: z.string(),
    /** Where a pid means something: the machine, and the pid namespace for containers and sandboxes that share a home. */
    host: z.string(),
    pids: z.string(),
    nonce: z.string(),
    /** It dates its lock anew as long as it lives. */
    beats: z.literal(true).optional(),
  }),
);

export type LockHolder = z.infer<ReturnType<typeof lockHolderSchema>>;

export function thisProcess(): LockHolder {
  return {
    pid: process.pid,
    started: startOf(process.pid),
    host: hostname(),
    pids: pidNamespace(),
    nonce: randomBytes(8).toString("hex"),
    beats: true,
  };
}

export function parseHolder(content: string): LockHolder | undefined {
  try {
    return lockHolderSchema().safeParse(JSON.parse(content)).data;
  } catch {
    // Not JSON: the power failed before its bytes were on the disk, or somebody else wrote it.
    return undefined;
  }
}

/** "elsewhere": its process cannot be seen from here, so nobody can say that it is gone. */
export function stateOf(holder: LockHolder): "alive" | "dead" | "elsewhere" {
  if (holder.host !== hostname() || holder.pids !== pidNamespace()) return "elsewhere";
  if (!isThere(holder.pid)) return "dead";
  const stat = statOf(holder.pid);
  if (!stat || holder.started === "") return "alive";
  // A zombie has ended and only waits for its parent to notice.
  return stat.started === holder.started && !["Z", "X"].includes(stat.state) ? "alive" : "dead";
}

/** When a process was started; "" when it is gone, or where nobody can tell. */
export const startOf = (pid: number): string => statOf(pid)?.started ?? "";

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    return errorCode(error) === "EPERM";
  }
}

/** Undefined where there is no /proc. */
function statOf(pid: number): { state: string; started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the program's name in parentheses and may contain anything; state is the 3rd, start the 22nd.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", started: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
