import { useEffect, useState } from "react";
import type { HeldSession, SessionSummary, SkippedSession } from "wave-agent-sdk";
import type { ChosenSession, RefusedSession } from "../panels/refusedSession.ts";
import { isWorthListing } from "../panels/sessionList.ts";
import { RefusedSessionPanel } from "./RefusedSessionPanel.tsx";
import { SessionPicker, type SessionPickerProps } from "./SessionPicker.tsx";

export interface SessionSources {
  listSessions: () => Promise<SessionSummary[]>;
  /** Those that cannot be read. */
  skippedSessions: () => readonly SkippedSession[];
  searchTexts: SessionPickerProps["searchTexts"];
  /** Who has it open at this moment. */
  sessionHolder: (session: SessionSummary) => HeldSession | undefined;
}

export interface SessionChooserProps {
  columns: number;
  rows: number;
  sources: SessionSources;
  /** What the list is searched for at first. */
  query?: string;
  /** One that was wanted and could not be opened: that is said first. */
  refused?: RefusedSession;
  onChoose: (session: ChosenSession) => void;
  onClose: () => void;
  /** Ctrl-C, whenever it comes, where there is no session that it could close the list to. */
  onCancel?: (() => void) | undefined;
}

/** The list of earlier sessions. One that another Wave has open is not lost on the way: it can be copied, or another is chosen. */
export function SessionChooser({ sources, query, onChoose, onClose, ...props }: SessionChooserProps) {
  const { columns, rows } = props;
  const [refused, setRefused] = useState(props.refused);
  const [sessions, setSessions] = useState<readonly SessionSummary[] | "loading">("loading");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [leftOut, setLeftOut] = useState(0);
  const [problem, setProblem] = useState<string>();
  const [skipped, setSkipped] = useState<readonly SkippedSession[]>([]);
  const { listSessions, skippedSessions, searchTexts, sessionHolder } = sources;
  useEffect(() => {
    const show = (all: readonly SessionSummary[]) => {
      const shown = all.filter(isWorthListing);
      setOpen(new Set(shown.filter((one) => sessionHolder(one)).map(({ id }) => id)));
      setLeftOut(all.length - shown.length);
      setSkipped(skippedSessions());
      setSessions(shown);
    };
    // A folder that cannot be read is no reason to end: the list is empty, and says why.
    listSessions()
      .then(show)
      .catch((error: unknown) => {
        setProblem(error instanceof Error ? error.message : String(error));
        setSessions([]);
      });
  }, [listSessions, skippedSessions, sessionHolder]);
  if (refused) {
    return (
      <RefusedSessionPanel
        {...{ refused, columns, onChoose, onClose }}
        came={props.refused === refused ? "by-itself" : "opened"}
        onCancel={props.onCancel}
        onChooseAnother={() => setRefused(undefined)}
      />
    );
  }
  return (
    <SessionPicker
      {...{ sessions, problem, open, leftOut, skipped, searchTexts, columns, rows, onClose }}
      query={query ?? ""}
      now={Date.now()}
      onResume={(session) => {
        const held = sessionHolder(session);
        if (held) setRefused({ because: "held", held });
        else onChoose({ id: session.id, as: "itself" });
      }}
    />
  );
}
