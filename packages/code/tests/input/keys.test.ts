import { describe, expect, it } from "vitest";
import { KEYS, keyFor, keyHelp, type KeyAction } from "../../src/input/keys.ts";
import { readKey, readKeys, type PressedKey } from "../../src/input/readKey.ts";

/** What Ink hands over, and the action it means in the prompt. */
const pressed: [string, string, PressedKey, KeyAction][] = [
  ["Enter", "", { return: true }, "submit"],
  ["Shift+Enter", "\r", { return: true, shift: true }, "newline"],
  ["Alt+Enter", "", { return: true, meta: true }, "newline"],
  ["Shift+Enter of an older terminal", "[27;2;13~", {}, "newline"],
  ["Ctrl-J", "\n", {}, "newline"],
  ["Ctrl-J of a newer terminal", "j", { ctrl: true }, "newline"],
  ["Tab", "", { tab: true }, "complete"],
  ["Shift+Tab", "", { tab: true, shift: true }, "cycle-mode"],
  ["Esc", "", { escape: true }, "escape"],
  ["Esc Esc in one piece", "", { escape: true, meta: true }, "back"],
  ["Up", "", { upArrow: true }, "up"],
  ["Down", "", { downArrow: true }, "down"],
  ["Left", "", { leftArrow: true }, "left"],
  ["Right", "", { rightArrow: true }, "right"],
  ["Alt+Left", "", { leftArrow: true, meta: true }, "word-left"],
  ["Ctrl+Right", "", { rightArrow: true, ctrl: true }, "word-right"],
  ["Home", "", { home: true }, "home"],
  ["End", "", { end: true }, "end"],
  ["Ctrl+Home", "", { home: true, ctrl: true }, "start-of-text"],
  ["Backspace", "", { backspace: true }, "backspace"],
  ["Alt+Backspace", "", { backspace: true, meta: true }, "delete-word-left"],
  ["Delete", "", { delete: true }, "delete"],
  ["Ctrl-A", "a", { ctrl: true }, "home"],
  ["Ctrl-C", "c", { ctrl: true }, "cancel"],
  ["Ctrl-D", "d", { ctrl: true }, "delete-or-exit"],
  ["Ctrl-E", "e", { ctrl: true }, "end"],
  ["Ctrl-K", "k", { ctrl: true }, "kill-to-end"],
  ["Ctrl-L", "l", { ctrl: true }, "redraw"],
  ["Ctrl-O", "o", { ctrl: true }, "expand"],
  ["Ctrl-R", "r", { ctrl: true }, "search-history"],
  ["Ctrl-U", "u", { ctrl: true }, "kill-to-start"],
  ["Ctrl-W", "w", { ctrl: true }, "delete-word-left"],
  ["Ctrl-Y", "y", { ctrl: true }, "yank"],
  ["Ctrl-Z", "z", { ctrl: true }, "undo"],
  ["Alt-B", "b", { meta: true }, "word-left"],
  ["Alt-D", "d", { meta: true }, "delete-word-right"],
  ["Alt-F", "f", { meta: true }, "word-right"],
  ["Alt-O", "o", { meta: true }, "unfold"],
  ["Alt-Y", "y", { meta: true }, "yank-older"],
  ["Alt-Z", "z", { meta: true }, "redo"],
];

/** What is text, and what is nothing at all. */
const unnamed: [string, string, PressedKey, ReturnType<typeof readKey>][] = [
  ["a letter", "a", {}, { read: "text", text: "a" }],
  ["a capital letter", "A", { shift: true }, { read: "text", text: "A" }],
  ["a composed word", "日本", {}, { read: "text", text: "日本" }],
  ["an unknown Ctrl key", "q", { ctrl: true }, { read: "nothing" }],
  ["an unknown Alt key", "q", { meta: true }, { read: "nothing" }],
  ["a Command key", "k", { super: true }, { read: "nothing" }],
  ["a key let go", "a", { eventType: "release" }, { read: "nothing" }],
  ["the terminal's word that it got the focus", "[I", {}, { read: "nothing" }],
  ["an answer of the terminal", "[?62;4c", {}, { read: "nothing" }],
  ["a function key", "", {}, { read: "nothing" }],
];

describe("a key", () => {
  it.each(pressed)("%s means its action", (_name, input, key, action) => {
    expect(readKey(input, key)).toEqual({ read: "action", action });
  });

  it.each(unnamed)("that is %s is read as such", (_name, input, key, expected) => {
    expect(readKey(input, key)).toEqual(expected);
  });

  it("has a meaning of its own in each place", () => {
    expect(readKey("", { return: true }, "dialog")).toEqual({ read: "action", action: "accept" });
    expect(readKey("", { return: true }, "panel")).toEqual({ read: "action", action: "accept" });
    expect(readKey("c", { ctrl: true }, "dialog")).toEqual({ read: "action", action: "cancel" });
    expect(readKey("c", { ctrl: true }, "panel")).toEqual({ read: "action", action: "close" });
    expect(readKey("w", { ctrl: true }, "panel")).toEqual({ read: "nothing" });
  });
});

describe("several keys that arrive as one piece", () => {
  const text = (value: string) => ({ read: "text", text: value });
  const action = (name: KeyAction) => ({ read: "action", action: name });

  it.each([
    ["a line and Enter", "hello\r", [text("hello"), action("submit")]],
    ["letters and Ctrl-A", "ab\u0001c", [text("ab"), action("home"), text("c")]],
    ["a name and Tab", "@src\t", [text("@src"), action("complete")]],
    ["several lines, which are a paste", "one\rtwo\r", [{ read: "paste", text: "one\rtwo\r" }]],
    ["two lines without an end", "one\ntwo", [{ read: "paste", text: "one\ntwo" }]],
    ["nothing but letters", "hello", [text("hello")]],
  ])("are read one by one: %s", (_what, input, expected) => {
    expect(readKeys(input, {})).toEqual(expected);
  });
});

describe("the key table", () => {
  it("gives no key two meanings in one place", () => {
    const all = KEYS.flatMap((row) => row.chords.map((chord) => `${row.where} ${chord}`));
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  });

  it("prints its own help", () => {
    expect(keyHelp(["panel"]).slice(-2)).toEqual([
      {
        keys: "Esc",
        does: "a step back: clear the search, leave the page, close the panel",
        where: "In a panel",
      },
      { keys: "q, Ctrl-C, Ctrl-D", does: "close the panel (q: where nothing is typed)", where: "In a panel" },
    ]);
    expect(keyHelp()).toHaveLength(KEYS.length);
    expect(keyHelp(["prompt"]).slice(0, 2)).toEqual([
      {
        keys: "Enter",
        does: "send; with an empty input: deliver the queued message now",
        where: "In the prompt",
      },
      { keys: "Shift+Enter, Alt+Enter, Ctrl-J, \\ Enter", does: "new line", where: "In the prompt" },
    ]);
  });

  it("names the key of an action", () => {
    expect(keyFor("cycle-mode")).toBe("Shift+Tab");
    expect(keyFor("escape")).toBe("Esc");
    expect(keyFor("unfold")).toBe("Alt-O");
  });
});
