import type { IBufferCell } from "@xterm/headless";

export interface Palette {
  foreground: string;
  background: string;
  /** Black, red, green, yellow, blue, magenta, cyan, white, and the same bright. */
  ansi: readonly string[];
}

const colours = (...rows: readonly string[]): string[] => rows.flatMap((row) => row.split(" "));

export const PALETTES = {
  dark: {
    foreground: "#d7dae0",
    background: "#16181d",
    ansi: colours(
      "#3b4048 #f0717b #8fce76 #e6c06e #69aef2 #cf86e3 #56c2cf #c8ccd4",
      "#6b7280 #ff8f98 #a8e08f #f5d48a #8cc4ff #e0a3f0 #7bdbe6 #ffffff",
    ),
  },
  light: {
    foreground: "#24292f",
    background: "#ffffff",
    ansi: colours(
      "#24292f #c62833 #1a7f37 #8a6100 #0a5cc2 #8f3fb0 #0b7285 #57606a",
      "#6e7781 #e0434e #2da44e #a87900 #3f86e0 #a65bc6 #2a93a6 #8c959f",
    ),
  },
} as const satisfies Record<string, Palette>;

/** Undefined: the terminal's own colour. */
export function colourOf(
  cell: IBufferCell,
  side: "foreground" | "background",
  { ansi }: Palette,
): string | undefined {
  const isForeground = side === "foreground";
  if (isForeground ? cell.isFgDefault() : cell.isBgDefault()) return undefined;
  const number = isForeground ? cell.getFgColor() : cell.getBgColor();
  if (isForeground ? cell.isFgRGB() : cell.isBgRGB())
    return hex(number >> 16, (number >> 8) & 255, number & 255);
  return ansi[number] ?? cubeColour(number);
}

const LEVELS = [0, 95, 135, 175, 215, 255] as const;

/** Colours 16 to 255: a cube of six levels for each of red, green and blue, then greys. */
function cubeColour(number: number): string {
  if (number >= 232) {
    const grey = 8 + (number - 232) * 10;
    return hex(grey, grey, grey);
  }
  const index = number - 16;
  const level = (step: number) => LEVELS[step % 6] ?? 0;
  return hex(level(Math.floor(index / 36)), level(Math.floor(index / 6)), level(index));
}

const hex = (...parts: readonly number[]): string =>
  `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
