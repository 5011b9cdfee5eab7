/**
 * Text with gaps: the pieces are known, and between two of them anything may stand. One piece is plain text. A rule has gaps
 * where it says `*`; a command has gaps where only the shell knows what will stand there.
 */
export type Pieces = readonly string[];

/** Whether text with gaps can be this plain text. Linear, so that no pattern of a cloned repository can hang a decision. */
export function fits(pieces: Pieces, text: string): boolean {
  const [first = "", ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return first === text;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}

/** Whether two texts with gaps can be the same text. */
export function canMeet(a: Pieces, b: Pieces): boolean {
  if (b.length === 1) return fits(a, b[0] ?? "");
  if (a.length === 1) return fits(b, a[0] ?? "");
  // Both ends must agree as far as both are known; in between each side has a gap that takes in whatever the other wants.
  return agree(a[0] ?? "", b[0] ?? "", "start") && agree(a.at(-1) ?? "", b.at(-1) ?? "", "end");
}

function agree(one: string, other: string, end: "start" | "end"): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return end === "start" ? long.startsWith(short) : long.endsWith(short);
}
