/** Longer than it takes to end a process that does not want to, and short enough for a program that wants to end itself. */
export const GIVE_UP_MS = 1500;

/**
 * One thing after the other: what is asked for begins when all before it has ended. Closed, nothing that waits begins any more,
 * and what runs is given up when it does not end in time.
 */
export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve();
  #underWay = 0;
  #closed = false;
  readonly #after: () => Promise<void>;
  readonly #givenUp = Promise.withResolvers<void>();

  /** `after` runs behind everything that was asked for, before the next. */
  constructor(after: () => Promise<void>) {
    this.#after = after;
  }

  /** Nothing runs or waits. */
  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** `notBegun`: what whoever asked for it is told when the queue was closed before its turn came. */
  add<End>(work: () => Promise<End>, notBegun: () => End): Promise<End> {
    const done = this.counting(() => this.#last.then(() => (this.#closed ? notBegun() : work())));
    this.#last = done
      .catch(() => {
        // Whoever asked for it has the error; what comes next must not inherit it.
      })
      .then(() => this.#after());
    return done;
  }

  /** For work of `after`, which is under way like any other. */
  counting<End>(work: () => Promise<End>): Promise<End> {
    this.#underWay++;
    return work().finally(() => {
      this.#underWay--;
    });
  }

  /** What comes of work, or of giving it up. */
  unlessGivenUp<End>(work: Promise<End>, otherwise: () => End): Promise<End> {
    return Promise.race([work, this.#givenUp.promise.then(otherwise)]);
  }

  /** `interrupt` is called when nothing can begin any more. Resolves when all that runs has ended, or is given up. */
  async close(interrupt: () => Promise<unknown>): Promise<"ended" | "given-up"> {
    this.#closed = true;
    const ended = Promise.all([interrupt(), this.#last]).then(() => "ended" as const);
    const timer = setTimeout(this.#givenUp.resolve, GIVE_UP_MS);
    const outcome = await this.unlessGivenUp<"ended" | "given-up">(ended, () => "given-up");
    clearTimeout(timer);
    return outcome;
  }
}

/** What goes on beside the queue and still ends with an interrupt. */
export class InterruptibleWork {
  readonly #running = new Set<AbortController>();

  async until<End>(work: (signal: AbortSignal) => Promise<End>): Promise<End> {
    const running = new AbortController();
    this.#running.add(running);
    return work(running.signal).finally(() => this.#running.delete(running));
  }

  interrupt(): void {
    for (const running of this.#running) running.abort(new Error("interrupted"));
  }
}
