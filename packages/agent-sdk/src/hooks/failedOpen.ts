import { FAILURE_KINDS, type FailureKind } from "./failurePolicy.ts";
import type { DecisionRecord } from "./record.ts";

/** How often something went on although a hook that should have judged it failed. */
export interface FailedOpen {
  event: string;
  hook: string;
  source: string;
  kind: FailureKind;
  count: number;
}

/** Events that ended with something that went on. */
const WENT_ON: ReadonlySet<DecisionRecord["decision"]> = new Set(["allow", "pass"]);

/** Adds what went on in this record because a hook failed open. A call that hooks judged twice went on once. */
export function countFailedOpen(counts: readonly FailedOpen[], record: DecisionRecord): FailedOpen[] {
  if (!WENT_ON.has(record.decision)) return [...counts];
  const passes = record.hooks.flatMap((entry) => {
    const { name, source, failedOpen } = entry;
    return failedOpen === true ? [{ event: record.event, hook: name, source, kind: kindOf(entry) }] : [];
  });
  const once = passes.filter(
    (pass, index) => passes.findIndex(({ hook, source }) => isSame(pass, { hook, source })) === index,
  );
  return once.reduce(countOne, [...counts]);
}

/** Records of earlier versions have it only as a word before the failure, and knew more kinds. */
function kindOf({ failureKind, failure = "" }: DecisionRecord["hooks"][number]): FailureKind {
  const named = failureKind ?? failure.split(":")[0];
  return FAILURE_KINDS.find((kind) => kind === named) ?? "invalid";
}

function countOne(counts: FailedOpen[], pass: Omit<FailedOpen, "count">): FailedOpen[] {
  const at = counts.findIndex(
    (one) => isSame(one, pass) && one.event === pass.event && one.kind === pass.kind,
  );
  const known = counts[at];
  if (!known) return [...counts, { ...pass, count: 1 }];
  return counts.with(at, { ...known, count: known.count + 1 });
}

const isSame = (a: Pick<FailedOpen, "hook" | "source">, b: Pick<FailedOpen, "hook" | "source">) =>
  a.hook === b.hook && a.source === b.source;

/** One line for the end of a run; undefined when nothing failed open. */
export function describeFailedOpen(counts: readonly FailedOpen[]): string | undefined {
  if (counts.length === 0) return undefined;
  const which = counts.map(({ hook, event, kind, count }) => `${hook} (${event}, ${kind}) ${times(count)}`);
  return `something went on although a hook failed, because its onError says continue: ${which.join(", ")}`;
}

const times = (count: number) => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`);
