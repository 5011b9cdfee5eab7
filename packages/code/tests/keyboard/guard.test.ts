import { describe, expect, it } from "vitest";
import {
  guardTimes,
  newGuard,
  nextTick,
  routeKey,
  updateGuard,
  type Came,
  type Guard,
  type GuardEvent,
} from "../../src/keyboard/guard.ts";
import { answerPause } from "../../src/keyboard/answerPause.ts";
import { kindOf, nameOfActing } from "../../src/keyboard/keyKind.ts";
import type { Typed } from "../../src/asking/typed.ts";

type Step = GuardEvent | { press: "types" | "moves"; at: number; acts?: string };

/** The guard after these, and where its keys went. */
function after(...steps: Step[]): { guard: Guard; went: string[] } {
  let guard = newGuard(guardTimes());
  const went: string[] = [];
  for (const step of steps) {
    if ("event" in step) {
      guard = updateGuard(guard, step);
      continue;
    }
    const [next, route] = routeKey(guard, { kind: step.press, at: step.at, acts: step.acts });
    guard = next;
    went.push(route.to === "cover" ? route.may : route.to);
  }
  return { guard, went };
}

const type = (at: number): Step => ({ press: "types", at });
const enter = (at: number): Step => ({ press: "types", at, acts: "enter" });
const move = (at: number): Step => ({ press: "moves", at });
const appears = (at: number, came: Came = "by-itself", asks = "q"): Step => ({
  event: "covered",
  asks,
  came,
  at,
});
const drawn = (at: number, asks = "q"): Step => ({ event: "drawn", asks, at });
const tick = (at: number): Step => ({ event: "tick", at });
const gone = (at: number): Step => ({ event: "uncovered", at });

describe("a key", () => {
  const up = (came: Came = "by-itself") => [appears(1_000, came), drawn(1_050)];
  const listening = (came: Came = "by-itself") => [...up(came), tick(1_450)];
  it.each<[string, Step[], string[]]>([
    ["is the prompt's while nothing covers it", [type(0), move(5)], ["prompt", "prompt"]],
    ["goes to the draft before the question is drawn", [appears(0), type(5)], ["draft"]],
    ["also an arrow", [appears(0), move(5)], ["draft"]],
    ["goes to the draft until it has been seen for 400 ms", [...up(), tick(1_449), type(1_449)], ["draft"]],
    ["answers after that", [...listening(), type(1_450)], ["answer"]],
    ["and so do the next ones", [...listening(), type(1_450), type(1_480)], ["answer", "answer"]],
    [
      "goes to the draft 699 ms after the one before",
      [type(900), ...up(), tick(1_599), type(1_599)],
      ["prompt", "draft"],
    ],
    ["answers after 700 ms", [type(900), ...up(), tick(1_600), type(1_600)], ["prompt", "answer"]],
    [
      "goes to the draft as long as somebody types two keys a second",
      [type(800), ...up(), type(1_300), type(1_800), tick(2_300), type(2_300)],
      ["prompt", "draft", "draft", "draft"],
    ],
    [
      "goes to the draft behind one that was of no use",
      [...listening(), type(2_000), { event: "passed-on", at: 2_000 }, tick(2_699), type(2_699)],
      ["answer", "draft"],
    ],
    ["that moves looks around, when nobody types", [...up(), move(1_060), move(1_090)], ["look", "look"]],
    ["and keeps nobody waiting", [...up(), move(1_449), tick(1_450), type(1_450)], ["look", "answer"]],
    [
      "that moves moves in the text of somebody who types",
      [type(900), ...up(), move(1_200)],
      ["prompt", "draft"],
    ],
    ["of somebody who opened a panel may move and search in it", [...up("opened"), type(1_051)], ["look"]],
    ["before its screen is there, too", [appears(0, "opened"), move(1), type(2)], ["look", "look"]],
    [
      "answers in it 700 ms after the key that opened it",
      [type(999), ...up("opened"), type(1_698), tick(2_397), type(2_397), tick(3_097), type(3_097)],
      ["prompt", "look", "look", "answer"],
    ],
    [
      "that moves is no pause in a text that somebody types over their own panel",
      [...up("opened"), type(1_100), move(1_600), type(2_100), tick(2_799), type(2_799)],
      ["look", "look", "look", "look"],
    ],
    [
      "nor where their typing has led to another question",
      [
        ...up("opened"),
        type(1_100),
        appears(1_100, "opened", "r"),
        drawn(1_150, "r"),
        move(1_600),
        tick(2_299),
        type(2_299),
      ],
      ["look", "look", "look"],
    ],
    [
      "answers in it while somebody who has not typed goes through its list",
      [...up("opened"), move(1_200), move(1_440), tick(1_450), type(1_460)],
      ["look", "look", "answer"],
    ],
    [
      "that answered does not answer the next question",
      [
        ...listening(),
        type(1_500),
        appears(1_500, "by-itself", "r"),
        drawn(1_510, "r"),
        tick(2_199),
        type(2_199),
      ],
      ["answer", "draft"],
    ],
    [
      "answers it after a pause of its own",
      [
        ...listening(),
        type(1_500),
        appears(1_500, "by-itself", "r"),
        drawn(1_510, "r"),
        tick(2_200),
        type(2_200),
      ],
      ["answer", "answer"],
    ],
    [
      "is the prompt's again when nothing is asked any more",
      [...listening(), type(1_500), { event: "uncovered", at: 1_500 }, type(1_501)],
      ["answer", "prompt"],
    ],
    [
      "that answered and is held down does nothing in the prompt",
      [...listening(), enter(1_500), gone(1_500), enter(2_160), tick(2_190), enter(2_193)],
      ["answer", "nowhere", "nowhere"],
    ],
    [
      "edits under the next question, which goes on waiting",
      [
        ...listening(),
        enter(1_500),
        appears(1_500, "by-itself", "r"),
        drawn(1_510, "r"),
        enter(2_160),
        tick(2_859),
        enter(2_859),
      ],
      ["answer", "draft", "draft"],
    ],
    [
      "and does nothing in the prompt when that one is gone by itself",
      [
        ...listening(),
        enter(1_500),
        appears(1_500, "by-itself", "r"),
        enter(2_160),
        gone(2_170),
        enter(2_193),
      ],
      ["answer", "draft", "nowhere"],
    ],
    [
      "that was of no use to the question edits the draft as often as it comes",
      [
        ...listening(),
        enter(1_500),
        { event: "passed-on", at: 1_500, acts: "enter" },
        enter(1_533),
        gone(1_540),
        enter(1_566),
      ],
      ["answer", "draft", "prompt"],
    ],
    [
      "that closed a panel and is held down does nothing in the prompt",
      [...up("opened"), enter(1_100), gone(1_100), enter(1_760)],
      ["look", "nowhere"],
    ],
    [
      "is the prompt's again after a pause",
      [...listening(), enter(1_500), gone(1_500), enter(2_100), tick(2_800), enter(2_801)],
      ["answer", "nowhere", "prompt"],
    ],
    [
      "is the prompt's behind another key",
      [...listening(), enter(1_500), gone(1_500), type(1_600), enter(1_700)],
      ["answer", "prompt", "prompt"],
    ],
    [
      "that writes is written also when it is held down",
      [...listening(), type(1_500), gone(1_500), type(1_533)],
      ["answer", "prompt"],
    ],
  ])("%s (T71)", (_what, steps, went) => {
    expect(after(...steps).went).toEqual(went);
  });

  it("is judged by ticks and not by the clock: it may have waited in a busy process (T71)", () => {
    expect(after(appears(0), drawn(10), type(60_000)).went).toEqual(["draft"]);
  });
});

