/**
 * Splits the calls of one answer into groups that run one after the other. Neighbours that only read run together;
 * a call that may change something runs alone, so the model's order keeps its meaning.
 */
export function batchesOf<Call>(calls: readonly Call[], runsInParallel: (call: Call) => boolean): Call[][] {
  const batches: { together: boolean; calls: Call[] }[] = [];
  for (const call of calls) {
    const together = runsInParallel(call);
    const last = batches.at(-1);
    if (together && last?.together) last.calls.push(call);
    else batches.push({ together, calls: [call] });
  }
  return batches.map((batch) => batch.calls);
}
