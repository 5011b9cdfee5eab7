import { Box, Text } from "ink";
import type { ReactNode } from "react";
import stringWidth from "string-width";
import type { ChoiceCell } from "../asking/packChoices.ts";
import { useTheme } from "../theme.ts";
import { printableLine } from "../utils/printable.ts";

/** A row of its own for each, or side by side: how choices are marked, and what stands between two of a row. */
const LOOKS = {
  listed: { mark: "› ", unmarked: "  ", between: "  " },
  packed: { mark: "›", unmarked: " ", between: " ·" },
} as const;

/** What can be done, each with its key; dim while none is marked, because no key takes any. */
export function PermissionChoices({
  rows,
  as,
  selected,
}: {
  rows: readonly (readonly ChoiceCell[])[];
  as: keyof typeof LOOKS;
  selected: number | undefined;
}): ReactNode {
  const theme = useTheme();
  const quiet = selected === undefined ? theme.dim : {};
  const { mark, unmarked, between } = LOOKS[as];
  return (
    <Box flexDirection="column">
      {rows.map((row, at) => (
        <Text key={at} wrap="truncate-end">
          {row.map(({ index, part, text }, cell) => (
            <Text key={cell} bold={index === selected} {...(index === selected ? theme.accent : quiet)}>
              {`${cell === 0 ? "" : between}${index === selected && part === "first" ? mark : unmarked}${text}`}
            </Text>
          ))}
        </Text>
      ))}
    </Box>
  );
}

/** The line for words of a refusal or for an answer, and where they will go (T74). */
export function PermissionWords({
  words,
  to = "main agent",
  width,
  isShort,
}: {
  words: string;
  /** A server that asked: then they are the answer. Absent: they go with a refusal. */
  to?: string | undefined;
  width: number;
  isShort: boolean;
}): ReactNode {
  const theme = useTheme();
  const isAnswer = to !== "main agent";
  const refusal = isShort ? "deny, tell the main agent: " : "deny: ";
  const prompt = isAnswer ? "answer: " : refusal;
  const shown = endOf(printableLine(words), width - prompt.length - 1);
  return (
    <Box flexDirection="column">
      <Text wrap="truncate-end">
        <Text bold>{prompt}</Text>
        {shown}
        <Text inverse> </Text>
      </Text>
      {isShort ? null : (
        <Text {...theme.dim} wrap="truncate-end">
          Goes to the {to} as your {isAnswer ? "answer" : "message"}
        </Text>
      )}
    </Box>
  );
}

/** The end of the words is where the person is typing. */
function endOf(text: string, width: number): string {
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  let start = letters.length;
  let used = 1;
  while (start > 0) {
    const columns = stringWidth(letters[start - 1] ?? "");
    if (used + columns > width) break;
    used += columns;
    start -= 1;
  }
  return start === 0 ? text : `…${letters.slice(start).join("")}`;
}
