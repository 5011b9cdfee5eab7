/** Cut to `max` characters, with a sign that something is missing. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  // Half of a surrogate pair at the cut would be shown as a broken character.
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** The same, cut in the middle: for a sentence whose end says as much as its beginning. */
export function shortenedInside(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor((max - 1) / 2);
  return shortened(text, half + 1) + text.slice(-half).replace(/^[\uDC00-\uDFFF]/, "");
}

/**
 * Somebody else's text inside a sentence of ours: in quotes, bounded, and with control characters spelled out, so that a
 * name from a cloned project cannot draw on the terminal.
 */
export function quoted(text: string): string {
  return JSON.stringify(shortened(text, 80));
}

/** One line without control characters, for text that stands without quotes. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}
