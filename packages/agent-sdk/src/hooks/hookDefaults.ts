import { isOfProject, type SettingsScope } from "./definition.ts";
import type { HookEvent } from "./events.ts";
import {
  actingOnError,
  FAILURE_KINDS,
  isWeaker,
  policyOf,
  stricterOnError,
  type FailureKind,
  type FailurePolicy,
  type OnError,
  type PartialPolicy,
} from "./failurePolicy.ts";

/** What `hookDefaults` of one file say about failures. */
export interface GivenDefault {
  scope: SettingsScope;
  file: string;
  onError: PartialPolicy;
}

/** Of all files, in declared order. */
export type HookDefaults = readonly GivenDefault[];

/** Whoever stands higher may not be made weaker by those below: the machine's owner, the person, the repository. */
function rankOf(scope: SettingsScope): number {
  if (scope === "managed") return 2;
  return isOfProject(scope) ? 0 : 1;
}

/** Of several defaults the strictest counts, so a file can only tighten what another one says. */
function strictestOf(
  defaults: HookDefaults,
  kind: FailureKind,
): { onError: OnError; file: string | undefined } {
  return defaults.reduce<{ onError: OnError; file: string | undefined }>(
    (best, { file, onError }) => {
      const word = onError[kind];
      return word !== undefined && isWeaker(best.onError, word) ? { onError: word, file } : best;
    },
    { onError: "continue", file: undefined },
  );
}

/** Something that was written and does not hold, by kind of failure. */
export interface PolicyNote {
  kinds: FailureKind[];
  said: OnError;
  because:
    | { is: "cannot-act"; event: HookEvent }
    /** A default that may not be undercut says more. */
    | { is: "too-weak"; used: OnError; file: string };
}

/**
 * What holds for a hook: its own word, else the strictest default of all files. A default of the machine's owner holds
 * against every weaker word of others, one of the person against those of a project (G18).
 */
export function policyFor(
  own: PartialPolicy,
  { event, scope, defaults }: { event: HookEvent; scope: SettingsScope; defaults: HookDefaults },
): { policy: FailurePolicy; notes: PolicyNote[] } {
  const notes: PolicyNote[] = [];
  const above = defaults.filter((given) => rankOf(given.scope) > rankOf(scope));
  const policy = policyOf((kind) => {
    const said = own[kind];
    if (said === undefined) return actingOnError(event, strictestOf(defaults, kind).onError);
    const floor = strictestOf(above, kind);
    const used = actingOnError(event, stricterOnError(said, floor.onError));
    if (isWeaker(said, used) && floor.file !== undefined)
      note(notes, kind, { said, because: { is: "too-weak", used, file: floor.file } });
    if (isWeaker(used, said)) note(notes, kind, { said, because: { is: "cannot-act", event } });
    return used;
  });
  return { policy, notes };
}

/** A default that says less than a file before it says nothing. */
export function tooWeakDefault(given: GivenDefault, before: HookDefaults): PolicyNote[] {
  const notes: PolicyNote[] = [];
  for (const kind of FAILURE_KINDS) {
    const said = given.onError[kind];
    const { onError: used, file } = strictestOf(before, kind);
    if (said !== undefined && file !== undefined && isWeaker(said, used))
      note(notes, kind, { said, because: { is: "too-weak", used, file } });
  }
  return notes;
}

/** One note for all kinds about which the same is to be said. */
function note(notes: PolicyNote[], kind: FailureKind, what: Omit<PolicyNote, "kinds">): void {
  const same = notes.find(
    ({ said, because }) => said === what.said && JSON.stringify(because) === JSON.stringify(what.because),
  );
  if (same) same.kinds.push(kind);
  else notes.push({ kinds: [kind], ...what });
}
