import type { Tone } from "../theme.ts";
import type { Line } from "../view/span.ts";
import type { Colour, Paint } from "./paint.ts";

const COLOURS: Partial<Record<Tone, Colour>> = {
  added: "green",
  warning: "yellow",
  danger: "red",
  accent: "cyan",
  hook: "magenta",
  dim: "dim",
};

/** A row of the screen for a command that only prints. */
export function paintLine(line: Line, paint: Paint): string {
  return line
    .map(({ text, tone, bold }) => {
      const colour = tone && COLOURS[tone];
      const coloured = colour ? paint(colour, text) : text;
      return bold ? paint("bold", coloured) : coloured;
    })
    .join("")
    .trimEnd();
}
