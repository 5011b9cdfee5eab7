/** Columns that the mark of the selected item takes. */
export const MARK_WIDTH = 2;

/** Which items of a list are drawn. `above` and `below` are how many are not. */
export interface ListWindow {
  from: number;
  to: number;
  above: number;
  below: number;
}

/**
 * The items around the selected one that fit into `height` lines. Where something is left out, one line at that end
 * says how much, and counts.
 */
export function windowAround(options: {
  count: number;
  selected: number;
  itemHeight: number;
  height: number;
}): ListWindow {
  const { count, itemHeight, height } = options;
  if (count * itemHeight <= height) return { from: 0, to: count, above: 0, below: 0 };
  // The lines that say "more" are taken off before it is known whether both are needed: the list must not grow and
  // shrink while somebody goes through it.
  const fit = Math.max(1, Math.floor((height - 2) / itemHeight));
  const selected = clamp(options.selected, count);
  const from = Math.max(0, Math.min(selected - Math.floor(fit / 2), count - fit));
  const to = Math.min(count, from + fit);
  return { from, to, above: from, below: count - to };
}

const clamp = (index: number, count: number): number => Math.max(0, Math.min(index, count - 1));
