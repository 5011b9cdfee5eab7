import type { HookFunction } from "../definition.ts";
import type { HookEvent, HookInput } from "../events.ts";
import { knownFields } from "../outputFields.ts";
import type { HookExecutionResult } from "../result.ts";
import { isPlainObject, kindOfValue } from "../../utils/kindOfValue.ts";
import { quoted } from "../../utils/quoted.ts";
import type { HookCall } from "./call.ts";

/**
 * Runs a hook that is a function of the host program. What it returns counts as what a command prints with exit code 0,
 * so that one reader judges both. A function that never gives the event loop back cannot be timed out by anybody.
 */
export async function runFunction(call: HookCall, run: HookFunction): Promise<HookExecutionResult> {
  const startedAt = performance.now();
  const { signal: turn } = call.context;
  const limit = new AbortController();
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<"timed out" | "aborted">();
  const stop = (why: "timed out" | "aborted") => {
    limit.abort(new Error(`the hook ${why}`));
    cancel(why);
  };
  const onAbort = () => stop("aborted");
  turn?.addEventListener("abort", onAbort, { once: true });
  // Node's timer fires at once when its delay overflows.
  const timer = setTimeout(() => stop("timed out"), Math.min(call.timeoutMs, 2 ** 31 - 1));

  try {
    // A copy of its own, like the one a process reads: what a hook does to its input changes nothing elsewhere.
    const input: HookInput<HookEvent> = JSON.parse(call.line);
    const returned = Promise.resolve(run(input, { signal: limit.signal })).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const outcome = await Promise.race([returned, cancelled]);
    const duration = performance.now() - startedAt;
    if (outcome === "aborted") return { success: false, duration, timedOut: false, aborted: true };
    if (outcome === "timed out") return { success: false, duration: call.timeoutMs, timedOut: true };
    if ("error" in outcome) return crashed(outcome.error, duration);
    const stdout = asOutput(outcome.value);
    if (typeof stdout !== "string") {
      const error = { way: "broken-output", message: `returned ${stdout.misfit}` } as const;
      return { success: false, duration, timedOut: false, error };
    }
    return {
      success: true,
      exitCode: 0,
      stdout,
      stderr: "",
      duration,
      timedOut: false,
    };
  } catch (error) {
    // A function that is not async throws right away.
    return crashed(error, performance.now() - startedAt);
  } finally {
    clearTimeout(timer);
    turn?.removeEventListener("abort", onAbort);
  }
}

/**
 * What a command would print. Nothing returned is nothing said. A command may print anything, because shells do; a function
 * that returns `false`, a generator, or an object Wave finds nothing in meant something else than "no objection", so it could
 * not decide.
 */
function asOutput(value: unknown): string | { misfit: string } {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return { misfit: `a text (${quoted(value)}) instead of an object` };
  if (typeof value !== "object" || Array.isArray(value))
    return { misfit: `${kindOfValue(value)} instead of an object` };
  const fields = Object.keys(value);
  // Also of an object of the program's own class: what it holds back, it holds back.
  const says = fields.some((field) => knownFields().has(field));
  if (!says && !isPlainObject(value)) return { misfit: `${kindOfValue(value)} instead of a plain object` };
  if (!says && fields.length > 0)
    return { misfit: `an object without a field Wave knows (${fields.join(", ")})` };
  try {
    const text: unknown = JSON.stringify(value);
    return typeof text === "string" ? text : { misfit: "an object whose toJSON returns none" };
  } catch (error) {
    // TypeError: a circle, or a BigInt.
    const why = error instanceof Error ? error.message : String(error);
    return { misfit: `what cannot be written as JSON (${why})` };
  }
}

function crashed(error: unknown, duration: number): HookExecutionResult {
  const why = error instanceof Error ? error.message : String(error);
  return {
    success: false,
    duration,
    timedOut: false,
    error: { way: "threw", message: `threw: ${why}` },
  };
}
