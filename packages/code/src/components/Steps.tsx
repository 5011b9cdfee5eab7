import { Box } from "ink";
import { stepLines, type Step } from "../view/steps.ts";
import { Lines } from "./Lines.tsx";

/** The list of steps of the model's work, as long as it is not done. */
export function Steps(props: { steps: readonly Step[]; width: number; rows: number; form: "list" | "line" }) {
  const { steps, ...look } = props;
  const lines = stepLines(steps, look);
  return lines.length === 0 ? undefined : (
    <Box flexDirection="column" flexShrink={0}>
      <Lines lines={lines} />
    </Box>
  );
}
