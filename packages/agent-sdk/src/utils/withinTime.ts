import { createContext, Script, type Context } from "node:vm";
import { once } from "./once.ts";

const place = once((): { script: Script; context: Context } => ({
  script: new Script("work()"),
  context: createContext({}),
}));

/** How much longer than on an idle machine work may take on one that has other things to do. */
const MOST_PATIENCE = 64;

/**
 * Does work that takes at most so many milliseconds; undefined when it did not come to its end. Node interrupts whatever runs
 * then, also a regular expression, and without any `finally`: for work that changes nothing, and that can be begun again where
 * it was not the work but the machine that took so long. What it throws is thrown.
 */
export function withinTime<T>(ms: number, work: () => T): { value: T } | undefined {
  const { script, context } = place();
  for (let patience = 1; patience <= MOST_PATIENCE; patience *= 4) {
    const before = process.threadCpuUsage();
    context["work"] = work;
    try {
      return { value: script.runInContext(context, { timeout: ms * patience }) as T };
    } catch (error) {
      if (!isTimeout(error)) throw error;
    }
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1_000 >= ms * 0.9) return undefined;
  }
  return undefined;
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
