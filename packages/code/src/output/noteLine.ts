import { printable } from "../utils/printable.ts";
import { shortenPaths } from "../utils/shortPath.ts";
import type { Note } from "./note.ts";
import type { Paint } from "./paint.ts";

const COLOURS = {
  note: "dim",
  warning: "yellow",
  error: "red",
  hook: "cyan",
  "hook said": "cyan",
  "hook failed": "red",
  blocked: "magenta",
  "blocked by": "magenta",
  "not run": "magenta",
  retry: "yellow",
} as const satisfies Record<Note["kind"], Parameters<Paint>[0]>;

/** `warning: …`; further lines are indented, so that each prefix begins something new. */
export function noteLine(note: Note, options: { paint: Paint; folder: string }): string {
  const text = printable(shortenPaths(note.text.trim(), options.folder)).replaceAll("\n", "\n  ");
  // "blocked by guard: …" is a sentence; the other kinds stand before one.
  const prefix = note.kind === "blocked by" ? note.kind : `${note.kind}:`;
  return `${options.paint(COLOURS[note.kind], prefix)} ${text}\n`;
}
