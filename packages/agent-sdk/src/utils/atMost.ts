/** Maps with at most `limit` calls under way; results stand in the order of the items, whichever is done first. */
export async function mapAtMost<T, R>(
  limit: number,
  items: readonly T[],
  map: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const worker = async () => {
    // One iterator for all workers: each takes the next item that nobody has taken.
    for (const [index, item] of waiting) results[index] = await map(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
