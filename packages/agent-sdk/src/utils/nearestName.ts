/** The name that was probably meant: in another case, begun or overshot, or a few typing mistakes away. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  const byDistance = sortedByDistance(word, names);
  const lower = word.toLowerCase();
  return (
    closeEnough(word, byDistance) ?? byDistance.find(({ name }) => isPrefix(lower, name.toLowerCase()))?.name
  );
}

/** The same without what is only begun or overshot. */
export function closeName(word: string, names: readonly string[]): string | undefined {
  // Looked up for every name in what a program printed, so no distance is counted that is too far in any case.
  const near = names.filter((name) => Math.abs(name.length - word.length) <= tolerance(word));
  return near.length === 0 ? undefined : closeEnough(word, sortedByDistance(word, near));
}

/** One slip of a finger, whatever the case: a letter too many, too few or wrong, or two neighbours swapped. */
export function isOneSlip(word: string, name: string): boolean {
  const [a, b] = [word.toLowerCase(), name.toLowerCase()];
  if (editDistance(a, b) <= 1) return true;
  const at = Array.from(a).findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && a.slice(0, at) + (a[at + 1] ?? "") + (a[at] ?? "") + a.slice(at + 2) === b;
}

interface Distant {
  name: string;
  distance: number;
}

function sortedByDistance(word: string, names: readonly string[]): Distant[] {
  const lower = word.toLowerCase();
  return names
    .map((name) => ({ name, distance: editDistance(lower, name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
}

function closeEnough(word: string, [closest]: readonly Distant[]): string | undefined {
  return closest !== undefined && closest.distance <= tolerance(word) ? closest.name : undefined;
}

/**
 * Whether a word that is no name itself is this name with a typing mistake, so clearly that something may follow from it: other
 * case or joints (`on_error`), letters in another order, one wrong letter, in a long name two.
 */
export function isTypoOf(word: string, name: string): boolean {
  const [typed, meant] = [lettersOf(word), lettersOf(name)];
  if (typed === meant) return true;
  const most = meant.length < 3 ? 0 : meant.length < 6 ? 1 : 2;
  return inOrder(typed) === inOrder(meant) || editDistance(typed, meant) <= most;
}

/** The name of which a word is a typing mistake; of several the nearest. */
export function misspeltName<Name extends string>(word: string, names: readonly Name[]): Name | undefined {
  const letters = lettersOf(word);
  return names
    .filter((name) => isTypoOf(word, name))
    .map((name) => ({ name, distance: editDistance(letters, lettersOf(name)) }))
    .toSorted((a, b) => a.distance - b.distance)[0]?.name;
}

/** Of `onError`, `on_error` and `OnError` the same. */
export const lettersOf = (word: string) => word.replaceAll(/[_-]/g, "").toLowerCase();

const inOrder = (letters: string) => letters.split("").toSorted().join("");

/** Short words have many neighbours, so they must be closer to count. */
function tolerance(word: string): number {
  return Math.min(Math.max(2, Math.floor(word.length / 4)), word.length - 1);
}

function isPrefix(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 2 && long.startsWith(short);
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const inserted = (current[column - 1] ?? 0) + 1;
      const deleted = (previous[column] ?? 0) + 1;
      current.push(Math.min(replaced, inserted, deleted));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
