import { Box, Text } from "ink";
import type { ReactNode } from "react";
import stringWidth from "string-width";
import type { OfferedChoice } from "../asking/choices.ts";
import { wrapLine, wrapProse } from "../asking/layout.ts";
import { BETWEEN, type ChoiceCell } from "../asking/packChoices.ts";
import { useTheme } from "../theme.ts";
import { printableLine } from "../utils/printable.ts";

interface ChoicesProps {
  choices: readonly OfferedChoice[];
  width: number;
}

/** What can be done, each with its key; dim while none is marked, because no key takes any. */
export function PermissionChoices({
  choices,
  width,
  selected,
}: ChoicesProps & { selected: number | undefined }): ReactNode {
  const theme = useTheme();
  const quiet = selected === undefined ? theme.dim : {};
  return (
    <Box flexDirection="column">
      {choices.map((offered, index) =>
        linesOf(offered, width).map((line, at) => (
          <Text
            key={`${offered.key}${at}`}
            bold={index === selected}
            {...(index === selected ? theme.accent : quiet)}
          >
            {at === 0 ? `${index === selected ? "›" : " "} ${offered.key}  ${line}` : `     ${line}`}
          </Text>
        )),
      )}
    </Box>
  );
}

/** The same side by side, where there is no row for each. */
export function PackedChoices({
  rows,
  selected,
}: {
  rows: readonly (readonly ChoiceCell[])[];
  selected: number | undefined;
}): ReactNode {
  const theme = useTheme();
  const quiet = selected === undefined ? theme.dim : {};
  return (
    <Box flexDirection="column">
      {rows.map((row, at) => (
        <Text key={at} wrap="truncate-end">
          {row.map(({ index, part, text }, cell) => (
            <Text key={cell} bold={index === selected} {...(index === selected ? theme.accent : quiet)}>
              {`${cell === 0 ? "" : BETWEEN}${index === selected && part === "first" ? "›" : " "}${text}`}
            </Text>
          ))}
        </Text>
      ))}
    </Box>
  );
}

export function choiceRows(choices: readonly OfferedChoice[], width: number): number {
  return choices.reduce((rows, offered) => rows + linesOf(offered, width).length, 0);
}

/** The line for words of a refusal, and where they will go (T74). */
export function PermissionWords({
  words,
  width,
  isShort,
}: {
  words: string;
  width: number;
  isShort: boolean;
}): ReactNode {
  const theme = useTheme();
  const prompt = isShort ? "deny, tell the main agent: " : "deny: ";
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
          Goes to the main agent as your message
        </Text>
      )}
    </Box>
  );
}

const KEY_COLUMNS = 5;

function linesOf({ label }: OfferedChoice, width: number): string[] {
  const line = [{ text: label, hidden: false }];
  const room = width - KEY_COLUMNS;
  const [words, cut] = [wrapProse(line, room), wrapLine(line, room)];
  // A long word may need a row more than its letters do, and on the smallest screen there is none.
  const rows = words.length > cut.length ? cut : words;
  return rows.map((pieces) => pieces.map((piece) => piece.text).join(""));
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
