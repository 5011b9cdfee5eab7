/** Why somebody is called, the most urgent first. */
export const CALLS = ["answer", "hook-failed", "turn-ended"] as const;
export type Call = (typeof CALLS)[number];

/**
 * So long after a key nobody is called: whoever has just typed sits there. An answer is easily read in the time that a question
 * may take, so the end of a turn waits longer.
 */
export const QUIET_MS: Record<Call, number> = { answer: 5_000, "hook-failed": 5_000, "turn-ended": 10_000 };

/** Who has to be called, and when somebody was last seen. */
export interface Attention {
  readonly lastKey: number;
  /** The window has the keyboard: whoever sits there sees what happens. Not every terminal tells. */
  readonly isLookedAt: boolean;
  /** What nobody was called for yet. `id` tells one question from the next. */
  readonly open: readonly { call: Call; id: string }[];
  /** The question that somebody was called for last: it is not a second wait when it is drawn anew. */
  readonly answerCalled: string | undefined;
  /** Somebody was called since the last key. */
  readonly called: boolean;
}

export type AttentionEvent = { at: number } & (
  | { event: "key" }
  | { event: "focus"; change: "gained" | "lost" }
  | { event: "wants"; call: Call; id: string }
  /** It is answered, or begins anew. */
  | { event: "over"; call: Call }
  /** Time passed; see `nextCall`. */
  | { event: "tick" }
);

/** Whoever starts Wave has just pressed Enter. */
export const newAttention = (at: number): Attention => ({
  lastKey: at,
  isLookedAt: false,
  open: [],
  answerCalled: undefined,
  called: false,
});

/** The state after an event, and the call that is due now, if any. */
export function updateAttention(
  before: Attention,
  event: AttentionEvent,
): [Attention, { call: Call; id: string } | undefined] {
  const next = changed(before, event);
  const due = (next.isLookedAt ? [] : next.open)
    .filter(({ call }) => event.at >= next.lastKey + QUIET_MS[call])
    .toSorted((a, b) => CALLS.indexOf(a.call) - CALLS.indexOf(b.call))[0];
  if (!due) return [next, undefined];
  const answerCalled = due.call === "answer" ? due.id : next.answerCalled;
  return [{ ...next, open: [], called: true, answerCalled }, due];
}

/** When the next `tick` is due, if any. */
export function nextCall({ lastKey, open, isLookedAt }: Attention): number | undefined {
  return open.length === 0 || isLookedAt
    ? undefined
    : lastKey + Math.min(...open.map(({ call }) => QUIET_MS[call]));
}

function changed(now: Attention, event: AttentionEvent): Attention {
  switch (event.event) {
    case "key":
      return seen(now, event.at);
    case "focus":
      // Whoever leaves the window was there until now.
      return { ...seen(now, event.at), isLookedAt: event.change === "gained" };
    case "wants": {
      const { call, id } = event;
      if (call === "answer" && now.answerCalled === id) return now;
      if (call !== "answer" && now.isLookedAt) return now;
      // Nothing waits because of it, and somebody is on the way already.
      if (call === "hook-failed" && now.called) return now;
      return { ...now, open: [...without(now, call), { call, id }] };
    }
    case "over":
      return { ...now, open: without(now, event.call) };
    case "tick":
      return now;
  }
}

/** A question still waits for its answer; the rest has been seen by whoever is there. */
const seen = (now: Attention, at: number): Attention => ({
  ...now,
  lastKey: at,
  called: false,
  open: now.open.filter(({ call }) => call === "answer"),
});

const without = ({ open }: Attention, call: Call) => open.filter((one) => one.call !== call);
