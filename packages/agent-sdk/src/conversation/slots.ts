/** So many may work at the same time; the others wait, in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** True once there is a slot; false when the signal came first. Whoever has one gives it back. */
  async take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const take = () => resolve(true);
    const giveUp = () => {
      const at = this.#waiting.indexOf(take);
      if (at >= 0) this.#waiting.splice(at, 1);
      resolve(false);
    };
    this.#waiting.push(take);
    signal.addEventListener("abort", giveUp, { once: true });
    const taken = await promise;
    signal.removeEventListener("abort", giveUp);
    return taken;
  }

  giveBack(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
