import { OpenedPanel } from "../../components/OpenedPanel.tsx";
import type { PanelScreen } from "./panelScreen.ts";

export function Opened({ columns, rows, state, folder, onClose }: PanelScreen) {
  const { shown, live } = state;
  return <OpenedPanel {...{ columns, rows, folder, live, onClose }} finished={shown} />;
}
