import { systemClock, type Clock } from "../asking/clock.ts";
import type { Typed } from "../asking/typed.ts";
import {
  guardTimes,
  newGuard,
  nextTick,
  routeKey,
  updateGuard,
  type Came,
  type Guard,
  type GuardEvent,
} from "./guard.ts";
import { kindOf, nameOfActing } from "./keyKind.ts";

/** A question or panel that has the keys in the place of the prompt. */
export interface Cover {
  /** What is asked at this moment: for anything else it waits for a pause again. */
  asks: string;
  came: Came;
  /**
   * A key for it, and what it asks after that. With `look` it carries out nothing; what it has no use for goes to `toDraft`.
   * Undefined: it asks nothing any more.
   */
  onKey: (typed: Typed, may: "answer" | "look") => string | undefined;
  /** A key that came too early to answer. True: it is done with; otherwise it goes to the draft. */
  onEarly?: ((typed: Typed) => boolean) | undefined;
  /** Ctrl-C, whenever it comes. Without it: a key like the others, or the prompt's while it does not listen. */
  onCancel?: (() => void) | undefined;
  /** Of one that came by itself: what waits for an answer, the same as long as it is the same question. */
  waitsFor?: string | undefined;
}

/** Whoever wants to know whether somebody sits at the keyboard, and whether they are asked something. */
export interface KeyWatcher {
  keyPressed: () => void;
  /** Undefined: nothing any more. */
  asks: (waitsFor: string | undefined) => void;
}

/** Where a text is written. */
export interface DraftKeys {
  /** A key that nothing else has. */
  onKey: (typed: Typed) => void;
  /** A key that came while something covered the prompt: it edits and does nothing else. */
  onReplay: (typed: Typed) => void;
}

export type Hint = "typing-goes" | "again";

/** What is shown of it. */
export interface Listening {
  /** Keys answer what covers the prompt. */
  listens: boolean;
  /** What stands in the place of its keys: nothing yet, where typing goes, or what to do about a key that it refused. */
  says: Hint | undefined;
  /** To what that applies: something else may be about to be drawn. */
  asks: string | undefined;
}

/** Also for what has not been noticed yet: it is drawn once before it can say that it is there. */
export const AT_REST: Listening = { listens: false, says: undefined, asks: undefined };

/**
 * The one way from the keyboard to whatever takes keys: the prompt, and what covers it, the last that came first. It owns the guard
 * that decides whether a key may answer, so nothing on the screen can forget it. What is typed before there is a prompt is
 * kept for it.
 */
export class KeyRouter {
  readonly #clock: Clock;
  #guard: Guard;
  #covers: { place: object; cover: Cover }[] = [];
  #draft: DraftKeys | undefined;
  #early: Typed[] = [];
  /** Something asked since they were typed: then nothing of them is sent before the person has seen it in the prompt. */
  #wasAsked = false;
  #hint: Hint | undefined;
  #shown: Listening = AT_REST;
  #cancelTick = () => {};
  readonly #listeners = new Set<() => void>();
  #watchEarly = () => {};
  #watcher: KeyWatcher | undefined;
  #waitsFor: string | undefined;
  readonly #onCancel: () => void;

  /** `onCancel`: Ctrl-C while there is neither a prompt nor a question. */
  constructor(options: { clock?: Clock; pauseMs?: number; onCancel?: () => void } = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#guard = newGuard(guardTimes(options.pauseMs));
    this.#onCancel = options.onCancel ?? (() => {});
  }

