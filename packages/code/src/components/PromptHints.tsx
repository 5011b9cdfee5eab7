import { Box, Text } from "ink";
import stringWidth from "string-width";
import { keyFor } from "../input/keys.ts";
import type { PromptKind } from "../input/promptKind.ts";
import type { Menu, Waiting } from "../input/promptState.ts";
import { useTheme } from "../theme.ts";

interface PromptHintsProps {
  kind: PromptKind;
  mode: string;
  menu: Menu;
  hasFolds: boolean;
  /** What an empty prompt can do about what waits. */
  waiting: Waiting;
  width: number;
}

const BETWEEN = " · ";

/** One line of keys that are of use right now, the most useful first; what has no room is left out whole. */
export function PromptHints({ mode, width, ...about }: PromptHintsProps) {
  const theme = useTheme();
  const room = width - stringWidth(mode) - 4;
  return (
    <Box width={width} paddingX={1} justifyContent="space-between">
      <Text wrap="truncate" {...theme.dim}>
        {fitting(hintsFor(about), room).join(BETWEEN)}
      </Text>
      <Box flexShrink={0}>
        <Text {...theme.accent}>{mode}</Text>
      </Box>
    </Box>
  );
}

function hintsFor({ kind, menu, hasFolds, waiting }: Omit<PromptHintsProps, "mode" | "width">): string[] {
  if (menu.show === "candidates") {
    return [`${keyFor("complete")} takes`, "↑↓ choose", `${keyFor("escape")} closes`];
  }
  const enter = keyFor("submit");
  if (kind === "shell") return [`${enter} runs it in your shell`, `${keyFor("complete")} completes a path`];
  if (kind === "note") return [`${enter} adds it to AGENTS.md`];
  const back = `${keyFor("up")} takes back what waits`;
  if (waiting === "prompt") return [`${enter} again: tell it now`, back];
  if (waiting === "something") return [back];
  const folds = hasFolds ? [`${keyFor("unfold")} opens a paste`] : [];
  const [newline, mode] = [keyFor("newline"), keyFor("cycle-mode")];
  return [
    `${enter} sends`,
    ...folds,
    `${newline} new line`,
    "@ files",
    "/ commands",
    "! shell",
    "# note",
    `${mode} mode`,
  ];
}

function fitting(hints: readonly string[], room: number): string[] {
  const shown: string[] = [];
  for (const hint of hints) {
    if (stringWidth([...shown, hint].join(BETWEEN)) <= room) shown.push(hint);
  }
  return shown;
}
