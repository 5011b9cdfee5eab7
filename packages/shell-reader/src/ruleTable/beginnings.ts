import { isLocalAddress } from "./localAddress.ts";
import type { ProgramRow } from "./row.ts";
import { rowOf } from "./table.ts";

/** Where the command begins that a program is told to run, such as `tsc` in `npx tsc`; undefined where there is none with a row. */
export function launchedAt(row: ProgramRow, words: readonly (string | undefined)[]): number | undefined {
  const starts = row.launches
    .filter((launch) => launch.every((word, at) => words[at + 1] === word))
    .map((launch) => launch.length + 1)
    .filter((at) => {
      const launched = rowOf(words[at]);
      return launched !== undefined && launched.rules.length + launched.launches.length > 0;
    });
  return starts.toSorted((one, other) => other - one)[0];
}

/**
 * The texts of useful rules for a command with other arguments, the narrowest first: this subcommand, this program. Empty for a
 * program that is in no row.
 */
export function usefulRules(words: readonly string[]): string[] {
  if (words[0] === "curl") return requestRule(words);
  // Options before a subcommand may be anything; in a rule only what needs no quotes reads well.
  const plain = words.findIndex((word) => !/^[\w@%+=:,./^-]+$/.test(word));
  return beginningsOf(words)
    .filter((length) => plain < 0 || length <= plain)
    .map((length) => `${words.slice(0, length).join(" ")}:*`);
}

/** How many words each of them has. */
function beginningsOf(words: readonly string[]): number[] {
  const row = rowOf(words[0]);
  if (!row) return [];
  const own = row.rules.flatMap((rule) => {
    const at = rule.length === 0 ? 1 : firstWord(row, words, rule[0]);
    return rule.every((matches, index) => matches(words[at + index] ?? "")) ? [at + rule.length] : [];
  });
  const at = launchedAt(row, words);
  const launched = at === undefined ? [] : beginningsOf(words.slice(at)).map((length) => at + length);
  const all = launched.length > 0 ? launched : own;
  return [...new Set(all)].toSorted((one, other) => other - one);
}

/** Options may stand before the subcommand: `mvn -q test`. They are part of the rule then. */
function firstWord(
  row: ProgramRow,
  words: readonly string[],
  first: ProgramRow["rules"][number][number] | undefined,
): number {
  let at = 1;
  while (words[at]?.startsWith("-") && !first?.(words[at] ?? ""))
    at += row.values.includes(words[at] ?? "") ? 2 : 1;
  return at;
}

/** `curl -s http://localhost:3000/x`: the same request to this machine, at any port and path. */
function requestRule(words: readonly string[]): string[] {
  const at = words.findIndex((word) => !word.startsWith("-") && /^https?:/.test(word));
  const [, origin, port] = /^(https?:\/\/[^/:]+)(:\d+)?\//.exec(`${words[at] ?? ""}/`) ?? [];
  if (origin === undefined || !isLocalAddress(words[at] ?? "")) return [];
  return [[...words.slice(0, at), `${origin}${port === undefined ? "" : ":*"}/*`].join(" ")];
}
