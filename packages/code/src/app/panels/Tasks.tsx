import { TasksPanel } from "../../components/TasksPanel.tsx";
import { usePlain } from "../../theme.ts";
import { useNow } from "../useNow.ts";
import type { PanelScreen } from "./panelScreen.ts";

/** Newest first: that is the one somebody wants to look at. */
export function Tasks({ columns, rows, session, onClose }: PanelScreen) {
  // Plain: nothing changes by itself, and a key shows what has.
  const now = useNow(!usePlain());
  return (
    <TasksPanel
      {...{ columns, rows, now, onClose }}
      tasks={session.backgroundTasks().toReversed()}
      onEnd={(id) => void session.endBackgroundTask(id)}
    />
  );
}
