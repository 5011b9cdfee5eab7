import { Box } from "ink";
import type { ReactNode } from "react";
import { footLines, headLine, plainHead, type PanelKey } from "../panels/frame.ts";
import { usePlain } from "../theme.ts";
import { Lines } from "./Lines.tsx";

export interface PanelProps {
  title: string;
  /** At the right of the title. */
  summary?: string;
  keys: readonly PanelKey[];
  columns: number;
  children: ReactNode;
}

/** What covers the chat: a rule with the title, the content, the keys. */
export function Panel({ title, summary = "", keys, columns, children }: PanelProps) {
  const head = usePlain() ? plainHead : headLine;
  return (
    <Box flexDirection="column" width={columns}>
      <Lines lines={[head(title, summary, columns)]} />
      {children}
      <Lines lines={[[], ...footLines(keys, columns)]} />
    </Box>
  );
}
