/** A value, and where it was set, so that an error can name it. */
export interface Found {
  value: string;
  from: string;
}

/** Empty counts as not set: `WAVE_MODEL= wave` is how a person unsets it for one run. */
export function first(candidates: readonly [from: string, value: string | undefined][]): Found | undefined {
  for (const [from, value] of candidates) {
    const trimmed = value?.trim();
    if (trimmed) return { from, value: trimmed };
  }
  return undefined;
}
