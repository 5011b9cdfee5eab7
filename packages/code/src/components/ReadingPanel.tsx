import { bodyHeight, type PanelKey } from "../panels/frame.ts";
import { closes } from "../panels/press.ts";
import { scrolled, scrollTo } from "../panels/scroll.ts";
import type { Line } from "../view/span.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { usePanel } from "./usePanel.ts";

export interface ReadingPanelProps {
  title: string;
  summary?: string;
  lines: readonly Line[];
  columns: number;
  /** Lines the panel may take. */
  height: number;
  onClose: () => void;
}

const KEYS: readonly PanelKey[] = [
  { keys: "↑↓", does: "scroll" },
  { keys: "Esc", does: "close" },
];

/** Lines to be read, and nothing to be done about them. */
export function ReadingPanel({ title, summary, lines, columns, height, onClose }: ReadingPanelProps) {
  const room = bodyHeight({ rows: height, columns, keys: KEYS });
  const [from] = usePanel(
    () => 0,
    (now, press) => {
      if (closes(press)) onClose();
      return scrollTo(press, now, lines.length, room);
    },
  );
  return (
    <Panel title={title} keys={KEYS} columns={columns} {...(summary === undefined ? {} : { summary })}>
      <Lines lines={scrolled(lines, from, room)} />
    </Panel>
  );
}
