/** How long a model server may be silent. What keeps the line open and says nothing of an answer counts as silence. */
export interface Patience {
  /** After this the person is told what is being waited for. */
  noticeMs: number;
  /** After this the line is closed. */
  silenceMs: number;
}

/**
 * A local model reads the whole prompt before its first word, and servers that look for calls in what a model writes hold back a
 * long one until it is whole: both may take minutes.
 */
export const PATIENCE: Patience = { noticeMs: 30_000, silenceMs: 300_000 };

/** Closes a line on which nothing of an answer comes any more, and keeps that apart from an abort by the user. */
export class SilenceWatch {
  /** Aborted by the user's signal, or by silence. */
  readonly signal: AbortSignal;
  readonly #silent = new AbortController();
  readonly #limit: NodeJS.Timeout;
  #notice: NodeJS.Timeout | undefined;
  #isAlive = false;

  /** `onNotice` is called once at most. */
  constructor(options: { patience: Patience; user: AbortSignal | undefined; onNotice?: () => void }) {
    const { patience, user, onNotice } = options;
    this.signal = user ? AbortSignal.any([user, this.#silent.signal]) : this.#silent.signal;
    this.#limit = setTimeout(() => this.#silent.abort(), patience.silenceMs);
    if (!onNotice || patience.noticeMs >= patience.silenceMs) return;
    this.#notice = setTimeout(() => {
      // A timer that has fired would be started again by the next word.
      this.#notice = undefined;
      onNotice();
    }, patience.noticeMs);
  }

  /** True when the line was closed because of silence. */
  get broken(): boolean {
    return this.#silent.signal.aborted;
  }

  /** The server shows that it is there, although it says nothing. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Something of the answer came. */
  heard(): void {
    this.#isAlive = false;
    this.#limit.refresh();
    this.#notice?.refresh();
  }

  /** Something came that is no part of an answer. */
  heardNothing(): void {
    this.#isAlive = true;
  }

  stop(): void {
    clearTimeout(this.#limit);
    clearTimeout(this.#notice);
  }
}
