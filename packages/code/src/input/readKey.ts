import type { Key } from "ink";
import type { Typed } from "../asking/typed.ts";
import { actionFor, type KeyAction, type KeyPlace } from "./keys.ts";

/** The part of Ink's key that says something here. */
export type PressedKey = Partial<Key>;

export type KeyReading =
  | { read: "action"; action: KeyAction }
  | { read: "text"; text: string }
  /** Several lines that came at once: a paste on a terminal that does not mark pastes. */
  | { read: "paste"; text: string }
  | { read: "nothing" };

const NOTHING = { read: "nothing" } as const;

/**
 * What Ink hands over for a key, as actions of the key table and text. On a slow line several keys arrive as one
 * piece ("hello" and Enter together), so one call can mean more than one thing.
 */
export function readKeys(input: string, key: PressedKey, where: KeyPlace = "prompt"): KeyReading[] {
  if (!isPiece(input, key)) return [readKey(input, key, where)];
  const body = input.endsWith("\r") ? input.slice(0, -1) : input;
  // One line with Enter at its end was typed; anything with more lines was not.
  if (/[\r\n]/.test(body)) return [{ read: "paste", text: input }];
  return (input.match(PIECES) ?? []).map((piece) =>
    isControl(piece) ? readKey(...controlKey(piece), where) : readKey(piece, {}, where),
  );
}

/** The same for a key or a paste, in the prompt. */
export const readingsOf = (typed: Typed): KeyReading[] =>
  typed.by === "paste" ? [{ read: "paste", text: typed.text }] : readKeys(typed.input, typed.key);

/** What one key means at a place. */
export function readKey(input: string, key: PressedKey, where: KeyPlace = "prompt"): KeyReading {
  // A terminal with the newer keyboard protocol also reports keys let go.
  if (key.eventType === "release") return NOTHING;
  const chord = chordOf(input, key);
  const action = chord === undefined ? undefined : actionFor(chord, where);
  if (action !== undefined) return { read: "action", action };
  if (key.ctrl || key.meta || key.super || key.hyper || isNamed(key) || isControl(input)) return NOTHING;
  if (input === "" || TERMINAL_REPORT.test(input)) return NOTHING;
  return { read: "text", text: input };
}

/** The name of a key with its modifiers, or nothing for plain text. */
export function chordOf(input: string, key: PressedKey): string | undefined {
  if (key.super || key.hyper) return undefined;
  const named = NAMED.find(([field]) => key[field])?.[1];
  if (named !== undefined) return [...modifiers(key), ...(key.shift ? ["shift"] : []), named].join("+");
  // Ctrl-J and nothing else sends a bare line feed.
  if (input === "\n") return "ctrl+j";
  if (LEGACY_CHORDS.has(input)) return LEGACY_CHORDS.get(input);
  if (!key.ctrl && !key.meta) return undefined;
  const shift = key.ctrl && key.shift ? ["shift"] : [];
  return [...modifiers(key), ...shift, input.toLowerCase()].join("+");
}

const NAMED = [
  ["return", "enter"],
  ["escape", "escape"],
  ["tab", "tab"],
  ["backspace", "backspace"],
  ["delete", "delete"],
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["home", "home"],
  ["end", "end"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
] as const satisfies readonly (readonly [keyof Key, string])[];

/** xterm's modifyOtherKeys form of Enter with Shift, Alt and Ctrl. Ink hands it over as text, without its escape. */
const LEGACY_CHORDS = new Map([
  ["[27;2;13~", "shift+enter"],
  ["[27;3;13~", "alt+enter"],
  ["[27;5;13~", "ctrl+enter"],
]);

/** What terminals send by themselves (focus gained, answers to questions) and Ink hands over as text. */
const TERMINAL_REPORT = /^\[(?:[IO]|[0-9;:<>=?]+[A-Za-z~^$])$/;

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /^[\u0000-\u001f\u007f]$/;
// oxlint-disable-next-line no-control-regex -- as above
const PIECES = /[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/g;

const isControl = (text: string) => CONTROL.test(text);
const isNamed = (key: PressedKey) => NAMED.some(([field]) => key[field]);

function isPiece(input: string, key: PressedKey): boolean {
  if (key.ctrl || key.meta || isNamed(key)) return false;
  return input.length > 1 && /\p{Cc}/u.test(input);
}

function controlKey(character: string): [string, PressedKey] {
  if (character === "\r") return ["", { return: true }];
  if (character === "\t") return ["", { tab: true }];
  if (character === "\u007f" || character === "\b") return ["", { backspace: true }];
  if (character === "\u001b") return ["", { escape: true }];
  const code = character.charCodeAt(0);
  return [String.fromCharCode(code + (code <= 26 ? 96 : 64)), { ctrl: true }];
}

function modifiers(key: PressedKey): string[] {
  return [...(key.ctrl ? ["ctrl"] : []), ...(key.meta ? ["alt"] : [])];
}
