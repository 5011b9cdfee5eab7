/** Closes a line on which nothing comes any more, and keeps that apart from an abort by the user. */
export class SilenceWatch {
  /** Aborted by the user's signal, or by silence. */
  readonly signal: AbortSignal;
  readonly #silent = new AbortController();
  #timer: NodeJS.Timeout;
  #limitMs: number;

  constructor(limitMs: number, user: AbortSignal | undefined) {
    this.signal = user ? AbortSignal.any([user, this.#silent.signal]) : this.#silent.signal;
    this.#limitMs = limitMs;
    this.#timer = this.#start();
  }

  /** True when the line was closed because of silence. */
  get broken(): boolean {
    return this.#silent.signal.aborted;
  }

  get limitMs(): number {
    return this.#limitMs;
  }

  /** Something came; the next may take this long. */
  heard(limitMs: number): void {
    if (limitMs === this.#limitMs) {
      this.#timer.refresh();
      return;
    }
    this.stop();
    this.#limitMs = limitMs;
    this.#timer = this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => this.#silent.abort(), this.#limitMs);
  }
}
