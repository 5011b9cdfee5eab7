import { setTimeout as sleep } from "node:timers/promises";

/** Waits until something is so. The limit is only there so that a test that hangs says what it was waiting for. */
export async function waitFor(what: string, isSo: () => boolean, limitMs = 20_000): Promise<void> {
  const giveUpAt = Date.now() + limitMs;
  while (!isSo()) {
    if (Date.now() > giveUpAt) throw new Error(`waited in vain: ${what}`);
    await sleep(10);
  }
}
