import { Box, Text } from "ink";
import stringWidth from "string-width";
import { promptHints, type HintedPrompt } from "../input/promptHints.ts";
import { useTheme } from "../theme.ts";

interface PromptHintsProps extends HintedPrompt {
  mode: string;
  width: number;
}

/** One line of keys, and the mode. */
export function PromptHints({ mode, width, ...prompt }: PromptHintsProps) {
  const theme = useTheme();
  const room = width - stringWidth(mode) - 4;
  return (
    <Box width={width} paddingX={1} justifyContent="space-between">
      <Text wrap="truncate" {...theme.dim}>
        {promptHints(prompt, room)}
      </Text>
      <Box flexShrink={0}>
        <Text {...theme.accent}>{mode}</Text>
      </Box>
    </Box>
  );
}
