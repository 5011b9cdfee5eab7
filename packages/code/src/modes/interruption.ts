import type { EndingSignal, Signals } from "../cli/signals.ts";

/** Counts the signals that ask Wave to end. What the next one does changes as the run goes on. */
export class Interruption implements Disposable {
  #signal: EndingSignal | undefined;
  #onNext: (signal: EndingSignal) => void;
  readonly #listening: Disposable;

  constructor(signals: Signals, onNext: (signal: EndingSignal) => void) {
    this.#onNext = onNext;
    let hungUp = false;
    this.#listening = signals.listen((signal) => {
      // A terminal that closes says so more than once: the kernel, the shell and the terminal itself each send it.
      if (signal === "SIGHUP" && hungUp) return;
      hungUp ||= signal === "SIGHUP";
      this.raise(signal);
    });
  }

  /** As if it had come: a terminal in raw mode makes a key of Ctrl-C and no signal. */
  raise(signal: EndingSignal): void {
    this.#signal ??= signal;
    this.#onNext(signal);
  }

  /** The first signal that came: the one the exit status tells. */
  get signal(): EndingSignal | undefined {
    return this.#signal;
  }

  onNext(act: (signal: EndingSignal) => void): void {
    this.#onNext = act;
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
  }
}
