import type { SessionHit, SessionSummary, SkippedSession } from "wave-agent-sdk";
import { bodyHeight, type PanelKey } from "../panels/frame.ts";
import { plural } from "../panels/hookWords.ts";
import { cutStart, say, wrapLine } from "../panels/lines.ts";
import { MARK_WIDTH, windowAround } from "../panels/listWindow.ts";
import { pressInSearch, searchFor } from "../panels/searchList.ts";
import {
  emptyNotShown,
  listed,
  marksOf,
  sessionItem,
  sessionItemHeight,
  skippedLines,
  textSearch,
  type ListedSession,
} from "../panels/sessionList.ts";
import type { Line } from "../view/span.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { SelectList } from "./SelectList.tsx";
import { usePanel } from "./usePanel.ts";
import { useTextSearch, type TextHits } from "./useTextSearch.ts";

export interface SessionPickerProps {
  /** Newest first; "loading" until the folder has been read. */
  sessions: readonly SessionSummary[] | "loading";
  /** Why there are none. */
  problem?: string | undefined;
  /** Looks into the texts of the sessions; may be stopped. */
  searchTexts: (text: string, signal: AbortSignal) => AsyncIterable<SessionHit>;
  /** Ids of those that another Wave has open. */
  open?: ReadonlySet<string>;
  /** How many are not in the list, because nothing was said in them. */
  leftOut?: number;
  /** Those that cannot be read. */
  skipped?: readonly SkippedSession[];
  /** Milliseconds since the epoch: "5 minutes ago" is counted from here. */
  now: number;
  columns: number;
  /** Lines the panel may take. */
  rows: number;
  /** What it is searched for at first. */
  query?: string;
  onResume: (session: SessionSummary) => void;
  onClose: () => void;
}

export const SESSION_PICKER_KEYS: readonly PanelKey[] = [
  { keys: "↑↓", does: "choose" },
  { keys: "Enter", does: "resume" },
  { keys: "letters", does: "search" },
  { keys: "/text", does: "search inside" },
  { keys: "Esc", does: "clear the search, close" },
];

/** Earlier sessions of this folder. Typing narrows the list, `/` looks into the sessions, Enter goes on with the chosen one. */
export function SessionPicker(props: SessionPickerProps) {
  const { sessions, now, columns, rows, onResume, onClose, open = NONE } = props;
  const all = sessions === "loading" ? [] : sessions;
  const width = columns - MARK_WIDTH;
  const head = skippedLines(props.skipped ?? [], columns);
  const height = bodyHeight({ rows, columns, keys: SESSION_PICKER_KEYS }) - 1 - head.length;
  const [{ query, selected }, , asks] = usePanel({
    name: "sessions",
    first: () => searchFor(props.query ?? ""),
    press: (place, press) => {
      const { to: page } = windowAround({
        count: all.length,
        selected: 0,
        itemHeight: sessionItemHeight(width, place.query),
        height,
      });
      return pressInSearch(place, press, { find, page });
    },
    carryOut: (effect) => {
      if (effect.do === "choose") onResume(effect.item.session);
      else onClose();
    },
    asks: () => (sessions === "loading" ? "loading" : "listed"),
    letters: "are-typed",
    paste: (place, text) => searchFor(place.query + text),
  });
  const hitsOf = useTextSearch(props.searchTexts, textSearch(query));
  function find(asked: string): ListedSession[] {
    return listed(all, asked, hitsOf(textSearch(asked)).found);
  }

  const found = find(query);
  return (
    <Panel
      asks={asks}
      title="Sessions"
      summary={summaryOf(sessions, found, { leftOut: props.leftOut ?? 0, columns })}
      keys={SESSION_PICKER_KEYS}
      columns={columns}
    >
      <Lines lines={[...head, queryLine(query, columns)]} />
      {found.length === 0 ? (
        <Lines
          lines={wrapLine(
            [say("dim", props.problem ?? whyEmpty(sessions, hitsOf(textSearch(query)), query))],
            columns,
          )}
        />
      ) : (
        <SelectList
          items={found}
          keyOf={({ session }) => session.id}
          linesOf={(one) =>
            sessionItem(one, { columns: width, now, marks: marksOf(one.session, { sessions: all, open }) })
          }
          itemHeight={sessionItemHeight(width, query)}
          height={height}
          selected={Math.min(selected, found.length - 1)}
        />
      )}
    </Panel>
  );
}

const NONE: ReadonlySet<string> = new Set();

function queryLine(query: string, columns: number): Line {
  const inside = textSearch(query);
  const [label, typed] = inside === undefined ? ["Search: ", query] : ["Search inside: ", query.slice(1)];
  return [say("dim", label), say("plain", cutStart(typed, columns - label.length - 1)), say("accent", "▏")];
}

function whyEmpty(sessions: SessionPickerProps["sessions"], hits: TextHits, query: string): string {
  if (sessions === "loading") return "Reading the sessions of this folder…";
  if (sessions.length === 0) return "There are no other sessions in this folder yet.";
  const inside = textSearch(query);
  if (inside === "") return "Type what was said, called or answered.";
  if (inside !== undefined && hits.is === "searching") return "Looking into the sessions…";
  if (inside !== undefined && hits.is === "failed") return `The sessions cannot be searched: ${hits.why}.`;
  return "No session matches.";
}

function summaryOf(
  sessions: SessionPickerProps["sessions"],
  found: readonly ListedSession[],
  { leftOut, columns }: { leftOut: number; columns: number },
): string {
  if (sessions === "loading") return "";
  if (found.length < sessions.length) return `${found.length} of ${sessions.length}`;
  const there = plural(sessions.length, "session");
  if (leftOut === 0) return there;
  return columns < NARROW ? `${there}, ${leftOut} empty` : `${there} · ${emptyNotShown(leftOut)}`;
}

const NARROW = 60;
