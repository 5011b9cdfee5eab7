import { Box, Static } from "ink";
import { memo, useEffect } from "react";
import { BlockView } from "../components/BlockView.tsx";
import type { Item } from "../view/items.ts";
import type { SessionState } from "./sessionState.ts";

interface Look {
  width: number;
  folder: string;
  plain: boolean;
}

export interface PrintedProps extends Look {
  toPrint: SessionState["toPrint"];
  /** While a panel has the screen nothing is printed: what is finished meanwhile comes when it closes. */
  held: boolean;
  onPrinted: (batch: number, count: number) => void;
}

/** Finished things go once into the terminal's own scrollback. */
export const Printed = memo(
  function Printed({ toPrint: { batch, items }, onPrinted, held: _held, ...look }: PrintedProps) {
    useEffect(() => onPrinted(batch, items.length), [batch, items.length, onPrinted]);
    return (
      <Static key={batch} items={[...items]}>
        {(item) => <BlockView key={item.id} item={item} {...look} />}
      </Static>
    );
  },
  // The same element stays as it is: fewer items and then more again would be printed twice.
  (_before, now) => now.held,
);

export interface LiveProps extends Look {
  live: SessionState["live"];
  /** Rows for what is still changing: more would make the terminal jump. */
  maxRows: number;
}

/** Only what may still change is drawn again. */
export function Live({ live, ...look }: LiveProps) {
  // Where a question needs the room, its last rows are the ones to go.
  return (
    <Box flexDirection="column" overflow="hidden">
      <Box flexDirection="column" flexShrink={0}>
        {live
          .filter((item) => !look.plain || !streams(item))
          .map((item) => (
            <BlockView key={item.id} item={item} live {...look} />
          ))}
      </Box>
    </Box>
  );
}

/** Words that come one by one: plain, they are drawn when all of them are there, or they would be read aloud again and again. */
const streams = ({ role, block }: Item): boolean =>
  role === "assistant" && (block.type === "text" || block.type === "reasoning");
