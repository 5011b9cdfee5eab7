import { printableLine } from "../utils/printable.ts";
import { fitLine, lineWidth, span, textOf, widthOf, type Line } from "./span.ts";
import { wrapSpans } from "./wrap.ts";

/** What a person should know when a session begins. */
export interface WelcomeFacts {
  readonly version: string;
  /** Undefined: nobody named one, and the server was not asked yet. */
  readonly model: string | undefined;
  readonly folder: string;
  /** Hooks in force by where they come from, in declared order. */
  readonly hooks: readonly { readonly scope: string; readonly count: number }[];
  readonly hooksOff: number;
}

const MARK = span("≋ ", { tone: "accent", bold: true });
const INDENT = span("  ");

/** Stands once at the beginning of a session: at most four lines, from 40 columns on. */
export function welcomeLines(facts: WelcomeFacts, width: number): Line[] {
  const name: Line = [MARK, span(`Wave ${facts.version}`, { bold: true })];
  const place = placeSpans(facts, width - 2);
  const together: Line = [...name, span("  "), ...place];
  const head = lineWidth(together) <= width ? [together] : [name, [INDENT, ...place]];
  return [
    ...head,
    ...hookLines(facts, width),
    fitLine([INDENT, span(helpFor(width), { tone: "dim" })], width),
  ];
}

/** The end of a path tells more than its beginning. */
function placeSpans({ model, folder }: WelcomeFacts, room: number): Line {
  const shown = printableLine(model ?? "the model of the server");
  const path = printableLine(folder);
  const between = " · ";
  const left = room - widthOf(shown) - widthOf(between);
  const place = widthOf(path) <= left ? path : `…${tailOf(path, Math.max(8, left - 1))}`;
  return fitLine([span(shown), span(between, { tone: "dim" }), span(place)], room);
}

function tailOf(text: string, width: number): string {
  let tail = text;
  while (widthOf(tail) > width) tail = tail.slice(1);
  return tail.toWellFormed();
}

function hookLines({ hooks, hooksOff }: WelcomeFacts, width: number): Line[] {
  const count = hooks.reduce((sum, one) => sum + one.count, 0);
  const off =
    hooksOff === 0 ? [] : [span(" · ", { tone: "dim" }), span(`${hooksOff} off`, { tone: "warning" })];
  if (count === 0 && hooksOff === 0)
    return [fitLine([INDENT, span("no hooks here yet", { tone: "dim" })], width)];
  const sources = hooks.map((one) => `${one.count} ${one.scope}`).join(", ");
  const all = span(`${count} hook${count === 1 ? "" : "s"} active`, { tone: "hook" });
  const line: Line = [INDENT, all, ...(sources === "" ? [] : [span(`: ${sources}`)]), ...off];
  if (lineWidth(line) <= width) return [line];
  // Where they come from gives way before how many there are.
  const short: Line = [INDENT, all, ...off];
  return lineWidth(short) <= width ? [short] : wrapSpans([span(textOf(short))], width).slice(0, 1);
}

function helpFor(width: number): string {
  const all = "/help lists keys and commands · ! runs a command · # keeps a note";
  return widthOf(all) + 2 <= width ? all : "/help lists keys and commands";
}
