import { useRef, useState } from "react";
import type { Typed } from "../asking/typed.ts";
import type { CoverName } from "../keyboard/covers.ts";
import type { Came } from "../keyboard/guard.ts";
import { useCover } from "../keyboard/Keyboard.tsx";
import { lettersIn, pressesOf, type Letters, type PanelPress } from "../panels/press.ts";

/** Where a key leads, and what it wants of whoever opened the panel. The same state and no effect: it has no use here. */
export interface Pressed<State, Effect> {
  now: State;
  effect?: Effect | undefined;
}

export interface PanelEffect {
  do: string;
}

/** They leave everything as it is, so in a panel that somebody opened they wait for nothing. */
const HARMLESS = ["close", "back"];

export interface PanelSetting<State, Effect extends PanelEffect> {
  name: CoverName;
  came?: Came;
  first: () => State;
  /** A pure step: several keys can come before the screen is drawn again, and each acts on what the one before made of it. */
  press: (now: State, press: PanelPress) => Pressed<State, Effect>;
  carryOut: (effect: Effect) => void;
  /** What is asked in this state: a key that leads to another question does not answer it. */
  asks?: (now: State) => string;
  letters?: Letters | ((now: State) => Letters);
  /** For a panel with a line to write in; undefined where it has none in this state. */
  paste?: (now: State, text: string) => State | undefined;
  /** Ctrl-C, whenever it comes. */
  onCancel?: (() => void) | undefined;
}

/** The state of a panel, and its keys. Effects are carried out here and nowhere else, and only once the panel listens. */
export function usePanel<State, Effect extends PanelEffect>(
  setting: PanelSetting<State, Effect>,
): [drawn: State, change: (step: (now: State) => State) => void, asks: string] {
  const { came = "opened", asks = () => "", press, paste } = setting;
  const [drawn, draw] = useState(setting.first);
  const newest = useRef(drawn);
  const change = (step: (now: State) => State) => {
    newest.current = step(newest.current);
    draw(newest.current);
  };

  /** Whether there was a use for it. */
  const take = (one: PanelPress, may: "answer" | "look"): boolean => {
    const before = newest.current;
    const { now, effect } = press(before, one);
    if (effect && may === "look" && !HARMLESS.includes(effect.do)) {
      refused();
      return false;
    }
    if (now !== before) change(() => now);
    if (effect) setting.carryOut(effect);
    return effect !== undefined || now !== before;
  };
  const takeKey = ({ input, key }: Extract<Typed, { by: "key" }>, may: "answer" | "look"): boolean => {
    const letters = lettersOf(setting.letters, newest.current);
    // Several letters at once are somebody's text, and so is a letter of somebody who has not seen the panel yet.
    const mostLetters = letters === "are-typed" ? Infinity : may === "answer" ? 1 : 0;
    const presses = lettersIn(input, key) > mostLetters ? [] : pressesOf(input, key, letters);
    return presses.map((one) => take(one, may)).includes(true);
  };
  const onKey = (typed: Typed, given: "answer" | "look"): string => {
    // It may ask something else by now that nobody has seen yet: what it waited for has just come.
    const may = asks(newest.current) === asks(drawn) ? given : "look";
    const pasted = typed.by === "paste" ? paste?.(newest.current, typed.text) : undefined;
    const isTaken = typed.by === "paste" ? pasted !== undefined : takeKey(typed, may);
    if (pasted !== undefined) change(() => pasted);
    // What is no text would do something else to the prompt than what it was pressed for.
    const isForDraft = typed.by === "paste" || lettersIn(typed.input, typed.key) > 0;
    if (!isTaken && isForDraft) toDraft(typed);
    return asks(newest.current);
  };
  const {
    toDraft,
    refused,
    asks: asked,
  } = useCover({
    name: setting.name,
    came,
    asks: asks(drawn),
    onKey,
    onCancel: setting.onCancel,
  });
  return [drawn, change, asked];
}

function lettersOf<State>(letters: PanelSetting<State, PanelEffect>["letters"], now: State): Letters {
  return typeof letters === "function" ? letters(now) : (letters ?? "are-keys");
}
