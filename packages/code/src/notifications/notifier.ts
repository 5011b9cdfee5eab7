import { systemClock, type Clock } from "../asking/clock.ts";
import {
  newAttention,
  nextCall,
  updateAttention,
  type Attention,
  type AttentionEvent,
  type Call,
} from "./attention.ts";
import {
  callWords,
  KEEP_TITLE,
  NO_FOCUS_REPORTS,
  notificationBytes,
  REPORT_FOCUS,
  RESTORE_TITLE,
  titleBytes,
  type TitleState,
} from "./bytes.ts";
import type { Way } from "./terminals.ts";

export interface NotifierOptions {
  write: (bytes: string) => void;
  /** The name of the project's folder. */
  project: string;
  /** Undefined: nobody is called. */
  notifies: Way | undefined;
  hasTitle: boolean;
  clock?: Clock;
}

/** Tells whoever looks elsewhere that Wave waits for them, and what it does in the title of the window. */
export class Notifier implements Disposable {
  readonly #options: NotifierOptions;
  readonly #clock: Clock;
  #attention: Attention;
  #cancelTick = () => {};
  /** The window is Wave's. */
  #isBegun = false;
  #isWorking = false;
  #isAsking = false;
  /** A turn has ended, and nobody has pressed a key since. */
  #isDone = false;
  #title: TitleState | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#attention = newAttention(this.#clock.now());
    this.begin();
  }

  /** The window is Wave's, at the start and after it was somebody else's. */
  begin(): void {
    const { hasTitle, notifies, write } = this.#options;
    if (this.#isBegun) return;
    this.#isBegun = true;
    if (notifies) write(REPORT_FOCUS);
    if (hasTitle) write(KEEP_TITLE);
    this.#showTitle();
  }

  /** The window is somebody else's: its title is what it was, and it reports nothing. */
  end(): void {
    if (!this.#isBegun) return;
    this.#isBegun = false;
    if (this.#options.notifies) this.#options.write(NO_FOCUS_REPORTS);
    if (this.#title !== undefined) this.#options.write(RESTORE_TITLE);
    this.#title = undefined;
  }

  /** For good. */
  close(): void {
    this.#cancelTick();
    this.end();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  readonly keyPressed = (): void => {
    this.#isDone = false;
    this.#happens({ event: "key" });
    this.#showTitle();
  };

  readonly focus = (change: "gained" | "lost"): void => {
    if (change === "gained") this.#isDone = false;
    this.#happens({ event: "focus", change });
    this.#showTitle();
  };

  /** `id`: of the question that is on the screen. */
  readonly asks = (id: string | undefined): void => {
    this.#isAsking = id !== undefined;
    this.#happens(
      id === undefined ? { event: "over", call: "answer" } : { event: "wants", call: "answer", id },
    );
    this.#showTitle();
  };

  /** A turn begins. */
  works(): void {
    this.#isWorking = true;
    this.#isDone = false;
    this.#happens({ event: "over", call: "turn-ended" });
    this.#showTitle();
  }

  /** It has ended. What the person ended themselves is no news. */
  rests(endedBy: "itself" | "person"): void {
    this.#isWorking = false;
    this.#isDone = endedBy === "itself";
    if (this.#isDone) this.#happens({ event: "wants", call: "turn-ended", id: "" });
    this.#showTitle();
  }

  hookFailed(name: string): void {
    this.#happens({ event: "wants", call: "hook-failed", id: name });
  }

  #happens(event: WithoutTime<AttentionEvent>): void {
    const now = this.#clock.now();
    // A timer may be a little early by this clock.
    const at = event.event === "tick" ? Math.max(now, nextCall(this.#attention) ?? now) : now;
    const [next, due] = updateAttention(this.#attention, { ...event, at });
    this.#attention = next;
    if (due) this.#call(due.call, due.id);
    this.#cancelTick();
    const tickAt = nextCall(next);
    if (tickAt === undefined) return;
    this.#cancelTick = this.#clock.after(tickAt - now, () => this.#happens({ event: "tick" }));
  }

  #call(call: Call, detail: string): void {
    const { notifies, project, write } = this.#options;
    if (notifies) write(notificationBytes(notifies, project, callWords(call, detail)));
  }

  #showTitle(): void {
    if (!this.#options.hasTitle || !this.#isBegun) return;
    const state = this.#isAsking ? "asking" : this.#isWorking ? "working" : this.#isDone ? "done" : "idle";
    if (state === this.#title) return;
    this.#title = state;
    this.#options.write(titleBytes(state, this.#options.project));
  }
}

type WithoutTime<T> = T extends unknown ? Omit<T, "at"> : never;
