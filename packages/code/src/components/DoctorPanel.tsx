import type { Finding } from "../doctor/finding.ts";
import { doctorLines, doctorSummary } from "../panels/doctorLines.ts";
import { bodyHeight, type PanelKey } from "../panels/frame.ts";
import { say } from "../panels/lines.ts";
import { closes } from "../panels/press.ts";
import { scrolled, scrollTo } from "../panels/scroll.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { usePanel } from "./usePanel.ts";

export interface DoctorPanelProps {
  findings: readonly Finding[] | "looking";
  columns: number;
  /** Lines the panel may take. */
  rows: number;
  onClose: () => void;
}

const KEYS: readonly PanelKey[] = [
  { keys: "↑↓", does: "scroll" },
  { keys: "Esc", does: "close" },
];

/** What `wave doctor` prints, on the screen. */
export function DoctorPanel({ findings, columns, rows, onClose }: DoctorPanelProps) {
  const lines =
    findings === "looking"
      ? [[say("dim", "looking, the model server has 5 seconds to answer …")]]
      : doctorLines(findings, columns);
  const summary = findings === "looking" ? "" : doctorSummary(findings);
  const room = bodyHeight({ rows, columns, keys: KEYS });
  const [from] = usePanel(
    () => 0,
    (now, press) => {
      if (closes(press)) onClose();
      return scrollTo(press, now, lines.length, room);
    },
  );
  return (
    <Panel title="Doctor" summary={summary} keys={KEYS} columns={columns}>
      <Lines lines={scrolled(lines, from, room)} />
    </Panel>
  );
}
