/** Cut to `max` characters, with a sign that something is missing. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  // Half of a surrogate pair at the cut would be shown as a broken character.
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
