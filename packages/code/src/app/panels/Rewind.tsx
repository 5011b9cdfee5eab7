import { useState } from "react";
import { RewindPanel } from "../../components/RewindPanel.tsx";
import { rewindTo } from "../goingBack.ts";
import type { PanelScreen } from "./panelScreen.ts";

/** The prompts are those of the moment in which it was opened: nothing is said while it is open. */
export function Rewind({ columns, rows, session, controller, onClose }: PanelScreen) {
  const [{ points, now }] = useState(() => ({ points: session.rewindPoints(), now: Date.now() }));
  return (
    <RewindPanel
      {...{ columns, rows, points, now, onClose }}
      planFor={session.planRewind}
      folder={session.folder}
      onRewind={(point, options) => void rewindTo(point, options, { session, controller })}
    />
  );
}
