import { createContext, Script, type Context } from "node:vm";
import { once } from "./once.ts";

const place = once((): { script: Script; context: Context } => ({
  script: new Script("work()"),
  context: createContext({}),
}));

/** What was broken off since Wave last listened: a file may bring a thousand lines that each take all the time there is. */
let brokenOff = 0;
const LEAST_MS = 5;

/** As `withinTime`, for one of many things that are done in a row: behind the first that was broken off each has less time. */
export function withinSharedTime<T>(ms: number, work: () => T): { value: T } | undefined {
  const time = brokenOff === 0 ? ms : Math.max(LEAST_MS, Math.round(ms / (20 * brokenOff)));
  try {
    const done = brokenOff === 0 ? withinTime(time, work) : run(time, work);
    if (!done) countBrokenOff();
    return done;
  } catch (error) {
    // A text that grew until it was too long for the machine took long as well.
    if (error instanceof RangeError) countBrokenOff();
    throw error;
  }
}

function countBrokenOff(): void {
  if (brokenOff++ === 0) setImmediate(() => (brokenOff = 0)).unref();
}

/** How much longer than on an idle machine work may take on one that has other things to do. */
const MOST_PATIENCE = 16;

/**
 * Does work that takes at most so many milliseconds; undefined when it did not come to its end. Node interrupts whatever runs
 * then, also a regular expression, and without any `finally`: for work that changes nothing, and that can be begun again where
 * it was not the work but the machine that took so long. What it throws is thrown.
 */
export function withinTime<T>(ms: number, work: () => T): { value: T } | undefined {
  const before = process.threadCpuUsage();
  const first = run(ms, work);
  if (first) return first;
  const { user, system } = process.threadCpuUsage(before);
  // What this thread had of the time.
  const share = (user + system) / 1_000 / ms;
  return share < 0.9 ? run(Math.ceil(ms * Math.min(MOST_PATIENCE, 1 / share)), work) : undefined;
}

function run<T>(ms: number, work: () => T): { value: T } | undefined {
  const { script, context } = place();
  context["work"] = work;
  try {
    return { value: script.runInContext(context, { timeout: ms }) as T };
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  }
}

/** Made in the other context, so it is no Error of this one. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
