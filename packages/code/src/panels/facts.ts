import { span, type Line, type Span } from "../view/span.ts";
import { hanging, say, wrapLine, type Meaning } from "./lines.ts";

const LABEL_WIDTH = 12;

/** A name and a value; a long value goes on under itself. */
export const fact = (columns: number, label: string, ...value: Span[]): Line[] =>
  hanging(say("dim", label.padEnd(LABEL_WIDTH)), value, columns);

export const title = (text: string): Line => [say("strong", text)];

/** Somebody's words, each of their lines on a line of its own. */
export function quoted(options: { columns: number; indent: number; meaning: Meaning; text: string }): Line[] {
  const indent = span(" ".repeat(options.indent));
  return options.text
    .replaceAll("\r\n", "\n")
    .trim()
    .split("\n")
    .flatMap((line) => wrapLine([indent, say(options.meaning, line)], options.columns));
}
