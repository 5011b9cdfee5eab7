import { setTimeout as sleep } from "node:timers/promises";
import type { ModelError } from "../errors.ts";
import type { OnRetry, Outcome } from "./call.ts";
import { retryWaitMs } from "./retry.ts";

/** Tries until it is answered or the policy gives up. Every wait is announced before it begins and ends on abort. */
export async function withRetries<T>(
  attempt: () => Promise<Outcome<T>>,
  options: { signal: AbortSignal | undefined; onRetry: OnRetry },
): Promise<T> {
  const { signal, onRetry } = options;
  let failed = 0;
  for (;;) {
    signal?.throwIfAborted();
    const outcome = await attempt();
    if (outcome.end === "answered") return outcome.value;

    const { error, retry } = outcome;
    if (retry.again === "at-once") continue;
    failed += 1;
    const waitMs = retryWaitMs({ failed, advice: retry, random: Math.random() });
    if (waitMs === undefined) throw failed === 1 ? error : afterAttempts(error, failed);
    if (retry.again === "later") {
      const { attempts, why, restarts } = retry;
      onRetry?.({ attempt: failed, attempts, waitMs, why, ...(restarts && { restarts }) });
    }
    await wait(waitMs, signal);
  }
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    // The timer rejects with an AbortError of its own; callers expect the reason they gave.
    signal?.throwIfAborted();
    throw error;
  }
}

function afterAttempts(error: ModelError, attempts: number): ModelError {
  return error.saying(`${error.message} (Wave tried ${attempts} times.)`);
}
