import type { PanelKey } from "../panels/frame.ts";
import type { HookRow } from "../panels/hookStats.ts";
import { hookItem, hookItemHeight } from "../panels/hookWords.ts";
import { say, wrapLine } from "../panels/lines.ts";
import { MARK_WIDTH } from "../panels/listWindow.ts";
import type { Line } from "../view/span.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { SelectList } from "./SelectList.tsx";

export interface HookListProps {
  hooks: readonly HookRow[];
  selected: number;
  /** What waits, and why a hook could not be switched. */
  note: readonly Line[];
  asks: string;
  keys: readonly PanelKey[];
  columns: number;
  /** Lines for the list. */
  height: number;
}

/** Every hook of the session in declared order, with what it did so far. */
export function HookList({ hooks, selected, note, asks, keys, columns, height }: HookListProps) {
  const width = columns - MARK_WIDTH;
  return (
    <Panel asks={asks} title="Hooks" summary={countsOf(hooks)} keys={keys} columns={columns}>
      {hooks.length === 0 ? (
        <Lines lines={wrapLine([say("dim", NONE)], columns)} />
      ) : (
        <SelectList
          items={hooks}
          keyOf={({ id }) => id}
          linesOf={(row) => hookItem(row, width)}
          itemHeight={hookItemHeight(width)}
          height={height}
          selected={selected}
        />
      )}
      <Lines lines={note} />
    </Panel>
  );
}

const NONE = "No hooks are configured. Write them into .wave/settings.json; wave demo shows some at work.";

function countsOf(hooks: readonly HookRow[]): string {
  const off = hooks.filter(({ switch: { is } }) => is === "off" || is === "switched-off").length;
  return off === 0 ? `${hooks.length} on` : `${hooks.length - off} on, ${off} off`;
}
