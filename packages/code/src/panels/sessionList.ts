import type { SessionSummary } from "wave-agent-sdk";
import { plural } from "./hookWords.ts";
import type { Line } from "../view/span.ts";
import { say, spread } from "./lines.ts";
import { moved, type PanelPress } from "./press.ts";

/** The sessions whose first prompt or id has every word of the query, in any case and any order. */
export function searchSessions(sessions: readonly SessionSummary[], query: string): SessionSummary[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter(({ firstPrompt = "", id }) => {
    const text = `${firstPrompt} ${id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const STACKED_BELOW = 60;

export const sessionItemHeight = (columns: number): number => (columns < STACKED_BELOW ? 2 : 1);

/** One session in the picker: what it was about, how long it is and when it was used last. */
export function sessionItem(
  session: SessionSummary,
  { columns, now }: { columns: number; now: number },
): Line[] {
  const about =
    session.firstPrompt === undefined
      ? [say("dim", "(nothing was asked)")]
      : [say("plain", session.firstPrompt)];
  const size = `${session.counted === "head" ? "at least " : ""}${plural(session.messageCount, "message")}`;
  const facts = [say("dim", `${size} · ${ago(session.updatedAt, now)}`)];
  if (columns >= STACKED_BELOW) return [spread(about, facts, columns)];
  return [spread(about, [], columns), spread([say("dim", "  "), ...facts], [], columns)];
}

const UNITS: readonly [name: string, ms: number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

export function ago(then: number, now: number): string {
  const passed = now - then;
  for (const [name, ms] of UNITS) if (passed >= ms) return `${plural(Math.floor(passed / ms), name)} ago`;
  return "just now";
}

/** Where somebody is in the picker. */
export interface SessionsPlace {
  query: string;
  selected: number;
}

export type SessionsEffect = { do: "resume"; session: SessionSummary } | { do: "close" };

/** A new search begins at its first hit. */
export const searchFor = (text: string): SessionsPlace => ({
  query: text.replaceAll(/\s+/g, " ").trimStart(),
  selected: 0,
});

/** What a key does in the picker; a pure step, so that quick keys act on what the ones before them chose. */
export function pressInSessions(
  place: SessionsPlace,
  press: PanelPress,
  { sessions, page }: { sessions: readonly SessionSummary[]; page: number },
): { place: SessionsPlace; effect?: SessionsEffect } {
  const found = searchSessions(sessions, place.query);
  const to = moved(press, Math.min(place.selected, found.length - 1), { count: found.length, page });
  if (to !== undefined) return { place: { ...place, selected: to } };
  switch (press.key) {
    case "text":
      return { place: searchFor(place.query + press.text) };
    case "backspace":
      return { place: searchFor(Array.from(place.query).slice(0, -1).join("")) };
    case "esc":
      return place.query === "" ? { place, effect: { do: "close" } } : { place: searchFor("") };
    default: {
      const session = found[place.selected];
      return session ? { place, effect: { do: "resume", session } } : { place };
    }
  }
}
