import { describe, expect, it } from "vitest";
import {
  CALLS,
  newAttention,
  nextCall,
  QUIET_MS,
  updateAttention,
  type AttentionEvent,
} from "../../src/notifications/attention.ts";
import { randomFrom } from "../support/random.ts";

type Step = [
  at: number,
  event: "key" | "gained" | "lost" | "asks" | "answered" | "fails" | "ends" | "begins",
  id?: string,
];

/** When somebody was called, and for what, if these things happen and time passes after them. */
function callsAfter(...steps: Step[]): string[] {
  const calls: string[] = [];
  let attention = newAttention(0);
  const happens = (event: AttentionEvent) => {
    const [next, due] = updateAttention(attention, event);
    attention = next;
    if (due) calls.push(`${event.at / 1_000} s: ${due.call}${due.id === "" ? "" : ` ${due.id}`}`);
  };
  const passUntil = (at: number) => {
    for (let due = nextCall(attention); due !== undefined && due < at; due = nextCall(attention))
      happens({ event: "tick", at: due });
  };
  for (const [at, event, id = ""] of steps) {
    passUntil(at);
    happens(EVENTS[event](at, id));
  }
  passUntil(Infinity);
  return calls;
}

const EVENTS: Record<Step[1], (at: number, id: string) => AttentionEvent> = {
  key: (at) => ({ event: "key", at }),
  gained: (at) => ({ event: "focus", change: "gained", at }),
  lost: (at) => ({ event: "focus", change: "lost", at }),
  asks: (at, id) => ({ event: "wants", call: "answer", id, at }),
  answered: (at) => ({ event: "over", call: "answer", at }),
  fails: (at, id) => ({ event: "wants", call: "hook-failed", id, at }),
  ends: (at) => ({ event: "wants", call: "turn-ended", id: "", at }),
  begins: (at) => ({ event: "over", call: "turn-ended", at }),
};

const ROWS: [what: string, steps: Step[], calls: string[]][] = [
  [
    "for nothing while the window has the keyboard",
    [
      [1_000, "gained"],
      [60_000, "asks", "one"],
      [90_000, "answered"],
      [95_000, "fails", "broken"],
      [99_000, "ends"],
    ],
    [],
  ],
  [
    "for a question that was left open, when its window loses the keyboard",
    [
      [1_000, "gained"],
      [60_000, "asks", "one"],
      [70_000, "lost"],
    ],
    ["75 s: answer one"],
  ],
  [
    "for the end of a turn, when another window has the keyboard",
    [
      [1_000, "gained"],
      [2_000, "lost"],
      [60_000, "ends"],
      [61_000, "gained"],
    ],
    ["60 s: turn-ended"],
  ],
  ["for a question while nobody types, at once", [[60_000, "asks", "one"]], ["60 s: answer one"]],
  [
    "for a question right after a key, 5 seconds after it",
    [
      [60_000, "key"],
      [60_500, "asks", "one"],
    ],
    ["65 s: answer one"],
  ],
  [
    "for a question that is looked at, after the last key",
    [
      [9_000, "asks", "one"],
      [9_000, "answered"],
      [10_000, "key"],
      [10_000, "asks", "two"],
      [12_000, "key"],
    ],
    ["9 s: answer one", "17 s: answer two"],
  ],
  [
    "nobody for a question that is answered in time",
    [
      [60_000, "key"],
      [61_000, "asks", "one"],
      [63_000, "key"],
      [63_000, "answered"],
    ],
    [],
  ],
  [
    "once for a question, also when it is drawn anew",
    [
      [60_000, "asks", "one"],
      [61_000, "answered"],
      [62_000, "asks", "one"],
    ],
    ["60 s: answer one"],
  ],
  [
    "again for the next question",
    [
      [60_000, "asks", "one"],
      [61_000, "asks", "two"],
    ],
    ["60 s: answer one", "61 s: answer two"],
  ],
  ["for the end of a turn while nobody types, at once", [[60_000, "ends"]], ["60 s: turn-ended"]],
  [
    "for the end of a turn right after its prompt, 10 seconds after it",
    [
      [60_000, "key"],
      [61_000, "ends"],
    ],
    ["70 s: turn-ended"],
  ],
  [
    "nobody for an end that was seen",
    [
      [60_000, "key"],
      [61_000, "ends"],
      [64_000, "key"],
    ],
    [],
  ],
  [
    "nobody for an end when the next turn has begun",
    [
      [60_000, "key"],
      [61_000, "ends"],
      [64_000, "begins"],
    ],
    [],
  ],
  [
    "for a hook that fails, once until a key",
    [
      [60_000, "fails", "lint"],
      [61_000, "fails", "lint"],
      [70_000, "key"],
      [80_000, "fails", "fmt"],
    ],
    ["60 s: hook-failed lint", "80 s: hook-failed fmt"],
  ],
  [
    "once for a hook that fails and the question about it",
    [
      [60_000, "key"],
      [61_000, "fails", "lint"],
      [61_000, "asks", "one"],
    ],
    ["65 s: answer one"],
  ],
];

describe("Wave", () => {
  it.each(ROWS)("calls %s", (_what, steps, calls) => {
    expect(callsAfter(...steps)).toEqual(calls);
  });

  it("never calls within 5 seconds of a key, and once for each question, whatever happens", () => {
    const seed = Number(process.env["WAVE_SEED"]) || Date.now() % 1_000_000;
    const random = randomFrom(seed);
    for (let run = 0; run < 300; run++) {
      let at = 0;
      const names = Object.keys(EVENTS) as Step[1][];
      const steps = Array.from({ length: 40 }, (): Step => {
        at += random(4_000);
        return [at, names[random(names.length)] ?? "key", String(random(3))];
      });
      const keys = steps.filter(([, event]) => event === "key").map(([when]) => when);
      const calls = callsAfter(...steps).map((call) => /^([\d.]+) s: (\S+) ?(.*)$/.exec(call));
      for (const call of calls) {
        const when = Math.round(Number(call?.[1]) * 1_000);
        const near = keys.filter((key) => key <= when && when - key < QUIET_MS.answer);
        expect(near, `seed ${seed}, run ${run}`).toEqual([]);
      }
      const answers = calls.flatMap((call) => (call?.[2] === "answer" ? [call[3]] : []));
      expect(
        answers.filter((id, index) => id === answers[index - 1]),
        `seed ${seed}, run ${run}`,
      ).toEqual([]);
    }
    expect(Math.min(...CALLS.map((call) => QUIET_MS[call]))).toBeGreaterThan(3_000);
  });
});
