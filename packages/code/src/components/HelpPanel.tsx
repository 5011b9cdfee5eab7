import { helpLines, type HelpRow } from "../panels/help.ts";
import { ReadingPanel } from "./ReadingPanel.tsx";

export interface HelpPanelProps {
  /** The key table. */
  rows: readonly HelpRow[];
  columns: number;
  /** Lines the panel may take. */
  height: number;
  onClose: () => void;
}

/** Keys and commands, printed from the table that carries them out. */
export function HelpPanel({ rows, ...place }: HelpPanelProps) {
  return <ReadingPanel {...place} name="help" title="Help" lines={helpLines(rows, place.columns)} />;
}
