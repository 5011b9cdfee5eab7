import type { CoverName } from "../keyboard/covers.ts";
import { bodyHeight, type PanelKey } from "../panels/frame.ts";
import { closes } from "../panels/press.ts";
import { scrolled, scrollTo } from "../panels/scroll.ts";
import type { Line } from "../view/span.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { usePanel } from "./usePanel.ts";

export interface ReadingPanelProps {
  name: CoverName;
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
export function ReadingPanel({ name, title, summary, lines, columns, height, onClose }: ReadingPanelProps) {
  const room = bodyHeight({ rows: height, columns, keys: KEYS });
  const [from, , asks] = usePanel({
    name,
    first: () => 0,
    press: (now, press) =>
      closes(press) ? { now, effect: { do: "close" } } : { now: scrollTo(press, now, lines.length, room) },
    carryOut: onClose,
  });
  return (
    <Panel
      asks={asks}
      title={title}
      keys={KEYS}
      columns={columns}
      {...(summary === undefined ? {} : { summary })}
    >
      <Lines lines={scrolled(lines, from, room)} />
    </Panel>
  );
}
