import type { KeyKind } from "./keyKind.ts";

/** How a question or panel came onto the screen: by itself, or by a key of the person's. */
export type Came = "by-itself" | "opened";

export interface GuardTimes {
  /** So long nobody may have typed before a key can answer. */
  pauseMs: number;
  /** And so much of that with all of it on the screen. */
  seenMs: number;
}

/**
 * 700 ms: somebody who types two keys a second pauses for 500 ms between them, and a key that is held down begins to repeat
 * after up to 660 ms on common systems. 400 ms: nobody reads a question and answers it in less.
 */
export const ANSWER_PAUSE_MS = 700;
const SEEN_MS = 400;

export const guardTimes = (pauseMs = ANSWER_PAUSE_MS): GuardTimes => ({
  pauseMs,
  seenMs: Math.min(pauseMs, SEEN_MS),
});

/** Whether what covers the prompt takes keys. One for all questions and panels: see docs/decisions/0016-answers.md. */
export interface Guard {
  readonly times: GuardTimes;
  readonly cover: GuardedCover | undefined;
  /** When a key was pressed last that may belong to a text. */
  readonly typedAt: number | undefined;
  /** Only a tick makes it true, never a look at the clock: a key that waited in a busy process was pressed before now. */
  readonly listens: boolean;
  /** The key that a cover took last, until a pause: held down, it goes on coming when what it answered is gone. */
  readonly held: { readonly key: string; readonly at: number } | undefined;
}

export interface GuardedCover {
  /** What is asked: for another question the guard begins anew. */
  readonly asks: string;
  readonly came: Came;
  /** When all of it was on the screen. */
  readonly drawnAt: number | undefined;
  /** Somebody has typed a text over it, and has not paused since: arrows between letters are part of that. */
  readonly isTypedOver: boolean;
}

export type GuardEvent = { at: number } &
  /** Something appears, or asks something else than before. */
  (
    | { event: "covered"; asks: string; came: Came }
    | { event: "uncovered" }
    | { event: "drawn"; asks: string }
    /** A key that was of no use where it went, and is a text's. */
    | { event: "passed-on"; acts?: string | undefined }
    /** Time passed; see `nextTick`. */
    | { event: "tick" }
  );

export const newGuard = (times: GuardTimes): Guard => ({
  times,
  cover: undefined,
  typedAt: undefined,
  listens: false,
  held: undefined,
});

export function updateGuard(guard: Guard, event: GuardEvent): Guard {
  const { cover } = guard;
  switch (event.event) {
    case "covered": {
      const { asks, came } = event;
      if (cover?.asks === asks && cover.came === came) return guard;
      // Whoever typed over what was there before goes on typing.
      const isTypedOver = cover?.isTypedOver ?? false;
      return { ...guard, cover: { asks, came, drawnAt: undefined, isTypedOver }, listens: false };
    }
    case "uncovered":
      return { ...guard, cover: undefined, listens: false };
    case "drawn":
      if (cover?.asks !== event.asks || cover.drawnAt !== undefined) return guard;
      return { ...guard, cover: { ...cover, drawnAt: event.at } };
    case "passed-on":
      return {
        ...guard,
        typedAt: event.at,
        listens: false,
        held: guard.held?.key === event.acts ? undefined : guard.held,
      };
    case "tick": {
      const isOver = (due: number | undefined) => due !== undefined && event.at >= due;
      const rested = isOver(letGoAt(guard)) ? { ...guard, held: undefined } : guard;
      if (!cover || !isOver(listensAt(guard))) return rested;
      return { ...rested, cover: { ...cover, isTypedOver: false }, listens: true };
    }
  }
}

/** When something changes if nobody types before that. */
export function nextTick(guard: Guard): number | undefined {
  const due = [listensAt(guard), letGoAt(guard)].filter((at) => at !== undefined);
  return due.length === 0 ? undefined : Math.min(...due);
}

function listensAt({ cover, typedAt = -Infinity, listens, times }: Guard): number | undefined {
  if (listens || cover?.drawnAt === undefined) return undefined;
  return Math.max(cover.drawnAt + times.seenMs, typedAt + times.pauseMs);
}

const letGoAt = ({ held, times }: Guard) => held && held.at + times.pauseMs;

/** Where a key goes. A cover that may only be looked at carries out nothing: its keys move a mark, scroll or fill its own line. */
export type Route =
  | { to: "prompt" }
  | { to: "draft" }
  | { to: "nowhere" }
  | { to: "cover"; may: "answer" | "look" };

interface GuardedKey {
  kind: Exclude<KeyKind, "none" | "cancel">;
  at: number;
  /** Which key, if it could do something in a prompt; see `nameOfActing`. */
  acts?: string | undefined;
}

/** Every key has exactly one place. */
export function routeKey(guard: Guard, key: GuardedKey): [Guard, Route] {
  const { at, acts } = key;
  const [next, route] = routeByCover(guard, key);
  const isHeld = acts !== undefined && guard.held?.key === acts;
  const isTaken = acts !== undefined && route.to === "cover";
  // Whoever holds Enter down to answer does not send what is in the prompt.
  return [
    { ...next, held: isHeld || isTaken ? { key: acts, at } : undefined },
    isHeld && route.to === "prompt" ? { to: "nowhere" } : route,
  ];
}

function routeByCover(guard: Guard, { kind, at }: GuardedKey): [Guard, Route] {
  const { cover, typedAt = -Infinity, times } = guard;
  if (!cover) return [{ ...guard, typedAt: at }, { to: "prompt" }];
  const typed = { ...guard, typedAt: at, cover: { ...cover, isTypedOver: true } };
  if (guard.listens)
    return [kind === "moves" ? guard : { ...guard, typedAt: at }, { to: "cover", may: "answer" }];
  if (cover.came === "opened")
    return [kind === "moves" && !cover.isTypedOver ? guard : typed, { to: "cover", may: "look" }];
  // Whoever is not typing wants to look around, and may; arrows in the middle of a text move in the text.
  const isTyping = at - typedAt < times.pauseMs;
  if (kind === "moves" && cover.drawnAt !== undefined && !isTyping)
    return [guard, { to: "cover", may: "look" }];
  return [typed, { to: "draft" }];
}
