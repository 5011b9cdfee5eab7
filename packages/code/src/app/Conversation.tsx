import { Box, Static } from "ink";
import { useEffect } from "react";
import { BlockView } from "../components/BlockView.tsx";
import type { SessionState } from "./sessionState.ts";

export interface ConversationProps {
  toPrint: SessionState["toPrint"];
  live: SessionState["live"];
  width: number;
  /** Rows for what is still changing: more would make the terminal jump. */
  maxRows: number;
  folder: string;
  open: boolean;
  plain: boolean;
  onPrinted: (batch: number, count: number) => void;
}

/** Finished things go once into the terminal's own scrollback; only what may still change is drawn again. */
export function Conversation({ toPrint, live, onPrinted, maxRows, ...look }: ConversationProps) {
  const { batch, items } = toPrint;
  useEffect(() => onPrinted(batch, items.length), [batch, items.length, onPrinted]);
  return (
    <>
      <Static key={batch} items={[...items]}>
        {(item) => <BlockView key={item.id} item={item} {...look} />}
      </Static>
      <Box flexDirection="column">
        {live.map((item) => (
          <BlockView key={item.id} item={item} live maxRows={maxRows} {...look} />
        ))}
      </Box>
    </>
  );
}
