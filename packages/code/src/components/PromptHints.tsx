import { Box, Text } from "ink";
import stringWidth from "string-width";
import { keyFor } from "../input/keys.ts";
import type { Menu } from "../input/promptState.ts";
import { useTheme } from "../theme.ts";

/** What will be done with the text: its first character says it. */
export type PromptKind = "prompt" | "shell" | "note";

interface PromptHintsProps {
  kind: PromptKind;
  mode: string;
  menu: Menu;
  hasFolds: boolean;
  width: number;
}

const BETWEEN = " · ";

/** One line of keys that are of use right now, the most useful first; what has no room is left out whole. */
export function PromptHints({ kind, mode, menu, hasFolds, width }: PromptHintsProps) {
  const theme = useTheme();
  const room = width - stringWidth(mode) - 4;
  return (
    <Box width={width} paddingX={1} justifyContent="space-between">
      <Text wrap="truncate" {...theme.dim}>
        {fitting(hintsFor(kind, menu, hasFolds), room).join(BETWEEN)}
      </Text>
      <Box flexShrink={0}>
        <Text {...theme.accent}>{mode}</Text>
      </Box>
    </Box>
  );
}

function hintsFor(kind: PromptKind, menu: Menu, hasFolds: boolean): string[] {
  if (menu.show === "candidates") {
    return [`${keyFor("complete")} takes`, "↑↓ choose", `${keyFor("escape")} closes`];
  }
  const enter = keyFor("submit");
  if (kind === "shell") return [`${enter} runs it`, "as your shell command"];
  if (kind === "note") return [`${enter} keeps it`, "as a note"];
  const folds = hasFolds ? [`${keyFor("unfold")} opens a paste`] : [];
  const [newline, mode] = [keyFor("newline"), keyFor("cycle-mode")];
  return [
    `${enter} sends`,
    ...folds,
    `${newline} new line`,
    "@ files",
    "/ commands",
    "! shell",
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
