import { usePaste } from "ink";
import type { SessionSummary } from "wave-agent-sdk";
import { bodyHeight, type PanelKey } from "../panels/frame.ts";
import { plural } from "../panels/hookWords.ts";
import { cutStart, say, wrapLine } from "../panels/lines.ts";
import { MARK_WIDTH, windowAround } from "../panels/listWindow.ts";
import {
  pressInSessions,
  searchFor,
  searchSessions,
  sessionItem,
  sessionItemHeight,
} from "../panels/sessionList.ts";
import type { Line } from "../view/span.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { SelectList } from "./SelectList.tsx";
import { usePanel } from "./usePanel.ts";

export interface SessionPickerProps {
  /** Newest first; "loading" until the folder has been read. */
  sessions: readonly SessionSummary[] | "loading";
  /** Milliseconds since the epoch: "5 minutes ago" is counted from here. */
  now: number;
  columns: number;
  /** Lines the panel may take. */
  rows: number;
  onResume: (session: SessionSummary) => void;
  onClose: () => void;
}

export const SESSION_PICKER_KEYS: readonly PanelKey[] = [
  { keys: "↑↓", does: "choose" },
  { keys: "Enter", does: "resume" },
  { keys: "letters", does: "search" },
  { keys: "Esc", does: "clear the search, close" },
];

/** Earlier sessions of this folder. Typing narrows the list, Enter goes on with the chosen one. */
export function SessionPicker({ sessions, now, columns, rows, onResume, onClose }: SessionPickerProps) {
  const all = sessions === "loading" ? [] : sessions;
  const width = columns - MARK_WIDTH;
  const itemHeight = sessionItemHeight(width);
  const height = bodyHeight({ rows, columns, keys: SESSION_PICKER_KEYS }) - 1;
  const { to: page } = windowAround({ count: all.length, selected: 0, itemHeight, height });

  const [{ query, selected }, change] = usePanel(
    () => searchFor(""),
    (place, press) => {
      const { place: next, effect } = pressInSessions(place, press, { sessions: all, page });
      if (effect?.do === "resume") onResume(effect.session);
      if (effect?.do === "close") onClose();
      return next;
    },
  );
  usePaste((text) => change((place) => searchFor(place.query + text)));

  const found = searchSessions(all, query);
  return (
    <Panel title="Sessions" summary={summaryOf(sessions, found)} keys={SESSION_PICKER_KEYS} columns={columns}>
      <Lines lines={[queryLine(query, columns)]} />
      {found.length === 0 ? (
        <Lines lines={wrapLine([say("dim", whyEmpty(sessions))], columns)} />
      ) : (
        <SelectList
          items={found}
          keyOf={({ id }) => id}
          linesOf={(session) => sessionItem(session, { columns: width, now })}
          itemHeight={itemHeight}
          height={height}
          selected={Math.min(selected, found.length - 1)}
        />
      )}
    </Panel>
  );
}

const queryLine = (query: string, columns: number): Line => [
  say("dim", "Search: "),
  say("plain", cutStart(query, columns - 9)),
  say("accent", "▏"),
];

function whyEmpty(sessions: SessionPickerProps["sessions"]): string {
  if (sessions === "loading") return "Reading the sessions of this folder…";
  return sessions.length === 0 ? "There are no sessions in this folder yet." : "No session matches.";
}

function summaryOf(sessions: SessionPickerProps["sessions"], found: readonly SessionSummary[]): string {
  if (sessions === "loading") return "";
  if (found.length === sessions.length) return plural(sessions.length, "session");
  return `${found.length} of ${sessions.length}`;
}
