import { Box, Text } from "ink";
import type { Candidate, Question } from "../input/completion.ts";
import type { Menu } from "../input/promptState.ts";
import type { FileList } from "../input/usePrompt.ts";
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
  return menu.candidates.map((candidate, index) => (
    <Box key={candidate.insert} width={width}>
      <Box flexShrink={0} width={2}>
        <Text {...theme.accent}>{index === menu.selected ? "›" : " "}</Text>
      </Box>
      <CandidateLine
        candidate={candidate}
        isMarked={index === menu.selected}
        labelColumns={labelColumns}
        width={width}
      />
    </Box>
  ));
}

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

function emptyNote(asks: Question["asks"], files: FileList): string {
  if (asks === "history") return "no earlier prompt has this in it";
  if (files.are === "unlisted") return `the files here cannot be listed: ${printableLine(files.why)}`;
  return "looking for files …";
}
