import { bodyHeight, type PanelKey } from "../panels/frame.ts";
import { helpLines, type HelpRow } from "../panels/help.ts";
import { closes } from "../panels/press.ts";
import { scrolled, scrollTo } from "../panels/scroll.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { usePanel } from "./usePanel.ts";

export interface HelpPanelProps {
  /** The key table. */
  rows: readonly HelpRow[];
  columns: number;
  /** Lines the panel may take. */
  height: number;
  onClose: () => void;
}

const KEYS: readonly PanelKey[] = [
  { keys: "↑↓", does: "scroll" },
  { keys: "Esc", does: "close" },
];

/** Keys and commands, printed from the table that carries them out. */
export function HelpPanel({ rows, columns, height, onClose }: HelpPanelProps) {
  const lines = helpLines(rows, columns);
  const room = bodyHeight({ rows: height, columns, keys: KEYS });
  const [from] = usePanel(
    () => 0,
    (now, press) => {
      if (closes(press)) onClose();
      return scrollTo(press, now, lines.length, room);
    },
  );
  return (
    <Panel title="Help" keys={KEYS} columns={columns}>
      <Lines lines={scrolled(lines, from, room)} />
    </Panel>
  );
}
