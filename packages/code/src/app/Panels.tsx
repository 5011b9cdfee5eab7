import { useEffect, useState } from "react";
import type { SessionSummary } from "wave-agent-sdk";
import { HelpPanel } from "../components/HelpPanel.tsx";
import { HooksPanel } from "../components/HooksPanel.tsx";
import { SessionPicker } from "../components/SessionPicker.tsx";
import { keyHelp } from "../input/keys.ts";
import type { AppProps } from "./App.tsx";
import type { Overlay } from "./overlay.ts";
import type { SessionState } from "./sessionController.ts";
import { SLASH_COMMANDS } from "./slashCommands.ts";

interface PanelsProps extends AppProps {
  overlay: Overlay;
  state: SessionState;
  columns: number;
  rows: number;
  onClose: () => void;
}

/** What covers the chat, if anything does. */
export function Panels({ overlay, state, columns, rows, onClose, session, ...props }: PanelsProps) {
  const size = { columns, rows };
  switch (overlay.show) {
    case "chat":
      return undefined;
    case "help":
      return <HelpPanel rows={HELP} columns={columns} height={rows} onClose={onClose} />;
    case "hooks":
      return (
        <HooksPanel
          {...size}
          hooks={session.hooks()}
          stats={state.hookTally}
          history={state.decisions}
          folder={props.folder}
          openAt={overlay.view}
          onSwitch={session.switchHook}
          onClose={onClose}
        />
      );
    case "sessions":
      return (
        <Sessions
          {...size}
          list={session.listSessions}
          onClose={onClose}
          onResume={({ id }) => props.onLeave({ to: "session", id })}
        />
      );
  }
}

function Sessions(props: {
  columns: number;
  rows: number;
  list: () => Promise<SessionSummary[]>;
  onResume: (session: SessionSummary) => void;
  onClose: () => void;
}) {
  const { list, ...rest } = props;
  const [sessions, setSessions] = useState<readonly SessionSummary[] | "loading">("loading");
  useEffect(() => void list().then(setSessions), [list]);
  return <SessionPicker {...rest} sessions={sessions} now={Date.now()} />;
}

const HELP = [
  ...keyHelp(),
  ...Object.entries(SLASH_COMMANDS).map(([name, { does }]) => ({
    keys: `/${name}`,
    does,
    where: "Commands",
  })),
];
