import { describe, expect, it } from "vitest";
import {
  noteLines,
  selectedHook,
  selectedRecord,
  type HooksPlace,
  type HooksWorld,
} from "../../src/panels/hooksPage.ts";
import { openHooks, pressInHooks, type HooksEffect } from "../../src/panels/hooksPress.ts";
import { hookRows } from "../../src/panels/hookStats.ts";
import { EMPTY_TALLY } from "../../src/panels/hookTally.ts";
import { keysOf, top } from "../../src/panels/hooksView.ts";
import { moved, type PanelPress } from "../../src/panels/press.ts";
import { pressInSearch, searchFor, type SearchEffect } from "../../src/panels/searchList.ts";
import { listed, type ListedSession } from "../../src/panels/sessionList.ts";
import { textOf } from "../../src/view/span.ts";
import { entryOf, FOLDER, hook, session, state, timed } from "./samples.ts";

const [a, b, c] = [hook({ name: "a", line: 1 }), hook({ name: "b", line: 2 }), hook({ name: "c", line: 3 })];
const history = [1, 2, 3].map((n) =>
  timed({ ts: `2026-11-20T10:00:0${n}.000Z`, toolUseId: `call_${n}`, hooks: [entryOf(a)] }),
);
const world: HooksWorld = {
  hooks: hookRows({ hooks: [a, b, c].map((one) => state(one)), tally: EMPTY_TALLY, folder: FOLDER }),
  history,
  earlier: { are: "read", decisions: [] },
  folder: FOLDER,
  columns: 80,
  rows: 24,
};

type Key = Exclude<PanelPress["key"], "text"> | "h" | "w" | " " | "x";
const pressOf = (key: Key): PanelPress =>
  key.length === 1 ? { key: "text", text: key } : { key: key as Exclude<PanelPress["key"], "text"> };

/** All keys at once, as they come from somebody who types ahead. */
function after(keys: readonly Key[], at: "list" | "history" | "why" = "list", around = world) {
  let place: HooksPlace = openHooks(at);
  const effects: HooksEffect[] = [];
  for (const key of keys) {
    const pressed = pressInHooks(place, pressOf(key), around);
    place = pressed.now;
    if (pressed.effect) effects.push(pressed.effect);
  }
  return { place, effects, view: top(place.stack) };
}
const idOf = (index: number) => world.hooks[index]?.id ?? "";

describe("keys in /hooks", () => {
  it.each<[string, Key[], object]>([
    ["nothing", [], { show: "list" }],
    ["Enter", ["enter"], { show: "details", id: idOf(0) }],
    ["down and Enter", ["down", "enter"], { show: "details", id: idOf(1) }],
    ["end and Enter", ["end", "enter"], { show: "details", id: idOf(2) }],
    [
      "down past the end, then up",
      ["down", "down", "down", "down", "up", "enter"],
      { show: "details", id: idOf(1) },
    ],
    ["h", ["h"], { show: "history" }],
    ["h in details", ["enter", "h"], { show: "history" }],
    ["h and Enter", ["h", "enter"], { show: "record", record: history[2] }],
    ["h, down and Enter", ["h", "down", "enter"], { show: "record", record: history[1] }],
    ["w", ["w"], { show: "why", record: undefined }],
    ["w in the history", ["h", "end", "w"], { show: "why", record: history[0] }],
    ["w in a record", ["h", "enter", "w"], { show: "why", record: history[2] }],
    ["Esc in a record", ["h", "enter", "esc"], { show: "history" }],
    ["Esc in details", ["down", "enter", "esc"], { show: "list" }],
    ["a key without a meaning", ["x"], { show: "list" }],
  ])("%s lead to the right view", (_what, keys, view) => {
    expect(after(keys).view).toEqual(view);
  });

  it.each<[string, Key[], HooksEffect[]]>([
    ["Space", [" "], [{ do: "switch", id: idOf(0), on: false }]],
    ["down and Space without a pause", ["down", " "], [{ do: "switch", id: idOf(1), on: false }]],
    ["Space in details", ["end", "enter", " "], [{ do: "switch", id: idOf(2), on: false }]],
    ["Space in the history", ["h", " "], []],
    ["Esc", ["esc"], [{ do: "close" }]],
    ["Esc after a view was opened", ["h", "esc"], []],
  ])("%s asks for the right thing (T8)", (_what, keys, effects) => {
    expect(after(keys).effects).toEqual(effects);
  });

  it("Esc closes the panel from the view it was opened at", () => {
    expect(after(["esc"], "why").effects).toEqual([{ do: "close" }]);
  });

  it("the chosen hook and record stay chosen when the lists change", () => {
    const chosen = after(["down"]).place;
    expect(selectedHook(chosen, { ...world, hooks: world.hooks.slice(1) })).toBe(0);
    const looked = after(["h", "down", "enter", "esc"]).place;
    const newer = timed({ ts: "2026-11-20T10:00:09.000Z", toolUseId: "call_9" });
    expect(selectedRecord(looked, world)).toBe(1);
    expect(selectedRecord(looked, { ...world, history: [...history, newer] })).toBe(2);
  });

  it("a page scrolls to its end and no further, and starts anew the next time", () => {
    const small = { ...world, rows: 10 };
    const far = after(["enter", ...Array<Key>(60).fill("down")], "history", small);
    expect(far.place.scrolledTo).toBe(after(["enter", "end"], "history", small).place.scrolledTo);
    expect(far.place.scrolledTo).toBeGreaterThan(0);
    expect(after(["enter", "end", "esc", "enter"], "history", small).place.scrolledTo).toBe(0);
  });

  it("nothing happens in empty lists", () => {
    const empty = { ...world, hooks: [], history: [] };
    expect(after(["down", "enter", " ", "end"], "list", empty)).toMatchObject({
      view: { show: "list" },
      effects: [],
    });
    expect(after(["down", "enter", "w"], "history", empty)).toMatchObject({
      view: { show: "history" },
      effects: [],
    });
  });
});

