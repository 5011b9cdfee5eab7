import { basename } from "node:path";
import type { SessionHit, SessionSummary, SkippedSession } from "wave-agent-sdk";
import { sizeOf } from "../utils/sizeOf.ts";
import { plural } from "./hookWords.ts";
import type { Line } from "../view/span.ts";
import { beganAt, localMinute } from "../utils/localTime.ts";
import { cut, say, spread, wrapLine } from "./lines.ts";

/** The sessions whose name, first prompt or id has every word of the query, in any case and any order. */
export function searchSessions(sessions: readonly SessionSummary[], query: string): SessionSummary[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter(({ name = "", firstPrompt = "", id }) => {
    const text = `${name} ${firstPrompt} ${id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** A session in which nothing was said and that nobody named has nothing to go on with. */
export const isWorthListing = ({ name, firstPrompt, messageCount, counted }: SessionSummary): boolean =>
  name !== undefined || firstPrompt !== undefined || messageCount > 0 || counted === "head";

/** What is said of those that are left out. */
export const emptyNotShown = (count: number): string => `${plural(count, "empty session")} not shown`;

/** About those that cannot be read: the first by name. */
export function skippedLines(skipped: readonly SkippedSession[], columns: number): Line[] {
  const [first] = skipped;
  if (!first) return [];
  const others = skipped.length === 1 ? "" : ` (and ${skipped.length - 1} more: wave sessions list)`;
  return wrapLine([say("warn", `skipped ${basename(first.file)}: ${first.why}${others}`)], columns);
}

/** What sets a session apart from others that look like it: it is a copy, or another Wave has it open. */
export function marksOf(
  { id, parent }: SessionSummary,
  { sessions, open }: { sessions: readonly SessionSummary[]; open: ReadonlySet<string> },
): string[] {
  const original = sessions.find((one) => one.id === parent);
  const name = original?.name;
  const began = parent === undefined ? undefined : beganAt(parent);
  const of = name === undefined ? began && `the one of ${localMinute(began)}` : cut(name, 24);
  return [
    ...(open.has(id) ? ["open elsewhere"] : []),
    ...(parent === undefined ? [] : [`copy of ${of ?? "another"}`]),
  ];
}

/** A session of the list, and the line in which a text was found that was looked for in it. */
export interface ListedSession {
  session: SessionSummary;
  hit?: Pick<SessionHit, "by" | "line">;
}

/** The text that is looked for inside the sessions; undefined while only names and first prompts are searched. */
export const textSearch = (query: string): string | undefined =>
  query.startsWith(INSIDE) ? query.slice(INSIDE.length).trim() : undefined;

/** At the beginning of a search: look into the sessions. */
const INSIDE = "/";

/** What the picker shows for a query; `hits` are those of a text search, as far as it has come. */
export function listed(
  sessions: readonly SessionSummary[],
  query: string,
  hits: readonly SessionHit[],
): ListedSession[] {
  if (textSearch(query) === undefined) return searchSessions(sessions, query).map((session) => ({ session }));
  const known = new Map(sessions.map((session) => [session.id, session]));
  return hits.flatMap(({ id, by, line }) => {
    const session = known.get(id);
    return session ? [{ session, hit: { by, line } }] : [];
  });
}

const STACKED_BELOW = 60;

export const sessionItemHeight = (columns: number, query: string): number =>
  (columns < STACKED_BELOW ? 2 : 1) + (textSearch(query) === undefined ? 0 : 1);

/** One session in the picker: what it was about, how long it is and when it was used last; below it what was found in it. */
export function sessionItem({ session, hit }: ListedSession, look: Look): Line[] {
  const { columns } = look;
  const found = hit ? [spread([say("dim", `  ${hit.by}: `), say("plain", hit.line)], [], columns)] : [];
  return [...sessionLines(session, look), ...found];
}

interface Look {
  columns: number;
  now: number;
  /** See `marksOf`. */
  marks?: readonly string[];
}

function sessionLines(session: SessionSummary, { columns, now, marks = [] }: Look): Line[] {
  const prompt =
    session.firstPrompt === undefined
      ? say("dim", "(nothing was asked)")
      : say(session.name === undefined ? "plain" : "dim", session.firstPrompt);
  const about =
    session.name === undefined ? [prompt] : [say("strong", session.name), say("dim", "  "), prompt];
  const facts = [
    ...marks.map((mark) => say("warn", `${mark} · `)),
    say("dim", `${lengthOf(session)} · ${ago(session.updatedAt, now)}`),
  ];
  if (columns >= STACKED_BELOW) return [spread(about, facts, columns)];
  return [spread(about, [], columns), spread([say("dim", "  "), ...facts], [], columns)];
}

/** How long a session is. Of a long one only the beginning is counted; then the size of its file tells how much more there is. */
export function lengthOf({
  counted,
  messageCount,
  bytes,
}: Pick<SessionSummary, "counted" | "messageCount" | "bytes">): string {
  if (counted === "all") return plural(messageCount, "message");
  return messageCount === 0 ? sizeOf(bytes) : `at least ${plural(messageCount, "message")}, ${sizeOf(bytes)}`;
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
