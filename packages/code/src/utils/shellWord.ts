/** A name that a shell reads as one word. */
export function shellWord(name: string): string {
  return /^[\w@%+:,./-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