describe("moving in a list", () => {
  it.each<[Key, number, number | undefined]>([
    ["up", 5, 4],
    ["up", 0, 0],
    ["down", 5, 6],
    ["down", 9, 9],
    ["pageup", 5, 1],
    ["pagedown", 5, 9],
    ["home", 5, 0],
    ["end", 5, 9],
    ["enter", 5, undefined],
    ["x", 5, undefined],
  ])("%s from %i", (key, at, to) => {
    expect(moved(pressOf(key), at, { count: 10, page: 4 })).toBe(to);
  });
});

describe("keys in the session picker", () => {
  const sessions = [
    session({ id: "1", firstPrompt: "alpha" }),
    session({ id: "2", firstPrompt: "beta" }),
    session({ id: "3", firstPrompt: "alphabet" }),
  ];
  const find = (query: string) => listed(sessions, query, [{ id: "2", file: "", by: "you", line: "a hit" }]);
  function typed(...presses: (Key | { text: string })[]) {
    let place = searchFor("");
    const effects: SearchEffect<ListedSession>[] = [];
    for (const one of presses) {
      const press: PanelPress = typeof one === "string" ? pressOf(one) : { key: "text", text: one.text };
      const pressed = pressInSearch(place, press, { find, page: 10 });
      place = pressed.now;
      if (pressed.effect) effects.push(pressed.effect);
    }
    return { ...place, effects };
  }
  const resume = (index: number) => ({
    do: "choose",
    item: expect.objectContaining({ session: sessions[index] }),
  });

  it.each([
    ["Enter resumes the newest", typed("enter"), { query: "", selected: 0, effects: [resume(0)] }],
    [
      "a hit inside the sessions",
      typed({ text: "/" }, { text: "h" }, "enter"),
      { query: "/h", selected: 0, effects: [resume(1)] },
    ],
    ["the end of the list", typed("end", "enter"), { query: "", selected: 2, effects: [resume(2)] }],
    [
      "a hit of a search, without a pause",
      typed({ text: "a" }, { text: "l" }, { text: "p" }, "down", "enter"),
      { query: "alp", selected: 1, effects: [resume(2)] },
    ],
    [
      "more letters begin at the first hit again",
      typed("end", { text: "b" }),
      { query: "b", selected: 0, effects: [] },
    ],
    ["nothing to resume", typed({ text: "z" }, "enter"), { query: "z", selected: 0, effects: [] }],
    ["Backspace on nothing", typed("backspace"), { query: "", selected: 0, effects: [] }],
    [
      "Esc clears, then closes",
      typed({ text: "z" }, "esc", "esc"),
      { query: "", selected: 0, effects: [{ do: "close" }] },
    ],
    ["h and w are letters here", typed("h", "w"), { query: "hw", selected: 0, effects: [] }],
  ])("%s", (_what, got, expected) => {
    expect(got).toEqual(expected);
  });
});

describe("t in /hooks", () => {
  it("opens the review where something waits for one, and does nothing elsewhere (T40)", () => {
    const press: PanelPress = { key: "text", text: "t" };
    const waiting = { ...world, waits: "1 changed file waits for review" };
    const effect = (around: HooksWorld) => pressInHooks(openHooks("list"), press, around).effect;
    expect([effect(waiting), effect(world)]).toEqual([{ do: "review" }, undefined]);
    expect(noteLines(openHooks("list"), waiting).map(textOf)).toEqual([waiting.waits]);
    const keys = (waits: string | undefined) =>
      keysOf(openHooks("list").stack, waits).map(({ keys: key }) => key);
    expect(keys(waiting.waits)).toContain("t");
    expect(keys(undefined)).not.toContain("t");
  });
});

describe("the foot of /hooks", () => {
  it("says of Esc that it closes the first page and leaves the others", () => {
    const esc = (place: HooksPlace) => keysOf(place.stack, undefined).at(-1);
    expect(esc(openHooks("why"))).toEqual({ keys: "Esc", does: "close" });
    const inside = pressInHooks(openHooks("list"), pressOf("w"), world).now;
    expect(esc(inside)).toEqual({ keys: "Esc", does: "back" });
  });
});
