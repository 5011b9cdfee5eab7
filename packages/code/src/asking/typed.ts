import type { Key } from "ink";

/** What came from the keyboard, as Ink hands it over, so that whoever gets it next can read it as if it had come straight there. */
export type Typed = { by: "key"; input: string; key: Readonly<Partial<Key>> } | { by: "paste"; text: string };

/** The same, as far as a dialog cares. */
export type Pressed =
  | { is: "character"; character: string }
  /** Several characters at once: a paste, or a slow line that delivered them together. */
  | { is: "text"; text: string }
  | { is: "key"; name: KeyName }
  /** Ink hands over two fast Escs as one key. */
  | { is: "escape"; times: 1 | 2 }
  /** A key that edits, completes or changes the mode: it means something to the prompt, nothing to a dialog. */
  | { is: "command" }
  /** The release of a key, and Ctrl+C, which belongs to the whole program whatever is on the screen. */
  | { is: "nothing" };

export type KeyName =
  | ("enter" | "up" | "down" | "page-up" | "page-down" | "home" | "end" | "backspace")
  /** Shift+Tab. */
  | "next-mode";

export function readKey(typed: Typed): Pressed {
  if (typed.by === "paste")
    return typed.text === "" ? { is: "nothing" } : { is: "text", text: withUnixLines(typed.text) };
  const { input, key } = typed;
  if (key.eventType === "release") return { is: "nothing" };
  if (key.ctrl && input === "c") return { is: "nothing" };
  if (key.escape) return { is: "escape", times: key.meta ? 2 : 1 };
  if (key.ctrl || key.meta || key.super || key.hyper) return { is: "command" };
  const name = NAMES.find(([flag]) => key[flag])?.[1];
  // Shift+Enter is a line break in a prompt; it must not choose anything here.
  if (name) return key.shift ? { is: "command" } : { is: "key", name };
  if (key.tab && key.shift) return { is: "key", name: "next-mode" };
  if (input === "" || key.tab) return { is: "command" };
  if (input === "\r" || input === "\n") return { is: "key", name: "enter" };
  const [first, ...others] = input;
  return first !== undefined && others.length === 0
    ? { is: "character", character: first }
    : { is: "text", text: input };
}

/** What it would add to a text: nothing for keys that only edit. */
export function textOf(typed: Typed): string {
  const pressed = readKey(typed);
  if (pressed.is === "character") return pressed.character;
  if (pressed.is === "text") return withUnixLines(pressed.text);
  return pressed.is === "key" && pressed.name === "enter" ? "\n" : "";
}

/** Terminals send a carriage return for every line break of a paste. */
export function withUnixLines(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

const NAMES: [keyof Key, KeyName][] = [
  ["return", "enter"],
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "page-up"],
  ["rightArrow", "page-down"],
  ["pageUp", "page-up"],
  ["pageDown", "page-down"],
  ["home", "home"],
  ["end", "end"],
  ["backspace", "backspace"],
  // Terminals disagree about which of the two the big key sends.
  ["delete", "backspace"],
];
