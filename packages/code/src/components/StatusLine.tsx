import { Box } from "ink";
import { statusLines, type StatusFacts } from "../panels/statusLine.ts";
import { Lines } from "./Lines.tsx";

/** The one or two lines under the input. */
export function StatusLine({ columns, ...facts }: StatusFacts & { columns: number }) {
  return (
    <Box flexDirection="column" width={columns}>
      <Lines lines={statusLines(facts, columns)} />
    </Box>
  );
}
