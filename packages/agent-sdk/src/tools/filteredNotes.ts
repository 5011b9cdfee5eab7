/**
 * One line for each rule that kept something out of a result. `reasons` has one entry for each thing that was left out, in
 * whatever order a search met them; the lines are sorted, so that the order says nothing about the files.
 */
export function filteredNotes(
  reasons: readonly string[],
  [one, many]: readonly [one: string, many: string] = ["file is", "files are"],
): string[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([reason, count]) => `[${count} ${count === 1 ? one : many} kept back by ${reason}]`);
}

/** Files that were not the same any more, or not in the same place, when what was found in them was looked at again. */
export function changedNotes(count: number): string[] {
  if (count === 0) return [];
  return [
    `[${count === 1 ? "1 file was" : `${count} files were`} replaced during the search and left out. Search again.]`,
  ];
}
