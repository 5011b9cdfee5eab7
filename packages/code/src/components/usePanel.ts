import { useInput, type Key } from "ink";
import { useRef, useState } from "react";
import type { Typed } from "../asking/typed.ts";
import type { PanelPress } from "../panels/press.ts";

/**
 * What keys change in a panel. Several keys can arrive before the screen is drawn again, so each is applied to what the one
 * before made of it and not to what was drawn last. `onPress` may call whoever opened the panel. A key that `elsewhere` takes is none of the panel's.
 */
export function usePanel<State>(
  first: () => State,
  onPress: (now: State, press: PanelPress) => State,
  elsewhere: (typed: Typed) => boolean = () => false,
): [drawn: State, change: (step: (now: State) => State) => void] {
  const [drawn, draw] = useState(first);
  const newest = useRef(drawn);
  const change = (step: (now: State) => State) => {
    newest.current = step(newest.current);
    draw(newest.current);
  };
  useInput((input, key) => {
    if (elsewhere({ by: "key", input, key })) return;
    for (const press of pressesOf(input, key)) change((now) => onPress(now, press));
  });
  return [drawn, change];
}

const NAMED: readonly [keyof Key, Exclude<PanelPress["key"], "text">][] = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "esc"],
  ["backspace", "backspace"],
  ["delete", "backspace"],
];

/** Letters that were typed quickly come together. */
function pressesOf(input: string, key: Key): PanelPress[] {
  const named = NAMED.find(([name]) => key[name] === true);
  if (named) return [{ key: named[1] }];
  if (key.ctrl || key.meta || key.tab) return [];
  return Array.from(input, (text) => ({ key: "text", text }));
}
