import { Box } from "ink";
import { say } from "../panels/lines.ts";
import { MARK_WIDTH, windowAround } from "../panels/listWindow.ts";
import { span, type Line } from "../view/span.ts";
import { Lines } from "./Lines.tsx";

export interface SelectListProps<Item> {
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** The lines of one item, fitted to the width less MARK_WIDTH; every item has `itemHeight` of them. */
  linesOf: (item: Item) => readonly Line[];
  itemHeight: number;
  /** Lines there are for the whole list. */
  height: number;
  selected: number;
}

const SELECTED = span("›", { tone: "accent", bold: true });

/** A list with one item marked. Which one, and what keys do, is the owner's to know. */
export function SelectList<Item>({
  items,
  keyOf,
  linesOf,
  itemHeight,
  height,
  selected,
}: SelectListProps<Item>) {
  const shown = windowAround({ count: items.length, selected, itemHeight, height });
  return (
    <Box flexDirection="column">
      {shown.above > 0 && <Lines lines={[[say("dim", `  ↑ ${shown.above} more`)]]} />}
      {items.slice(shown.from, shown.to).map((item, index) => (
        <Box key={keyOf(item)}>
          <Box width={MARK_WIDTH} flexShrink={0}>
            {shown.from + index === selected && <Lines lines={[[SELECTED]]} />}
          </Box>
          <Lines lines={linesOf(item)} />
        </Box>
      ))}
      {shown.below > 0 && <Lines lines={[[say("dim", `  ↓ ${shown.below} more`)]]} />}
    </Box>
  );
}
