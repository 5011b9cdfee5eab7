import type { Finding } from "../doctor/finding.ts";
import { doctorLines, doctorSummary } from "../panels/doctorLines.ts";
import { say } from "../panels/lines.ts";
import { ReadingPanel } from "./ReadingPanel.tsx";

export interface DoctorPanelProps {
  findings: readonly Finding[] | "looking";
  columns: number;
  /** Lines the panel may take. */
  rows: number;
  onClose: () => void;
}

/** What `wave doctor` prints, on the screen. */
export function DoctorPanel({ findings, columns, rows, onClose }: DoctorPanelProps) {
  const place = { columns, height: rows, onClose, name: "doctor", title: "Doctor" } as const;
  return findings === "looking" ? (
    <ReadingPanel {...place} summary="" lines={LOOKING} />
  ) : (
    <ReadingPanel {...place} summary={doctorSummary(findings)} lines={doctorLines(findings, columns)} />
  );
}

const LOOKING = [[say("dim", "looking, the model server has 5 seconds to answer …")]];
