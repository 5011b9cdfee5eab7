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
 */
export function rankNames(typed: string, names: readonly string[], limit: number): Ranked[] {
  const wanted = typed.toLowerCase();
  const ranked: Ranked[] = [];
  for (const name of names) {
    const match = matchName(wanted, name.toLowerCase());
    if (match !== undefined) ranked.push({ name, match });
  }
  return ranked.sort(better).slice(0, limit);
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
