import { Text } from "ink";
import type { ReactNode } from "react";
import { usePlain, useTheme, type Theme } from "../theme.ts";
import { isDrawnLine, plainSigns } from "../utils/plainSigns.ts";
import type { Line, Span } from "../view/span.ts";

/** Rows that have been laid out already. One text node for all of them: a screen has thousands of spans. */
export function Lines({ lines }: { lines: readonly Line[] }): ReactNode {
  const theme = useTheme();
  const plain = usePlain();
  if (lines.length === 0) return null;
  return (
    <Text>
      {lines.flatMap((line, row) => [
        row > 0 ? "\n" : "",
        ...line.map((one, index) => styled(plain ? withoutDrawing(one) : one, theme, `${row}:${index}`)),
      ])}
    </Text>
  );
}

/** What Wave draws itself is dim; the words of others stay as they are. */
const withoutDrawing = (one: Span): Span =>
  one.tone === "dim" && isDrawnLine(one.text) ? { ...one, text: plainSigns(one.text) } : one;

function styled({ text, tone, ...look }: Span, theme: Theme, key: string): ReactNode {
  if (tone === undefined && Object.keys(look).length === 0) return text;
  return (
    <Text key={key} {...(tone === undefined ? {} : theme[tone])} {...look}>
      {text}
    </Text>
  );
}
