import { Box, Text } from "ink";
import { promptHints, type HintedPrompt } from "../input/promptHints.ts";
import { useTheme } from "../theme.ts";

/** One line of keys. */
export function PromptHints({ width, ...prompt }: HintedPrompt & { width: number }) {
  const theme = useTheme();
  return (
    <Box width={width} paddingX={1}>
      <Text wrap="truncate" {...theme.dim}>
        {promptHints(prompt, width - 2)}
      </Text>
    </Box>
  );
}
