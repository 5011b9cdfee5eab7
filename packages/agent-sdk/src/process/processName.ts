import { createHash } from "node:crypto";
import { stateOf, type LockHolder } from "../workspace/files/lockHolder.ts";

/** A process as part of a name on disk: a look at the folder tells whose a file is, and no moment is without an owner. */
export function processName(process: LockHolder): string {
  return [process.pid, process.started, placeOf(process)].join(".");
}

export type NamedProcess =
  /** The one that looks. */
  | "own"
  | "alive"
  | "dead"
  /** It cannot be seen from here, so nobody can say that it is gone. */
  | "elsewhere";

/** Undefined: no name that `processName` gives. `me` is who looks. */
export function stateOfNamed(name: string, me: LockHolder): NamedProcess | undefined {
  const found = NAME.exec(name)?.groups;
  if (!found) return undefined;
  const { pid, started = "", place } = found;
  if (place !== placeOf(me)) return "elsewhere";
  if (Number(pid) === me.pid && started === me.started) return "own";
  return stateOf({ ...me, pid: Number(pid), started }) === "dead" ? "dead" : "alive";
}

const NAME = /^(?<pid>\d+)\.(?<started>\d*)\.(?<place>[0-9a-f]{12})$/;

/** Where a pid means something. */
function placeOf({ host, pids }: LockHolder): string {
  return createHash("sha256")
    .update(JSON.stringify([host, pids]))
    .digest("hex")
    .slice(0, 12);
}
