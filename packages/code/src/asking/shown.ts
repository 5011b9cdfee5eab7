/** What of a request is on the screen. */
export interface View {
  /** The first row that is shown, how many are, and the last row that can be the first one shown. */
  top: number;
  page: number;
  lastTop: number;
  /** So many rows, from the first on, say what would run. */
  mustSee: number;
  /** Another width breaks the lines elsewhere: its rows are other rows. */
  width: number;
}

/** The rows of what would run that were on the screen so far. Seen whole at one width, it is seen at every width. */
export type Shown = "all" | { width: number | undefined; spans: readonly Span[] };

/** From this row up to, and without, that one. */
type Span = readonly [from: number, to: number];

export const NOTHING_SHOWN: Shown = { width: undefined, spans: [] };

export function withView(shown: Shown, { top, page, mustSee, width }: View): Shown {
  if (shown === "all") return shown;
  const before = shown.width === width ? shown.spans : [];
  const spans = joined([...before, [top, top + page]]);
  const isAll = spans.some(([from, to]) => from === 0 && to >= mustSee) || mustSee === 0;
  return isAll ? "all" : { width, spans };
}

/** The rows of what would run that were never on the screen; nothing when there are none. */
export function unseenIn(shown: Shown, view: View): { first: number; count: number } | undefined {
  const now = withView(shown, view);
  if (now === "all") return undefined;
  const [head] = now.spans;
  const seen = now.spans.reduce((sum, [from, to]) => sum + overlap(from, to, view.mustSee), 0);
  return { first: head && head[0] === 0 ? head[1] : 0, count: view.mustSee - seen };
}

const overlap = (from: number, to: number, end: number) => Math.max(0, Math.min(to, end) - from);

function joined(spans: readonly Span[]): Span[] {
  return [...spans]
    .sort(([a], [b]) => a - b)
    .reduce<Span[]>((done, [from, to]) => {
      const last = done.at(-1);
      if (!last || from > last[1]) return [...done, [from, to]];
      return [...done.slice(0, -1), [last[0], Math.max(last[1], to)]];
    }, []);
}
