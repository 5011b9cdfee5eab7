import { lineHunks, type Hunk } from "./lineHunks.ts";

/**
 * Both changes of one text, line by line: what only `mine` or only `theirs` changed against `base` is taken, what both
 * changed in the same way, too. Undefined when they changed the same lines, or lines beside each other, differently.
 */
export function mergeLines(base: string, mine: string, theirs: string): string | undefined {
  const lines = linesOf(base);
  const changes = [lineHunks(lines, linesOf(mine)), lineHunks(lines, linesOf(theirs))] as const;
  const merged: string[] = [];
  let at = 0;
  for (const region of regionsOf(...changes)) {
    merged.push(...lines.slice(at, region.from));
    const [own, other] = changes.map((hunks) => within(lines, hunks, region));
    const taken =
      region.by === "both" ? (isSame(own, other) ? own : undefined) : region.by === "mine" ? own : other;
    if (!taken) return undefined;
    merged.push(...taken);
    at = region.to;
  }
  return [...merged, ...lines.slice(at)].join("");
}

/** Every line keeps its end, so that a last line without one differs from the same line with one. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

interface Region {
  from: number;
  to: number;
  by: "mine" | "theirs" | "both";
}

/** Stretches of the base that somebody changed. Hunks that touch are one stretch: nobody knows which of them comes first. */
function regionsOf(mine: readonly Hunk[], theirs: readonly Hunk[]): Region[] {
  const all: Region[] = [
    ...mine.map(({ from, to }): Region => ({ from, to, by: "mine" })),
    ...theirs.map(({ from, to }): Region => ({ from, to, by: "theirs" })),
  ];
  const regions: Region[] = [];
  for (const next of all.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = regions.at(-1);
    if (!last || next.from > last.to) {
      regions.push(next);
      continue;
    }
    const by = last.by === next.by ? last.by : "both";
    regions[regions.length - 1] = { from: last.from, to: Math.max(last.to, next.to), by };
  }
  return regions;
}

/** What one side made of a stretch of the base. */
function within(base: readonly string[], hunks: readonly Hunk[], { from, to }: Region): string[] {
  const lines: string[] = [];
  let at = from;
  for (const hunk of hunks) {
    if (hunk.from < from || hunk.to > to) continue;
    lines.push(...base.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
  }
  return [...lines, ...base.slice(at, to)];
}

const isSame = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);
