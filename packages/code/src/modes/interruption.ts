const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type EndingSignal = (typeof SIGNALS)[number];

/** Counts the signals that ask Wave to end. What the next one does changes as the run goes on. */
export class Interruption implements Disposable {
  #signal: EndingSignal | undefined;
  #onNext: (signal: EndingSignal) => void;
  readonly #listeners = new Map<EndingSignal, () => void>();

  constructor(onNext: (signal: EndingSignal) => void) {
    this.#onNext = onNext;
    for (const signal of SIGNALS) {
      const listener = () => this.#received(signal);
      this.#listeners.set(signal, listener);
      process.on(signal, listener);
    }
  }

  /** The first signal that came: the one the exit status tells. */
  get signal(): EndingSignal | undefined {
    return this.#signal;
  }

  onNext(act: (signal: EndingSignal) => void): void {
    this.#onNext = act;
  }

  [Symbol.dispose](): void {
    for (const [signal, listener] of this.#listeners) process.off(signal, listener);
  }

  #received(signal: EndingSignal): void {
    this.#signal ??= signal;
    this.#onNext(signal);
  }
}
