import { describe, expect, it } from "vitest";
import type { PressedKey } from "../../src/input/readKey.ts";
import { openHooks, pressInHooks } from "../../src/panels/hooksPress.ts";
import { closes, pressesOf, type Letters, type PanelPress } from "../../src/panels/press.ts";
import { pressInRefused } from "../../src/panels/refusedSession.ts";
import { pressInRewind, type RewindPlace } from "../../src/panels/rewind.ts";
import { pressInSearch, searchFor } from "../../src/panels/searchList.ts";
import { FOLDER } from "./samples.ts";

const CLOSE: PanelPress = { key: "close" };

/** What Ink hands over, and what a panel makes of it. */
const rows: [string, string, PressedKey, Letters, PanelPress[]][] = [
  ["Esc", "", { escape: true }, "are-keys", [{ key: "esc" }]],
  ["Ctrl-C", "c", { ctrl: true }, "are-keys", [CLOSE]],
  ["Ctrl-C where text is typed", "c", { ctrl: true }, "are-typed", [CLOSE]],
  ["Ctrl-D", "d", { ctrl: true }, "are-typed", [CLOSE]],
  ["q", "q", {}, "are-keys", [CLOSE]],
  ["q where text is typed", "q", {}, "are-typed", [{ key: "text", text: "q" }]],
  ["letters typed quickly", "wq", {}, "are-keys", [{ key: "text", text: "w" }, CLOSE]],
  ["Ctrl-P", "p", { ctrl: true }, "are-keys", [{ key: "up" }]],
  ["Page Down", "", { pageDown: true }, "are-keys", [{ key: "pagedown" }]],
  ["Backspace", "", { backspace: true }, "are-typed", [{ key: "backspace" }]],
  ["Enter", "", { return: true }, "are-keys", [{ key: "enter" }]],
  ["a key let go", "q", { eventType: "release" }, "are-keys", []],
  ["another Ctrl key", "w", { ctrl: true }, "are-keys", []],
];

describe("a key in a panel", () => {
  it.each(rows)("%s is read from the key table", (_name, input, key, letters, presses) => {
    expect(pressesOf(input, key, letters)).toEqual(presses);
  });
});

describe("what closes a panel", () => {
  const earlier = { are: "read", decisions: [] } as const;
  const hooks = { hooks: [], history: [], earlier, folder: FOLDER, columns: 80, rows: 24 };
  const inside = pressInHooks(openHooks("list"), { key: "text", text: "h" }, hooks).now;
  const asked: RewindPlace = { at: "question", selected: 0, choice: 0, from: 0, plan: { is: "looked for" } };
  const points = [{ messageId: "m", firstLine: "fix it", at: undefined, filesChanged: 0 }];
  const around = { points, page: 5, scroll: () => 0 };

  it.each([
    ["the hooks, from a page inside", pressInHooks(inside, CLOSE, hooks).effect],
    [
      "the sessions and the models, with a search",
      pressInSearch(searchFor("x"), CLOSE, { find: () => [], page: 5 }).effect,
    ],
    ["a session that cannot be opened", pressInRefused({ because: "failed", why: "" }, CLOSE)],
    ["the prompts to go back to", pressInRewind({ at: "prompts", selected: 0 }, CLOSE, around).effect],
    ["the question before going back", pressInRewind(asked, CLOSE, around).effect],
  ])("closes %s", (_panel, effect) => {
    expect(effect).toEqual({ do: "close" });
  });

  it("is a step back as well where there is one page", () => {
    expect([closes(CLOSE), closes({ key: "esc" }), closes({ key: "enter" })]).toEqual([true, true, false]);
  });
});