describe("the guard", () => {
  it("says when it will listen, and nothing where nothing is asked or drawn (T71)", () => {
    const due = (...steps: Step[]) => nextTick(after(...steps).guard);
    expect(due()).toBeUndefined();
    expect(due(appears(0))).toBeUndefined();
    expect(due(appears(0), drawn(10))).toBe(410);
    expect(due(type(0), appears(0), drawn(10))).toBe(700);
    expect(due(appears(0), drawn(10), tick(410))).toBeUndefined();
    expect(due(appears(0), drawn(10), tick(410), enter(500), gone(500))).toBe(1_200);
  });

  it("takes no drawing of an earlier question for one of this (T70, T71)", () => {
    const { guard } = after(appears(0), appears(5, "by-itself", "r"), drawn(10, "q"));
    expect(nextTick(guard)).toBeUndefined();
  });
});

describe("what kind of key it is", () => {
  const key = (input: string, flags: Extract<Typed, { by: "key" }>["key"] = {}): Typed => ({
    by: "key",
    input,
    key: flags,
  });
  it.each<[string, Typed, string]>([
    ["a letter", key("y"), "types"],
    ["Enter", key("", { return: true }), "types"],
    ["Esc", key("", { escape: true }), "types"],
    ["Shift+Tab", key("", { tab: true, shift: true }), "types"],
    ["a paste", { by: "paste", text: "y" }, "types"],
    ["an empty paste", { by: "paste", text: "" }, "none"],
    ["a key let go", key("y", { eventType: "release" }), "none"],
    ["Ctrl-C", key("c", { ctrl: true }), "cancel"],
    ["an arrow", key("", { downArrow: true }), "moves"],
    ["a page", key("", { pageDown: true }), "moves"],
    ["an arrow with Alt, which moves by words", key("", { leftArrow: true, meta: true }), "types"],
  ])("%s", (_what, typed, kind) => {
    expect(kindOf(typed)).toBe(kind);
  });
});

describe("a key that does more than write", () => {
  const key = (input: string, flags: Extract<Typed, { by: "key" }>["key"] = {}): Typed => ({
    by: "key",
    input,
    key: flags,
  });
  it.each<[string, Typed, string | undefined]>([
    ["Enter", key("", { return: true }), "enter"],
    ["several Enters in one piece", key("\r\r"), "enter"],
    ["Shift+Tab", key("", { tab: true, shift: true }), "shift+tab"],
    ["Ctrl-O", key("o", { ctrl: true }), "ctrl+o"],
    ["a letter", key("y"), undefined],
    ["a paste", { by: "paste", text: "\r" }, undefined],
    ["Esc, which stops", key("", { escape: true }), undefined],
    ["two of them", key("", { escape: true, meta: true }), undefined],
  ])("%s", (_what, typed, name) => {
    expect(nameOfActing(typed)).toBe(name);
  });
});

describe("WAVE_ANSWER_PAUSE", () => {
  it.each([
    [undefined, 700, false],
    ["", 700, false],
    ["250", 250, false],
    ["2000", 2_000, false],
    // There is always a pause.
    ["0", 700, true],
    ["99", 700, true],
    ["soon", 700, true],
    ["1e9", 700, true],
  ])("%j waits %i ms", (given, ms, isWrong) => {
    const read = answerPause({ WAVE_ANSWER_PAUSE: given });
    expect([read.ms, read.problem !== undefined]).toEqual([ms, isWrong]);
  });
});
