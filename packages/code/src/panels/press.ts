/** A key as panels understand it. */
export type PanelPress =
  | { key: "up" | "down" | "pageup" | "pagedown" | "home" | "end" | "enter" | "esc" | "backspace" }
  /** Something typed, one character. */
  | { key: "text"; text: string };

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
