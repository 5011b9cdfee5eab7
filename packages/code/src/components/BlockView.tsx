import { Box } from "ink";
import { memo, type ReactNode } from "react";
import type { Item } from "../view/items.ts";
import { noticeOf } from "../view/notice.ts";
import { imageLine, markLine, promptLines, reasoningLines } from "../view/spoken.ts";
import { welcomeLines } from "../view/welcome.ts";
import { Lines } from "./Lines.tsx";
import { Markdown } from "./Markdown.tsx";
import { NoticeLine } from "./NoticeLine.tsx";
import { isTypedCommand } from "../view/shellLines.ts";
import { ShellLine } from "./ShellLine.tsx";
import { summaryLines } from "../view/summary.ts";
import { ToolLine } from "./ToolLine.tsx";

export interface BlockViewProps {
  item: Item;
  /** Columns there are. */
  width: number;
  /** The project: paths below it are shown without it. */
  folder: string;
  /** It may still change. */
  live?: boolean | undefined;
  /** Nothing moves by itself. */
  plain?: boolean | undefined;
  /** A live text is drawn with at most this many rows. */
  maxRows?: number | undefined;
}

/** One block of the conversation, or one notice, with the air above it. */
export const BlockView = memo(function BlockView(props: BlockViewProps): ReactNode {
  return (
    <Box flexDirection="column" marginTop={props.item.spaced ? 1 : 0}>
      <Content {...props} />
    </Box>
  );
});

function Content({ item, width, folder, live, plain, maxRows }: BlockViewProps): ReactNode {
  const { block } = item;
  const notice = noticeOf(item, folder);
  if (notice) return <NoticeLine notice={notice} width={width} />;
  switch (block.type) {
    case "text":
      if (item.role === "user") return <Lines lines={promptLines(block.content, { width, open: false })} />;
      return <Markdown text={block.content} width={width} streaming={live} maxRows={maxRows} />;
    case "reasoning": {
      const form = live ? "streaming" : "folded";
      return <Lines lines={reasoningLines(block.content, { width, form })} />;
    }
    case "tool":
      if (isTypedCommand(item.role, block))
        return <ShellLine {...{ block, width, folder, maxRows }} running={item.running} />;
      return <ToolLine block={block} width={width} folder={folder} running={item.running} plain={plain} />;
    case "summary":
      return <Lines lines={summaryLines(block, { width, open: false })} />;
    case "mark":
      return <Lines lines={[markLine(block.content, width)]} />;
    case "image":
      return <Lines lines={[imageLine(block, { width, folder })]} />;
    case "welcome":
      return <Lines lines={welcomeLines(block.facts, width)} />;
    default:
      // The rest are notices.
      return null;
  }
}
