import { span, type Line } from "./span.ts";
import { hardWrap } from "./wrap.ts";

/** Colours code; undefined when it does not know the language. The text of the lines is the text of the code. */
export type Highlight = (code: string, language: string) => readonly Line[] | undefined;

/** Longer code stays plain: colouring it again for every frame would be felt. */
const MAX_CHARACTERS = 40_000;

/** `code` has been through `screenText`. */
export function codeLines(
  code: string,
  options: { language: string; width: number; highlight?: Highlight | undefined },
): Line[] {
  const language = /^[\w+#.-]*/.exec(options.language)?.[0].toLowerCase() ?? "";
  const coloured =
    language !== "" && code.length <= MAX_CHARACTERS ? options.highlight?.(code, language) : undefined;
  const lines = coloured ?? code.split("\n").map((text) => [span(text)]);
  return lines.flatMap((line) => hardWrap(line, options.width));
}
