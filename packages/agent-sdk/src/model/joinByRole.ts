/** For servers that want user and assistant by turns: what one of them says in a row becomes one entry. */
export function joinByRole<Entry extends { role: string }>(
  entries: readonly Entry[],
  join: (first: Entry, next: Entry) => Entry,
): Entry[] {
  const joined: Entry[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    if (last?.role === entry.role) joined[joined.length - 1] = join(last, entry);
    else joined.push(entry);
  }
  return joined;
}
