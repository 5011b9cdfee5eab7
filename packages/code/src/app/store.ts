/** A value that components can watch. Changes are announced once per frame, however many there are. */
export class Store<State extends object> {
  #state: State;
  readonly #listeners = new Set<() => void>();
  readonly #frameMs: number;
  #announcing = false;

  constructor(state: State, options: { frameMs: number }) {
    this.#state = state;
    this.#frameMs = options.frameMs;
  }

  get state(): State {
    return this.#state;
  }

  set(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes };
    if (this.#announcing) return;
    this.#announcing = true;
    // Tokens come faster than a terminal can be read: what changes within a frame is drawn together.
    setTimeout(() => {
      this.#announcing = false;
      for (const listener of this.#listeners) listener();
    }, this.#frameMs);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): State => this.#state;
}
