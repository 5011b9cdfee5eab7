import { Box } from "ink";
import type { ReactNode } from "react";
import { shellLines } from "../view/shellLines.ts";
import { Lines } from "./Lines.tsx";
import type { ToolLineProps } from "./ToolLine.tsx";

interface ShellLineProps extends Omit<ToolLineProps, "now" | "plain"> {
  maxRows?: number | undefined;
}

const LIVE_ROWS = 10;

/** A command that the person ran. */
export function ShellLine({ block, width, folder, running, maxRows = LIVE_ROWS }: ShellLineProps): ReactNode {
  const look = { width, folder, open: false, running, liveRows: maxRows };
  return (
    <Box flexDirection="column">
      <Lines lines={shellLines(block, look)} />
    </Box>
  );
}
