import type { Key } from "ink";
import type { Typed } from "../asking/typed.ts";
import { chordOf } from "../input/readKey.ts";

/** What a key may mean, before anybody knows where it goes. */
export type KeyKind =
  /** The release of a key, an empty paste. */
  | "none"
  /** Ctrl-C: it never waits, and it is never an answer. */
  | "cancel"
  /** An arrow or a page key by itself: it changes what is looked at, and no text. */
  | "moves"
  /** Everything that may belong to a text, Enter and Esc included. */
  | "types";

const MOVING = [
  "upArrow",
  "downArrow",
  "leftArrow",
  "rightArrow",
  "pageUp",
  "pageDown",
  "home",
  "end",
] as const satisfies readonly (keyof Key)[];

export function kindOf(typed: Typed): KeyKind {
  if (typed.by === "paste") return typed.text === "" ? "none" : "types";
  const { input, key } = typed;
  if (key.eventType === "release") return "none";
  if (key.ctrl && input === "c") return "cancel";
  const isPlain = !key.ctrl && !key.meta && !key.shift && !key.super && !key.hyper;
  return isPlain && MOVING.some((name) => key[name]) ? "moves" : "types";
}

/**
 * Which key it is, if it does more than write: sends, changes the mode, moves. Not Esc: it only stops or closes, and whoever presses
 * it again and again wants just that.
 */
export function nameOfActing(typed: Typed): string | undefined {
  if (typed.by === "paste" || typed.key.escape) return undefined;
  // In a busy process several of them arrive as one.
  return /^\r+$/.test(typed.input) ? "enter" : chordOf(typed.input, typed.key);
}
