import { actionFor, type KeyAction } from "../input/keys.ts";
import { readKeys, type KeyReading, type PressedKey } from "../input/readKey.ts";

/** A key as panels understand it. */
export type PanelPress =
  | { key: NamedPress }
  /** Something typed, one character. */
  | { key: "text"; text: string };

/** "esc" is a step back, "close" closes the panel wherever one is in it. */
type NamedPress =
  | ("up" | "down" | "left" | "right" | "pageup" | "pagedown" | "home" | "end")
  | "expand"
  | ("enter" | "esc" | "close" | "backspace");

/** Whether a panel takes letters as text, or as keys. */
export type Letters = "are-typed" | "are-keys";

const PRESSES: Partial<Record<KeyAction, NamedPress>> = {
  up: "up",
  down: "down",
  left: "left",
  right: "right",
  expand: "expand",
  "page-up": "pageup",
  "page-down": "pagedown",
  home: "home",
  end: "end",
  accept: "enter",
  escape: "esc",
  close: "close",
};

/** What Ink hands over, as presses of the key table. Letters that were typed quickly come together. */
export function pressesOf(input: string, key: PressedKey, letters: Letters): PanelPress[] {
  // Terminals disagree about which of the two the big key sends.
  if (key.backspace || key.delete) return [{ key: "backspace" }];
  return readKeys(input, key, "panel").flatMap((reading) => pressesIn(reading, letters));
}

/** How much of it is text, whatever the panel makes of letters. */
export function lettersIn(input: string, key: PressedKey): number {
  return readKeys(input, key, "panel").reduce(
    (sum, reading) => sum + ("text" in reading ? Array.from(reading.text).length : 0),
    0,
  );
}

function pressesIn(reading: KeyReading, letters: Letters): PanelPress[] {
  if (reading.read === "nothing") return [];
  if (reading.read === "action") return named(reading.action);
  return Array.from(reading.text).flatMap((text) => {
    const action = letters === "are-keys" ? actionFor(text, "panel") : undefined;
    return action === undefined ? [{ key: "text" as const, text }] : named(action);
  });
}

function named(action: KeyAction): PanelPress[] {
  const press = PRESSES[action];
  return press === undefined ? [] : [{ key: press }];
}

/** In a panel of one page a step back closes it. */
export const closes = ({ key }: PanelPress): boolean => key === "esc" || key === "close";

/** Where a movement leads in a list of `count`, or undefined for keys that do not move. */
export function moved(
  press: PanelPress,
  at: number,
  list: { count: number; page: number },
): number | undefined {
  const step = stepOf(press, list);
  return step === undefined ? undefined : Math.max(0, Math.min(at + step, list.count - 1));
}

function stepOf({ key }: PanelPress, { count, page }: { count: number; page: number }): number | undefined {
  switch (key) {
    case "up":
      return -1;
    case "down":
      return 1;
    case "pageup":
      return -page;
    case "pagedown":
      return page;
    case "home":
      return -count;
    case "end":
      return count;
    default:
      return undefined;
  }
}
