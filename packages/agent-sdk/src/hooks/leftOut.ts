import type { HookDefinition, HookSource } from "./definition.ts";
import type { HookEvent } from "./events.ts";
import { onErrorFor } from "./failurePolicy.ts";
import { isMisspelt } from "./matcher.ts";
import { matchableValues } from "./plan.ts";

/** An entry that settings name and of which nothing comes: a guard that is not there. */
export interface LeftOutHook {
  event: HookEvent;
  name: string;
  source: HookSource;
}

/**
 * All hooks that settings name and that can never run: those that were left out when the settings were read, those that
 * want something Wave does not have, and those whose matcher is a misspelt name. What such a hook's `onError` makes of it holds, so one that blocks or asks is none of them.
 */
export function hooksNotThere(
  settings: { hooks: readonly HookDefinition[]; leftOut: readonly LeftOutHook[] },
  knownTools: readonly string[],
): LeftOutHook[] {
  const cannotRun = settings.hooks.filter(
    ({ event, matcher, action, onError, dialect }) =>
      (action.neverRuns !== undefined ||
        isMisspelt(matcher, matchableValues(event, knownTools, dialect && { dialect }))) &&
      onErrorFor(onError, "invalid") === "continue",
  );
  return [...settings.leftOut, ...cannotRun];
}

/** A line that goes on for ever hides what it says. */
const MOST_NAMED = 5;

/** One line; undefined when every hook is there. */
export function describeLeftOut(hooks: readonly LeftOutHook[]): string | undefined {
  if (hooks.length === 0) return undefined;
  const more = hooks.length - MOST_NAMED;
  const which = [
    ...hooks.slice(0, MOST_NAMED).map(({ name, event }) => `${name} (${event})`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join(", ");
  const [are, guard] = hooks.length === 1 ? ["1 hook", "guards"] : [`${hooks.length} hooks`, "guard"];
  return `${are} of the settings cannot run and ${guard} nothing: ${which}; wave hooks list says why`;
}
