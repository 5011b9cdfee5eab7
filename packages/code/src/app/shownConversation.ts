import type { AgentEvent, Message } from "wave-agent-sdk";
import { keyFor } from "../input/keys.ts";
import { Transcript, type TranscriptChange } from "../view/transcript.ts";
import type { WelcomeFacts } from "../view/welcome.ts";
import type { SessionState } from "./sessionState.ts";
import type { Store } from "./store.ts";

/** Of a resumed session. More than a few screens nobody scrolls through, and ten thousand would take seconds to draw. */
const MESSAGES_SHOWN = 30;

/** After so long without a word, also half a row of an answer is shown. */
const STUCK_MS = 700;

/** Of what is finished, for reading in full. */
const SHOWN_KEPT = 500;

/** The conversation on the screen: what is printed, what is still live, and how far back a resumed session is drawn. */
export class ShownConversation {
  readonly #store: Store<SessionState>;
  readonly #now: () => number;
  readonly #transcript: Transcript;
  /** How many of the first messages of a resumed session are not on the screen. */
  #notShown = 0;
  #stuck: NodeJS.Timeout | undefined;

  constructor(store: Store<SessionState>, now: () => number, columns: (() => number) | undefined) {
    this.#store = store;
    this.#now = now;
    this.#transcript = new Transcript(columns);
  }

  handle(event: AgentEvent): void {
    this.#show(this.#transcript.handle(event, this.#now()));
    if (event.type !== "messages_changed") return;
    clearTimeout(this.#stuck);
    this.#stuck = setTimeout(() => this.#show(this.#transcript.stuck()), STUCK_MS).unref();
  }

  notice(level: "info" | "warning" | "error", text: string): void {
    this.handle({ type: "notice", level, text });
  }

  /** Messages of an earlier session: the last screens of them, however long it is. */
  restore(messages: readonly Message[]): void {
    this.#notShown = Math.max(0, messages.length - MESSAGES_SHOWN);
    if (this.#notShown > 0)
      this.notice(
        "info",
        `${this.#notShown} earlier messages are not drawn; ${keyFor("earlier")} shows them`,
      );
    this.#show(this.#transcript.restore(messages.slice(this.#notShown)));
  }

  /** Prints what stands before the messages that are drawn, so many at a time, into the terminal's own scrollback. */
  showEarlier(messages: readonly Message[]): void {
    const to = Math.min(this.#notShown, messages.length);
    if (to === 0) return this.notice("info", "there is nothing earlier: all of this session is above");
    this.#notShown = Math.max(0, to - MESSAGES_SHOWN);
    this.mark(`messages ${this.#notShown + 1} to ${to} of ${messages.length}`);
    this.#show(this.#transcript.restore(messages.slice(this.#notShown, to)));
    const more =
      this.#notShown > 0 ? `${this.#notShown} more: ${keyFor("earlier")}` : "nothing was said before";
    this.mark(`end of the earlier messages; ${more}`);
  }

  /** A line across the screen. */
  mark(text: string): void {
    this.#show(this.#transcript.mark(text));
  }

  /** Puts the header of the session above what its settings had to say. */
  welcome(facts: WelcomeFacts): void {
    const { batch, items } = this.#store.state.toPrint;
    const below = items.map((item, index) => (index === 0 ? { ...item, spaced: true } : item));
    this.#store.set({ toPrint: { batch, items: [this.#transcript.welcome(facts), ...below] } });
  }

  /** The terminal has these now: they are in its own scrollback and need not be kept here. */
  printed(batch: number, count: number): void {
    const { toPrint } = this.#store.state;
    if (toPrint.batch !== batch || count === 0) return;
    this.#store.set({ toPrint: { batch: batch + 1, items: toPrint.items.slice(count) } });
  }

  #show(change: TranscriptChange | undefined): void {
    if (!change) return;
    const { batch, items } = this.#store.state.toPrint;
    if (change.finished.length === 0) return this.#store.set({ live: change.live });
    this.#store.set({
      live: change.live,
      toPrint: { batch, items: [...items, ...change.finished] },
      shown: [...this.#store.state.shown, ...change.finished].slice(-SHOWN_KEPT),
    });
  }
}
