import { printable } from "../utils/printable.ts";
import { widthOf } from "./span.ts";

const TAB_STOP = 4;

/** Text of a model, hook or tool for the screen: nothing in it acts on the terminal, and tabs have become blanks. */
export function screenText(text: string): string {
  const safe = printable(text);
  // A tab that reaches the terminal moves the cursor to where Ink does not expect it.
  return safe.includes("\t") ? safe.split("\n").map(expandTabs).join("\n") : safe;
}

/**
 * What a command printed. Its colours are left out, everything else that is not text stays visible: colours are the one
 * thing that programs print all the time and that says nothing.
 */
export function outputText(text: string): string {
  return screenText(text.replaceAll(COLOUR, ""));
}

// oxlint-disable-next-line no-control-regex -- escape sequences are what it looks for
const COLOUR = /\u001b\[[\d;:]*m/g;

function expandTabs(line: string): string {
  const [first = "", ...rest] = line.split("\t");
  let done = first;
  // Counted along: to measure all that is done at each tab would take seconds for a line of thousands.
  let width = widthOf(first);
  for (const part of rest) {
    const gap = TAB_STOP - (width % TAB_STOP);
    done += " ".repeat(gap) + part;
    width += gap + widthOf(part);
  }
  return done;
}
