/** The value below which a share of the samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const median = (samples: readonly number[]) => quantile(samples, 0.5);

/**
 * Runs several things in turn, so that whatever else the machine does hits all of them alike; milliseconds of each run.
 * The first round warms up and is not counted.
 */
export async function alternate<Name extends string>(
  rounds: number,
  things: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(things) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const started = performance.now();
      await things[name]();
      if (round > 0) samples[name].push(performance.now() - started);
    }
  }
  return samples;
}

export function report(what: string, value: string, aim: string): void {
  console.log(`${what.padEnd(52)} ${value.padStart(16)}   aim ${aim}`);
}

export const ms = (value: number) => `${value.toFixed(2)} ms`;
export const times = (value: number) => `${value.toFixed(2)} ×`;
