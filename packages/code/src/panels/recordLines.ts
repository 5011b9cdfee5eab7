import type { DecisionRecord, TimedDecision } from "wave-agent-sdk";
import { guardStory } from "../commands/hooks/story.ts";
import { localTime } from "../utils/localTime.ts";
import { shortenPaths } from "../utils/shortPath.ts";
import type { Line } from "../view/span.ts";
import { fact, quoted, title } from "./facts.ts";
import { OUTCOMES } from "./history.ts";
import { duration, plural, verdictMeaning, verdictWords } from "./hookWords.ts";
import { say, wrapLine, type Meaning } from "./lines.ts";

interface Page {
  columns: number;
  /** Paths below it are shown without it. */
  folder: string;
}

/** The full record of one event: what went in, what each hook said, who decided. */
export function recordLines(record: TimedDecision, page: Page): Line[] {
  const { columns } = page;
  const { words, meaning } = OUTCOMES[record.decision];
  const { toolName, toolUseId, reason } = record;
  return [
    title(toolName === undefined ? record.event : `${record.event} for ${toolName}`),
    ...fact(columns, "when", say("plain", localTime(record.ts))),
    ...(toolUseId === undefined ? [] : fact(columns, "call", say("plain", toolUseId))),
    ...(record.agentId === undefined
      ? []
      : fact(columns, "sub-agent", say("plain", `${record.agentType} (${record.agentId})`))),
    ...fact(columns, "came out", say(meaning, words)),
    ...fact(columns, "decided by", say("plain", record.decidedBy)),
    ...fact(columns, "mode", say("plain", record.mode)),
    ...(reason === undefined ? [] : fact(columns, "reason", say("plain", reason))),
    ...fact(columns, "took", say("plain", duration(record.durationMs))),
    ...wentIn(record, columns),
    [],
    title(record.hooks.length === 0 ? "No hook ran" : "What each hook said"),
    ...record.hooks.flatMap((entry) => entryLines(entry, page)),
    ...earlierLines(record, page),
    ...guardLines(record, page),
    ...skippedLines(record, page),
    ...ruleLines(record, page),
  ].flatMap((line) => wrapLine(line, columns));
}

function wentIn(record: TimedDecision, columns: number): Line[] {
  const { inputHash, finalInputHash, inputPreview, finalInputPreview, promptHash, promptLength } = record;
  const quote = (meaning: Meaning, text: string | undefined) =>
    text === undefined ? [] : quoted({ columns, indent: 2, meaning, text });
  const hash = (value: string | undefined) =>
    value === undefined ? [] : fact(columns, "sha-256", say("dim", value));
  const size = promptLength === undefined ? [] : fact(columns, "prompt", say("plain", notKept(promptLength)));
  const input = [...quote("plain", inputPreview), ...hash(inputHash), ...size, ...hash(promptHash)];
  const changed = finalInputHash !== undefined && finalInputHash !== inputHash;
  return [
    ...(input.length === 0 ? [] : [[], title("What went in"), ...input]),
    ...(changed
      ? [[], title("What hooks made of it"), ...quote("warn", finalInputPreview), ...hash(finalInputHash)]
      : []),
  ];
}

const notKept = (length: number) => `${plural(length, "character")}; the text itself is not kept here`;

type HookEntry = DecisionRecord["hooks"][number];

function entryLines(entry: HookEntry, { columns, folder }: Page): Line[] {
  const note = (meaning: Meaning, text: string | undefined) =>
    text === undefined ? [] : quoted({ columns, indent: 4, meaning, text });
  return [
    [
      say("plain", `  ${entry.name}${entry.pass > 1 ? ", second look" : ""}: `),
      say(verdictMeaning(entry.verdict), verdictWords(entry.verdict)),
    ],
    [say("dim", `    ${shortenPaths(entry.source, folder)}`)],
    [say("dim", `    ${entry.ended} after ${Math.round(entry.durationMs)} ms, ${printed(entry)}`)],
    ...note("plain", entry.reason),
    ...note("dim", entry.stderr),
    ...note("bad", entry.failure),
    ...note("bad", entry.failedOpen === true ? "it held nothing back: its onError says continue" : undefined),
    ...note("warn", rewritten(entry)),
    ...note("bad", entry.rewriteRefused && `it ${entry.rewriteRefused}`),
    ...note("warn", unknown(entry)),
    ...note("warn", entry.doubts),
  ];
}

function printed({ stdoutBytes, stderrBytes, cutBytes }: HookEntry): string {
  if (stdoutBytes + stderrBytes === 0) return "printed nothing";
  const cut = cutBytes === undefined ? "" : `, ${cutBytes} more were not kept`;
  return `printed ${plural(stdoutBytes, "byte")} on stdout and ${stderrBytes} on stderr${cut}`;
}

const rewritten = ({ rewrote, rewriteTaken }: HookEntry): string | undefined =>
  rewrote && `changed ${rewrote.join(", ")}${rewriteTaken === false ? ", but not all of it stayed" : ""}`;

const unknown = ({ unknownFields }: HookEntry): string | undefined =>
  unknownFields && `fields Wave does not know: ${unknownFields.join(", ")}`;

function earlierLines({ earlier = [] }: TimedDecision, page: Page): Line[] {
  if (earlier.length === 0) return [];
  return [
    [],
    title("Before, until they were asked again"),
    ...earlier.flatMap((entry) => entryLines(entry, page)),
  ];
}

function guardLines({ brokenGuards = [] }: TimedDecision, { folder }: Page): Line[] {
  if (brokenGuards.length === 0) return [];
  const lines = brokenGuards.map((guard): Line => [
    say("warn", `  ${shortenPaths(guardStory(guard), folder)}`),
  ]);
  return [[], title("What a person did about hooks that failed"), ...lines];
}

function skippedLines({ skipped }: TimedDecision, { folder }: Page): Line[] {
  if (skipped.length === 0) return [];
  const lines = skipped.map(({ name, source, why }): Line => [
    say("plain", `  ${name}: ${why}`),
    say("dim", ` (${shortenPaths(source, folder)})`),
  ]);
  return [[], title("Hooks that did not run"), ...lines];
}

function ruleLines({ rules = [] }: TimedDecision, { folder }: Page): Line[] {
  if (rules.length === 0) return [];
  const lines = rules.map(({ rule, behavior, source }): Line => [
    say("plain", `  ${behavior} ${rule}`),
    say("dim", ` (${shortenPaths(source, folder)})`),
  ]);
  return [[], title("Rules that matched"), ...lines];
}
