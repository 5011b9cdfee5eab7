import { useEffect, type ReactElement, type ReactNode } from "react";
import type { Clock } from "../../src/asking/clock.ts";
import type { Typed } from "../../src/asking/typed.ts";
import { typedText } from "../../src/input/typedText.ts";
import { Keyboard } from "../../src/keyboard/Keyboard.tsx";
import { KeyRouter, type DraftKeys } from "../../src/keyboard/keyRouter.ts";

/** Time that passes when the test says so. */
export class HandClock implements Clock {
  #now = 0;
  #due: { at: number; run: () => void }[] = [];

  now = () => this.#now;

  wall = () => Date.UTC(2026, 0, 1) + this.#now;

  after = (ms: number, run: () => void) => {
    const entry = { at: this.#now + ms, run };
    this.#due.push(entry);
    return () => void (this.#due = this.#due.filter((other) => other !== entry));
  };

  pass(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#due.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#due = this.#due.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = until;
  }
}

/** A moment is over when it begins. */
const atOnce: Clock = {
  now: () => 0,
  wall: () => 0,
  after: (_ms, run) => {
    run();
    return () => {};
  },
};

/** A keyboard with a prompt on it that only writes down what it gets. */
export class TestKeys {
  readonly router: KeyRouter;
  /** All that the prompt got: typed into it, or from under a question. */
  readonly received: Typed[] = [];
  readonly #replayed: Typed[] = [];
  readonly #whenDrawn: (then: () => void) => void;

  /** Without a clock, what is drawn takes keys at once. `drawingMs`: how long a frame takes to the terminal. */
  constructor({
    clock = atOnce,
    pauseMs,
    drawingMs,
  }: { clock?: Clock; pauseMs?: number; drawingMs?: number } = {}) {
    this.router = new KeyRouter({ clock, ...(pauseMs === undefined ? {} : { pauseMs }) });
    // Not Ink's own way to know: it waits for a terminal that tells when it has written.
    this.#whenDrawn =
      drawingMs === undefined ? (then) => then() : (then) => void clock.after(drawingMs, then);
  }

  /** What went to the draft from under a question. */
  get draft(): string {
    return typedText(this.#replayed);
  }

  readonly prompt: DraftKeys = {
    onKey: (typed) => void this.received.push(typed),
    onReplay: (typed) => {
      this.received.push(typed);
      this.#replayed.push(typed);
    },
  };

  get listens(): boolean {
    return this.router.listening().listens;
  }

  around(node: ReactNode): ReactElement {
    return (
      <Keyboard router={this.router} whenDrawn={this.#whenDrawn}>
        <Owner keys={this} />
        {node}
      </Keyboard>
    );
  }
}

function Owner({ keys }: { keys: TestKeys }): ReactNode {
  useEffect(() => keys.router.ownDraft(keys.prompt), [keys]);
  return null;
}
