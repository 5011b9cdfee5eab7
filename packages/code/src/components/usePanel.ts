import { useInput } from "ink";
import { useRef, useState } from "react";
import type { Typed } from "../asking/typed.ts";
import { readKey, type KeyReading } from "../input/readKey.ts";
import { pressesOf, type Letters, type PanelPress } from "../panels/press.ts";

export interface PanelKeys {
  letters?: Letters;
  /** A key that it takes is none of the panel's. Never asked about those that close every panel: they are nobody's text. */
  elsewhere?: (typed: Typed) => boolean;
}

/**
 * What keys change in a panel. Several keys can arrive before the screen is drawn again, so each is applied to what the one
 * before made of it and not to what was drawn last. `onPress` may call whoever opened the panel.
 */
export function usePanel<State>(
  first: () => State,
  onPress: (now: State, press: PanelPress) => State,
  { letters = "are-keys", elsewhere = () => false }: PanelKeys = {},
): [drawn: State, change: (step: (now: State) => State) => void] {
  const [drawn, draw] = useState(first);
  const newest = useRef(drawn);
  const change = (step: (now: State) => State) => {
    newest.current = step(newest.current);
    draw(newest.current);
  };
  useInput((input, key) => {
    if (!isClose(readKey(input, key, "panel")) && elsewhere({ by: "key", input, key })) return;
    for (const press of pressesOf(input, key, letters)) change((now) => onPress(now, press));
  });
  return [drawn, change];
}

const isClose = (reading: KeyReading) => reading.read === "action" && reading.action === "close";
