import { Text, useAnimation } from "ink";
import type { ReactNode } from "react";
import { useTheme } from "../theme.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** One column. Plain: it stands still, for screen readers and slow links. */
export function Spinner({ plain = false }: { plain?: boolean | undefined }): ReactNode {
  const theme = useTheme();
  const { frame } = useAnimation({ interval: 100, isActive: !plain });
  return <Text {...theme.accent}>{plain ? "…" : FRAMES[frame % FRAMES.length]}</Text>;
}