  /** The way in: every key and every paste. */
  typed(typed: Typed): void {
    const kind = kindOf(typed);
    if (kind === "none") return;
    this.#watcher?.keyPressed();
    if (kind === "cancel") return this.#cancelled(typed);
    const key = { kind, at: this.#clock.now(), acts: nameOfActing(typed) };
    const [guard, route] = routeKey(this.#guard, key);
    this.#put(guard);
    if (route.to === "nowhere") return;
    const top = this.#top();
    if (route.to === "cover" && top) return this.#toCover(top, typed, route.may);
    if (route.to === "prompt") return this.#toPrompt(typed, "typed");
    this.#hint = "typing-goes";
    this.#show();
    if (!top?.onEarly?.(typed)) this.#toPrompt(typed, "replayed");
  }

  /** From whoever had no use for it: somebody types a text, and the next keys belong to it too. */
  toDraft(typed: Typed): void {
    this.#hint = "typing-goes";
    this.#happens({ event: "passed-on", at: this.#clock.now(), acts: nameOfActing(typed) });
    this.#toPrompt(typed, "replayed");
  }

  /** A key wanted something done before the cover listens. */
  refused(): void {
    this.#hint ??= "again";
    this.#show();
  }

  /** Somebody comes back from the shell: keys that were meant for it, or come before a look at the screen, are no answer. */
  cameBack(): void {
    this.#happens({ event: "passed-on", at: this.#clock.now() });
  }

  /** Tells it of every key, and of every question that comes by itself. */
  watch(watcher: KeyWatcher): void {
    this.#watcher = watcher;
    if (this.#waitsFor !== undefined) watcher.asks(this.#waitsFor);
  }

  /** `place`: who covers. The same one again: it asks something else, or is drawn anew. */
  cover(place: object, cover: Cover): void {
    const known = this.#covers.find((one) => one.place === place);
    if (known) known.cover = cover;
    else this.#covers.push({ place, cover });
    if (this.#draft === undefined && !this.#wasAsked) {
      this.#wasAsked = true;
      this.#watchEarly();
    }
    this.#ask();
  }

  uncover(place: object): void {
    const wasTop = this.#covers.at(-1)?.place === place;
    this.#covers = this.#covers.filter((one) => one.place !== place);
    if (!wasTop) return;
    this.#happens({ event: "uncovered", at: this.#clock.now() });
    this.#ask();
  }

  /** Whether somebody has to say when it is drawn. */
  isUndrawn(place: object): boolean {
    return this.#covers.at(-1)?.place === place && this.#guard.cover?.drawnAt === undefined;
  }

  /** All of it is on the screen. */
  drawn(place: object, asks: string): void {
    if (this.#covers.at(-1)?.place === place) this.#happens({ event: "drawn", asks, at: this.#clock.now() });
  }

  /** What was typed before is its own from now on. */
  ownDraft(draft: DraftKeys): () => void {
    let isWanted = true;
    const own = () => {
      if (!isWanted) return;
      this.#draft = draft;
      const how = this.#wasAsked ? "replayed" : "typed";
      this.#wasAsked = false;
      for (const typed of this.takeEarly()) this.#toPrompt(typed, how);
    };
    // What was typed before is not typed at once: a prompt that is just being made has nobody yet who hears what it sends.
    if (this.#early.length === 0) own();
    else queueMicrotask(own);
    return () => {
      isWanted = false;
      if (this.#draft === draft) this.#draft = undefined;
    };
  }

  /** What was typed before there was a prompt, and beside a question: a draft by now, and no keys of a prompt any more. */
  get early(): readonly Typed[] {
    return this.#wasAsked ? this.#early : [];
  }

  /** Calls it now and whenever `early` has grown. */
  watchEarly(watch: () => void): void {
    this.#watchEarly = watch;
    watch();
  }

  /** Whoever takes it has it. */
  takeEarly(): readonly Typed[] {
    return this.#early.splice(0);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly listening = (): Listening => this.#shown;

  #top(): Cover | undefined {
    return this.#covers.at(-1)?.cover;
  }

  #toCover(cover: Cover, typed: Typed, may: "answer" | "look"): void {
    const place = this.#covers.at(-1)?.place;
    const asks = cover.onKey(typed, may);
    // It may be gone by now, and so may the answer that the next key would give.
    const top = this.#covers.at(-1);
    if (top?.place !== place || asks === top?.cover.asks) return;
    if (asks === undefined) return this.#happens({ event: "uncovered", at: this.#clock.now() });
    if (top) top.cover = { ...top.cover, asks };
    this.#ask();
  }

  #cancelled(typed: Typed): void {
    const cover = this.#top();
    if (cover?.onCancel) return cover.onCancel();
    const { listens } = this.#guard;
    if (cover && (listens || cover.came === "opened"))
      return this.#toCover(cover, typed, listens ? "answer" : "look");
    if (this.#draft) this.#draft.onKey(typed);
    else this.#onCancel();
  }

  #toPrompt(typed: Typed, how: "typed" | "replayed"): void {
    if (!this.#draft) {
      this.#early.push(typed);
      return this.#wasAsked ? this.#watchEarly() : undefined;
    }
    if (how === "typed") this.#draft.onKey(typed);
    else this.#draft.onReplay(typed);
  }

  #ask(): void {
    const top = this.#top();
    const waitsFor = top?.came === "by-itself" ? top.waitsFor : undefined;
    if (waitsFor !== this.#waitsFor) this.#watcher?.asks(waitsFor);
    this.#waitsFor = waitsFor;
    if (top) this.#happens({ event: "covered", asks: top.asks, came: top.came, at: this.#clock.now() });
  }

  #happens(event: GuardEvent): void {
    if (event.event === "covered" && event.asks !== this.#guard.cover?.asks) this.#hint = undefined;
    const next = updateGuard(this.#guard, event);
    if (next !== this.#guard) this.#put(next);
    else this.#show();
  }

  #put(guard: Guard): void {
    this.#guard = guard;
    this.#cancelTick();
    const due = nextTick(guard);
    if (due !== undefined) {
      const clock = this.#clock;
      // A timer may be a little early by this clock.
      const tick = () => this.#happens({ event: "tick", at: Math.max(due, clock.now()) });
      this.#cancelTick = clock.after(due - clock.now(), tick);
    }
    this.#show();
  }

  #show(): void {
    const { cover, listens } = this.#guard;
    const first = cover?.came === "by-itself" ? "typing-goes" : undefined;
    const says = listens ? undefined : (first ?? this.#hint);
    const next = cover === undefined ? AT_REST : { listens, says, asks: cover.asks };
    const { asks, ...before } = this.#shown;
    if (next.asks === asks && next.listens === before.listens && next.says === before.says) return;
    this.#shown = next;
    for (const listener of this.#listeners) listener();
  }
}
