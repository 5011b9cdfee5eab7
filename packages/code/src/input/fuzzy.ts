/** How well a name answers what was typed; lower is better. */
export type Match = "prefix" | "substring" | "subsequence";

export const MATCH_ORDER: Record<Match, number> = { prefix: 0, substring: 1, subsequence: 2 };

export interface Ranked {
  readonly name: string;
  readonly match: Match;
}

/**
 * The best `limit` names for what was typed, without regard to case. A prefix beats a substring beats letters that
 * only come in this order; for paths the file's own name counts as a beginning, too. Among equals the shorter first,
 * then by name.
 *
 * Every key asks again, in projects of hundreds of thousands of files: all of them are never sorted, and most are passed over
 * by their length.
 */
export function rankNames(typed: string, names: readonly string[], limit: number): Ranked[] {
  if (limit <= 0) return [];
  const wanted = typed.toLowerCase();
  let best: Ranked[] = [];
  /** Who comes behind it is not among the best any more. */
  let last: Ranked | undefined;
  for (const name of names) {
    if (last?.match === "prefix" && name.length > last.name.length) continue;
    const match = matchName(wanted, name.toLowerCase());
    if (match === undefined || (last && better(last, { name, match }) <= 0)) continue;
    best.push({ name, match });
    if (best.length < 2 * limit) continue;
    best = best.sort(better).slice(0, limit);
    last = best.at(-1);
  }
  return best.sort(better).slice(0, limit);
}

function matchName(wanted: string, name: string): Match | undefined {
  if (name.startsWith(wanted) || name.startsWith(wanted, name.lastIndexOf("/") + 1)) return "prefix";
  if (name.includes(wanted)) return "substring";
  let at = -1;
  for (const letter of wanted) {
    at = name.indexOf(letter, at + 1);
    if (at === -1) return undefined;
  }
  return "subsequence";
}

function better(a: Ranked, b: Ranked): number {
  return (
    MATCH_ORDER[a.match] - MATCH_ORDER[b.match] ||
    a.name.length - b.name.length ||
    (a.name < b.name ? -1 : Number(a.name > b.name))
  );
}
