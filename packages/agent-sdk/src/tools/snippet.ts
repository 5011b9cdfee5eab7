const CONTEXT_LINES = 2;
const MAX_LINES = 16;
const LINE_LENGTH = 200;

/** The lines of `after` that differ from `before`, numbered, with a little around them: enough to see that it went right. */
export function changedLines(before: string, after: string): string {
  const old = before.split(/\r?\n/);
  const now = after.split(/\r?\n/);
  const shortest = Math.min(old.length, now.length);
  let same = 0;
  while (same < shortest && old[same] === now[same]) same++;
  let sameAtEnd = 0;
  while (sameAtEnd < shortest - same && old.at(-1 - sameAtEnd) === now.at(-1 - sameAtEnd)) sameAtEnd++;

  const from = Math.max(0, same - CONTEXT_LINES);
  const to = Math.min(now.length, now.length - sameAtEnd + CONTEXT_LINES);
  const shown = now.slice(from, Math.min(to, from + MAX_LINES));
  const lines = shown.map((line, index) => `${String(from + index + 1).padStart(6)}\t${shorten(line)}`);
  const left = to - from - shown.length;
  return [...lines, ...(left > 0 ? [`[… ${left} more lines]`] : [])].join("\n");
}

function shorten(line: string): string {
  return line.length <= LINE_LENGTH ? line : `${line.slice(0, LINE_LENGTH).toWellFormed()} [… cut]`;
}
