import type { PanelKey } from "../panels/frame.ts";
import { scrolled } from "../panels/scroll.ts";
import type { Line } from "../view/span.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";

export interface HookPageProps {
  title: string;
  asks: string;
  keys: readonly PanelKey[];
  /** Fitted to the width. */
  lines: readonly Line[];
  scrolledTo: number;
  /** Why a key did nothing. */
  note?: readonly Line[];
  columns: number;
  /** Lines for the text. */
  height: number;
}

/** A page to read: about one hook, one record, or one call. */
export function HookPage({
  title,
  asks,
  keys,
  lines,
  scrolledTo,
  note = [],
  columns,
  height,
}: HookPageProps) {
  return (
    <Panel asks={asks} title={title} keys={keys} columns={columns}>
      <Lines lines={scrolled(lines, scrolledTo, height)} />
      <Lines lines={note} />
    </Panel>
  );
}
