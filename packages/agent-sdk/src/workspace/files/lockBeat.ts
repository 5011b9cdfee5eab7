import { lstatSync, readFileSync, rmSync, utimesSync, writeFileSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { stateOf, type LockHolder } from "./lockHolder.ts";
import { temporaryName } from "../../process/runRegister.ts";

/** How often whoever holds a lock for long shows that it lives. */
const BEAT_MS = 20_000;
/** Whoever was silent for so long is gone, or was stopped and will find that somebody else has its lock. */
export const GONE_AFTER_MS = 120_000;

/**
 * Shows, for whoever cannot see this process, that it still holds its lock: on another machine, or in another container, a
 * process id means nothing. The date of the lock is enough.
 */
export class LockBeat {
  readonly #lock: string;
  readonly #content: string;
  /** How it looked when it was certainly ours: a look is cheaper than reading it. */
  #known: Stats | undefined;
  readonly #timer: NodeJS.Timeout;

  /** `lock` was taken a moment ago. */
  constructor(lock: string) {
    this.#lock = lock;
    this.#content = textOf(lock);
    this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  /** Whether the lock is still the one that was taken. "gone": somebody removed it by hand. */
  get state(): "held" | "taken" | "gone" {
    const stat = statOf(this.#lock);
    if (!stat) return "gone";
    if (this.#known?.ino === stat.ino && this.#known.mtimeMs === stat.mtimeMs) return "held";
    if (textOf(this.#lock) !== this.#content) return "taken";
    this.#known = stat;
    return "held";
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    try {
      const now = new Date();
      if (this.state === "held") utimesSync(this.#lock, now, now);
    } catch {
      // A disk that is read-only now, or gone for a while: the next beat tries again.
    }
  }
}

/** "dead" also when nobody here can see the process, and it has shown for minutes that it does not live. */
export function lockState(lock: string, holder: LockHolder): ReturnType<typeof stateOf> {
  const state = stateOf(holder);
  if (state !== "elsewhere" || holder.beats !== true) return state;
  return (silentFor(lock) ?? 0) > GONE_AFTER_MS ? "dead" : state;
}

/** By the clock of the disk: those of two machines may differ. Undefined when nobody can tell. */
export function silentFor(lock: string): number | undefined {
  const probe = join(dirname(lock), temporaryName());
  try {
    writeFileSync(probe, "", { mode: 0o600, flag: "wx" });
    return lstatSync(probe).mtimeMs - lstatSync(lock).mtimeMs;
  } catch {
    // A folder that cannot be written, or a lock that was let go.
    return undefined;
  } finally {
    rmSync(probe, { force: true });
  }
}

function textOf(lock: string): string {
  try {
    return readFileSync(lock, "utf8");
  } catch {
    return "";
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    // ENOENT: let go, or removed by hand.
    return undefined;
  }
}
