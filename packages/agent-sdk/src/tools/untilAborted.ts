/** Waits for work of somebody else's, which need not listen to the signal: an interrupt does not wait for it. Rejects as it does. */
export async function untilAborted<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<{ aborted: false; value: T } | { aborted: true }> {
  const { promise, resolve } = Promise.withResolvers<{ aborted: true }>();
  const stop = () => resolve({ aborted: true });
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) return { aborted: true };
    const done = work().then((value) => ({ aborted: false as const, value }));
    // Nobody hears how it ends after an interrupt.
    done.catch(() => {});
    return await Promise.race([done, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
