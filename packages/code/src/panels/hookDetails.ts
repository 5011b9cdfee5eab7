import { shadowWords } from "../commands/hooks/list.ts";
import type { Line } from "../view/span.ts";
import { fact, quoted, title } from "./facts.ts";
import type { HookRow } from "./hookStats.ts";
import { duration, plural, stateWords, troubleOf, verdictMeaning, verdictWords } from "./hookWords.ts";
import { say, wrapLine } from "./lines.ts";

/** Everything about one hook, from where it stands to what went wrong last. */
export function hookDetails(row: HookRow, columns: number): Line[] {
  const { counts } = row;
  const when = row.matcher === undefined ? `${row.event}, every time` : `${row.event} ${row.matcher}`;
  return [
    ...wrapLine(title(row.name), columns),
    ...fact(columns, "is", stateWords(row)),
    ...(row.description === undefined ? [] : fact(columns, "is for", say("plain", row.description))),
    ...fact(columns, "asked on", say("plain", when)),
    ...fact(columns, "from", say("plain", row.place)),
    ...fact(columns, "runs", say("plain", row.action)),
    ...(row.shadowedBy === undefined ? [] : fact(columns, "", say("warn", shadowWords(row.shadowedBy)))),
    ...fact(columns, "limit", say("plain", `${row.timeoutMs / 1_000} s; onError ${row.onError}`)),
    [],
    ...fact(
      columns,
      "so far",
      say("plain", row.counts.runs === 0 ? "has not run" : plural(row.counts.runs, "run")),
    ),
    ...fact(columns, "p50, p95", say("plain", timesOf(row))),
    ...fact(columns, "said no", say(counts.blocks > 0 ? "bad" : "plain", times(counts.blocks))),
    ...fact(columns, "asked you", say("plain", times(counts.asks))),
    ...fact(columns, "trouble", ...(counts.failures > 0 ? troubleOf(counts) : [say("plain", "none")])),
    ...lastLines(row, columns),
    ...(row.sharedBy > 1 ? [[], ...wrapLine([say("warn", sharedWords(row.sharedBy))], columns)] : []),
  ];
}

function lastLines({ counts: { last, lastFailure } }: HookRow, columns: number): Line[] {
  if (!last) return [];
  const said = say(verdictMeaning(last.verdict), verdictWords(last.verdict));
  const end = say("plain", `, ${last.ended} after ${Math.round(last.durationMs)} ms`);
  const { reason } = last;
  return [
    [],
    ...fact(columns, "last", said, end),
    ...(reason === undefined ? [] : quoted({ columns, indent: 12, meaning: "plain", text: reason })),
    ...(lastFailure === undefined ? [] : fact(columns, "went wrong", say("bad", lastFailure))),
  ];
}

const timesOf = ({ p50Ms, p95Ms }: HookRow): string =>
  p50Ms === undefined || p95Ms === undefined ? "not known yet" : `${duration(p50Ms)}, ${duration(p95Ms)}`;

const times = (count: number): string => (count === 0 ? "never" : plural(count, "time"));

const sharedWords = (count: number): string =>
  `${count} hooks have this event, name and line, so these numbers are of all of them together. Give them names to tell them apart.`;
