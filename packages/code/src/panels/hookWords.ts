import type { HookCounts } from "./hookTally.ts";
import type { HookRow } from "./hookStats.ts";
import { fitLine, lineWidth, type Line, type Span } from "../view/span.ts";
import { cutStart, say, spread, type Meaning } from "./lines.ts";

/** Narrower than this, the facts of a hook stand below each other. */
const STACKED_BELOW = 60;

/** One hook in the list: the same number of lines for each, so that the list scrolls evenly. */
export function hookItem(row: HookRow, columns: number): Line[] {
  const name: Line = [mark(row), say("strong", row.name)];
  const when = `${row.event}${row.matcher === undefined ? "" : ` ${row.matcher}`}`;
  if (columns >= STACKED_BELOW) {
    const numbers = numbersOf(row);
    const place = cutStart(row.place, columns - lineWidth(numbers) - when.length - 6);
    // The name keeps at least half of the line, whatever there is to say.
    const room = Math.max(columns - lineWidth(name) - 1, Math.floor(columns / 2));
    return [
      spread(name, fitLine(lastOf(row), room), columns),
      spread([say("dim", `  ${when} · ${place}`)], numbers, columns),
    ];
  }
  return [
    spread(name, [], columns),
    spread([say("dim", `  ${when}`)], [], columns),
    spread([say("dim", `  ${cutStart(row.place, columns - 2)}`)], [], columns),
    spread([say("dim", "  "), ...numbersOf(row)], [], columns),
    spread([say("dim", "  "), ...lastOf(row)], [], columns),
  ];
}

export function hookItemHeight(columns: number): number {
  return columns >= STACKED_BELOW ? 2 : 5;
}

/** A shape for each state: it can be told without colours. */
function mark({ switch: { is } }: HookRow): Span {
  if (is === "on") return say("good", "● ");
  return is === "managed" ? say("good", "◆ ") : say("warn", "○ ");
}

export function stateWords({ switch: state }: HookRow): Span {
  switch (state.is) {
    case "on":
      return say("good", "on");
    case "managed":
      return say("good", "on, managed: it cannot be switched off");
    case "switched-off":
      return say("warn", "off for this session");
    case "off":
      return say("warn", `off: ${state.why}`);
  }
}

/** What it said last, after what went wrong; a hook that is off says nothing any more, so that is said instead. */
function lastOf(row: HookRow): Line {
  const { last } = row.counts;
  const isOff = row.switch.is === "switched-off" || row.switch.is === "off";
  const said = last && say(verdictMeaning(last.verdict), lastWords(last));
  const twin = row.shadowedBy === undefined ? [] : [say("warn", `same as ${row.shadowedBy}`)];
  const parts = [...troubleOf(row.counts), ...(isOff ? [stateWords(row)] : said ? [said] : twin)];
  return parts.flatMap((part, index) => (index === 0 ? [part] : [say("dim", " · "), part]));
}

/** Of an interrupted hook, both words would be the same. */
const lastWords = ({ verdict, ended }: { verdict: string; ended: string }): string =>
  verdict === "interrupted" ? verdictWords(verdict) : `${verdictWords(verdict)}, ${ended}`;

export function troubleOf({ failures, failedOpen }: HookCounts): Span[] {
  if (failures === 0) return [];
  const passed = failedOpen === 0 ? "" : `, ${failedOpen} let pass`;
  return [say("bad", `${plural(failures, "failure")}${passed}`)];
}

export function numbersOf({ counts, p50Ms, p95Ms }: HookRow): Span[] {
  if (counts.runs === 0) return [say("dim", "has not run")];
  const times =
    p50Ms === undefined || p95Ms === undefined ? "" : ` · p50 ${duration(p50Ms)} · p95 ${duration(p95Ms)}`;
  return [say("plain", plural(counts.runs, "run")), say("dim", times)];
}

const VERDICTS: Record<string, [words: string, meaning: Meaning]> = {
  none: ["no objection", "dim"],
  allow: ["said yes", "good"],
  ask: ["asked", "warn"],
  deny: ["said no", "bad"],
  halt: ["ended the turn", "bad"],
  "could not decide": ["could not decide", "bad"],
  interrupted: ["interrupted", "warn"],
};

export const verdictWords = (verdict: string): string => VERDICTS[verdict]?.[0] ?? verdict;
export const verdictMeaning = (verdict: string): Meaning => VERDICTS[verdict]?.[1] ?? "plain";

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Short enough for a column: "4 ms", "1.2 s", "3 min". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}
