import { Box, Text, useAnimation } from "ink";
import type { ReactNode } from "react";
import type { ToolBlock } from "wave-agent-sdk";
import { useTheme } from "../theme.ts";
import type { Running } from "../view/items.ts";
import { SIGNS, summariseCall, type CallState } from "../view/toolLine.ts";
import { changeLines, foldedLines, headLines, liveLines } from "../view/toolLines.ts";
import { Lines } from "./Lines.tsx";
import { Spinner } from "./Spinner.tsx";

export interface ToolLineProps {
  block: ToolBlock;
  width: number;
  folder: string;
  running?: Running | undefined;
  plain?: boolean | undefined;
  /** The clock that `running.since` was read from. */
  now?: (() => number) | undefined;
}

/** A call: one line, what hooks changed, and below it what it does to a file, or why it failed. */
export function ToolLine(props: ToolLineProps): ReactNode {
  const { block, width, folder, running } = props;
  const call = summariseCall(block, folder);
  const elapsed = useElapsed(call.state === "running" ? props : {});
  const head = headLines(call.state === "running" ? { ...call, result: elapsed } : call, width - 2);
  const below = foldedLines(block, width);
  const live = call.state === "running" && running ? liveLines(running, width) : [];
  return (
    <Box flexDirection="column">
      <Box>
        <Box width={2} flexShrink={0}>
          <Sign state={call.state} plain={props.plain} />
        </Box>
        <Lines lines={head} />
      </Box>
      <Lines lines={[...changeLines(call, width), ...below, ...live]} />
    </Box>
  );
}

function Sign({ state, plain }: { state: CallState; plain?: boolean | undefined }): ReactNode {
  const theme = useTheme();
  if (state === "running") return <Spinner plain={plain} />;
  const { sign, tone } = SIGNS[state];
  return <Text {...theme[tone]}>{sign}</Text>;
}

/** Plain: a number that changes every second would be read aloud every second. */
function useElapsed({ running, plain, now = Date.now }: Partial<ToolLineProps>): string {
  const ticks = running !== undefined && !plain;
  useAnimation({ interval: 1000, isActive: ticks });
  if (plain) return "running";
  const seconds = running ? Math.floor((now() - running.since) / 1000) : 0;
  return seconds < 1 ? "" : `${seconds} s`;
}
