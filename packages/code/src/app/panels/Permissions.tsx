import { useEffect, useState } from "react";
import type { RecentDecisions } from "wave-agent-sdk";
import { PermissionsPanel } from "../../components/PermissionsPanel.tsx";
import type { PanelScreen } from "./panelScreen.ts";

export function Permissions({ columns, rows, session, folder, onClose }: PanelScreen) {
  const read = session.recentDecisions;
  const [recent, setRecent] = useState<RecentDecisions>();
  const [said, say] = useState<string>();
  // As it was opened: "5 minutes ago" need not move while somebody reads.
  const [now] = useState(() => Date.now());
  useEffect(() => {
    read().then(setRecent, (error: unknown) => {
      setRecent({ decisions: [], sessions: 0 });
      say(`The last sessions cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    });
  }, [read]);
  return (
    <PermissionsPanel
      {...{ columns, rows, folder, recent, said, now, onClose }}
      rules={session.rules()}
      files={session.ruleFiles()}
      onSay={say}
      onChange={(change) => {
        session.changeRule(change).then(
          () => say(change.to ? `${change.to.rule} is active now.` : `${change.from?.rule} is removed.`),
          (error: unknown) => say(error instanceof Error ? error.message : String(error)),
        );
      }}
    />
  );
}
