import { useEffect, useState } from "react";
import { DoctorPanel } from "../../components/DoctorPanel.tsx";
import type { Finding } from "../../doctor/finding.ts";
import type { PanelScreen } from "./panelScreen.ts";

export function Doctor({ columns, rows, session: { examine }, onClose }: PanelScreen) {
  const [findings, setFindings] = useState<readonly Finding[] | "looking">("looking");
  useEffect(() => void examine().then(setFindings), [examine]);
  return <DoctorPanel {...{ columns, rows, findings, onClose }} />;
}
