import { Box, Text } from "ink";
import { LISTED, type Candidate, type Question } from "../input/completion.ts";
import type { Menu } from "../input/promptState.ts";
import type { FileList } from "../input/usePrompt.ts";
import { windowAround } from "../panels/listWindow.ts";
import { useTheme } from "../theme.ts";
import { printableLine } from "../utils/printable.ts";

interface PromptCompletionsProps {
  menu: Menu;
  files: FileList;
  width: number;
}

/** The names that could be meant, below the text. */
export function PromptCompletions({ menu, files, width }: PromptCompletionsProps) {
  const theme = useTheme();
  if (menu.show !== "candidates") return null;
  if (menu.candidates.length === 0) {
    return <Text wrap="truncate" {...theme.dim}>{`  ${emptyNote(menu.question.asks, files)}`}</Text>;
  }
  const labelColumns = Math.min(
    Math.floor(width / 2),
    Math.max(...menu.candidates.map(({ label }) => label.length)),
  );
  const count = menu.candidates.length;
  const shown = windowAround({ count, selected: menu.selected, itemHeight: 1, height: MENU_ROWS });
  // More than these were never looked for.
  const others = menu.question.asks !== "command" && count === LISTED ? ", and others: type on" : "";
  const lacks = isAboutFiles(menu.question.asks) ? lackOf(files) : undefined;
  return (
    <>
      {shown.above > 0 && <Text {...theme.dim}>{`  ↑ ${shown.above} more`}</Text>}
      {menu.candidates.slice(shown.from, shown.to).map((candidate, index) => (
        <Box key={candidate.insert} width={width}>
          <Box flexShrink={0} width={2}>
            <Text {...theme.accent}>{shown.from + index === menu.selected ? "›" : " "}</Text>
          </Box>
          <CandidateLine
            candidate={candidate}
            isMarked={shown.from + index === menu.selected}
            labelColumns={labelColumns}
            width={width}
          />
        </Box>
      ))}
      {shown.below > 0 && <Text {...theme.dim}>{`  ↓ ${shown.below} more${others}`}</Text>}
      {lacks !== undefined && <Text wrap="truncate" {...theme.dim}>{`  ${lacks}`}</Text>}
    </>
  );
}

/** With the lines that say how many more there are. */
const MENU_ROWS = 8;

interface CandidateLineProps {
  candidate: Candidate;
  isMarked: boolean;
  labelColumns: number;
  width: number;
}

function CandidateLine({ candidate: { label, detail }, isMarked, labelColumns, width }: CandidateLineProps) {
  const theme = useTheme();
  const name = (
    <Text bold={isMarked} wrap={detail === undefined ? "truncate-middle" : "truncate"}>
      {printableLine(label.slice(0, 4 * width))}
    </Text>
  );
  if (detail === undefined) return <Box width={width - 2}>{name}</Box>;
  return (
    <>
      <Box flexShrink={0} width={labelColumns}>
        {name}
      </Box>
      <Box flexGrow={1} marginLeft={2}>
        <Text wrap="truncate" {...theme.dim}>
          {printableLine(detail)}
        </Text>
      </Box>
    </>
  );
}

const isAboutFiles = (asks: Question["asks"]) => asks === "file" || asks === "path";

function lackOf(files: FileList): string | undefined {
  return files.are === "known" && files.lacks !== undefined ? printableLine(files.lacks) : undefined;
}

function emptyNote(asks: Question["asks"], files: FileList): string {
  if (asks === "history") return "no earlier prompt has this in it";
  const lacks = lackOf(files);
  if (lacks !== undefined) return `no match; ${lacks}`;
  if (files.are === "unlisted") return `the files here cannot be listed: ${printableLine(files.why)}`;
  return "looking for files …";
}
