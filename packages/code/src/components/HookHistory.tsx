import type { TimedDecision } from "wave-agent-sdk";
import type { PanelKey } from "../panels/frame.ts";
import { historyItem, historyItemHeight, recordKey } from "../panels/history.ts";
import { plural } from "../panels/hookWords.ts";
import { say, wrapLine } from "../panels/lines.ts";
import { MARK_WIDTH } from "../panels/listWindow.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { SelectList } from "./SelectList.tsx";

export interface HookHistoryProps {
  /** Newest first. */
  records: readonly TimedDecision[];
  /** What is said when there are none. */
  nothing: string;
  selected: number;
  asks: string;
  keys: readonly PanelKey[];
  columns: number;
  /** Lines for the list. */
  height: number;
}

/** The last events at which hooks were asked, and what came of each. */
export function HookHistory({ records, nothing, selected, asks, keys, columns, height }: HookHistoryProps) {
  const width = columns - MARK_WIDTH;
  const today = new Date();
  const summary = plural(records.length, "event");
  return (
    <Panel asks={asks} title="Hook history" summary={summary} keys={keys} columns={columns}>
      {records.length === 0 ? (
        <Lines lines={wrapLine([say("dim", nothing)], columns)} />
      ) : (
        <SelectList
          items={records}
          keyOf={recordKey}
          linesOf={(record) => historyItem(record, width, today)}
          itemHeight={historyItemHeight(width)}
          height={height}
          selected={selected}
        />
      )}
    </Panel>
  );
}
