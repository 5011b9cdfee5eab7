import { isDeepStrictEqual } from "node:util";
import { refusedRewrite, type Verdict } from "./verdict.ts";

export type Input = Record<string, unknown>;

/** What a rewrite changed against the input its hook saw: values set, and `undefined` for fields removed. */
export type Changes = Map<string, unknown>;

export interface Rewritten {
  input: Input;
  /**
   * Index of each verdict with a rewrite that is not empty. `taken`: all it changed stands in `input`; `whole`: `input` is
   * exactly what it made, and nobody else changed anything beside it.
   */
  rewriters: Map<number, { fields: string[]; taken: boolean; whole: boolean }>;
  warnings: { verdict: Verdict; text: string }[];
}

export function changesOf(seen: Input, verdict: Verdict): Changes {
  const changes: Changes = new Map();
  if (!verdict.rewrite || !("to" in verdict.rewrite)) return changes;
  const { to } = verdict.rewrite;
  for (const field of new Set([...Object.keys(seen), ...Object.keys(to)])) {
    const value = Object.hasOwn(to, field) ? to[field] : undefined;
    const before = Object.hasOwn(seen, field) ? seen[field] : undefined;
    if (!isDeepStrictEqual(value, before)) changes.set(field, value);
  }
  return changes;
}

/** Applies all rewrites field by field in declared order; of the same field the later value stays, with a warning. */
export function applyRewrites(seen: Input, verdicts: readonly Verdict[]): Rewritten {
  const all = verdicts.map((verdict) => changesOf(verdict.saw ?? seen, verdict));
  const standing: Changes = new Map();
  const writers = new Map<string, Verdict>();
  const warnings: Rewritten["warnings"] = [];
  for (const [index, changes] of all.entries()) {
    const verdict = verdicts[index];
    if (!verdict) continue;
    for (const [field, value] of changes) {
      const before = writers.get(field);
      // In a sequential group it saw what was changed before it, and meant to change it again.
      const sawIt = verdict.saw && isDeepStrictEqual(verdict.saw[field], standing.get(field));
      if (before && !sawIt && !isDeepStrictEqual(standing.get(field), value)) {
        const text = `hooks ${before.hook.name} and ${verdict.hook.name} both changed "${field}"; the later one, ${verdict.hook.name}, counts`;
        warnings.push({ verdict, text });
      }
      standing.set(field, value);
      writers.set(field, verdict);
    }
  }
  const input = withChanges(seen, standing);
  const rewriters: Rewritten["rewriters"] = new Map();
  for (const [index, changes] of all.entries()) {
    const verdict = verdicts[index];
    if (changes.size === 0 || !verdict) continue;
    const whole = changesOf(input, verdict).size === 0;
    const taken = [...changes].every(([field, value]) => isDeepStrictEqual(standing.get(field), value));
    rewriters.set(index, { fields: [...changes.keys()], taken, whole });
  }
  return { input, rewriters, warnings };
}

/**
 * A rewrite that does not fit never falls back to the old input (G9): its authors refuse the call. Who does not fit alone is
 * named alone; only when each fits by itself it is all of them together.
 */
export function refuseMisfit(
  verdicts: readonly Verdict[],
  { rewriters }: Pick<Rewritten, "rewriters">,
  misfit: { together: string; alone(input: Input): string | undefined },
): Verdict[] {
  const alone = verdicts.map(({ rewrite }, index) =>
    rewriters.has(index) && rewrite && "to" in rewrite ? misfit.alone(rewrite.to) : undefined,
  );
  const nobodyAlone = alone.every((why) => why === undefined);
  return verdicts.map((verdict, index) => {
    const why = alone[index];
    if (why !== undefined)
      return refusedRewrite(verdict, `rewrote the input so that it does not fit the tool: ${why}`);
    if (!nobodyAlone || !rewriters.has(index)) return verdict;
    const what = "rewrote the input so that it does not fit the tool together with what other hooks changed";
    return refusedRewrite(verdict, `${what}: ${misfit.together}`);
  });
}

function withChanges(seen: Input, changes: Changes): Input {
  const fields = new Map(Object.entries(seen));
  for (const [field, value] of changes) {
    if (value === undefined) fields.delete(field);
    else fields.set(field, value);
  }
  return Object.fromEntries(fields);
}
