import { z } from "zod";
import { shapesOf, toolNamesFor } from "./dialects/index.ts";
import { isOfProject, SETTINGS_SCOPES, type HookDefinition } from "./definition.ts";
import type { HookEventRow } from "./eventRow.ts";
import { HOOK_EVENTS, type HookContext, type HookEvent } from "./events.ts";
import { stricterMode } from "../permissions/sandboxModes.ts";
import { strictestPolicy } from "./failurePolicy.ts";
import { compileMatcher } from "./matcher.ts";

/** Which hooks of an event run, in declared order, and why the others do not. */
export interface HookPlan {
  run: HookDefinition[];
  skipped: { hook: HookDefinition; why: string }[];
  /** Of the skipped ones: those that would have run, had somebody approved them. */
  unreviewed: HookDefinition[];
  /** Of the skipped ones: those whose `if` is about other calls, also about what hooks may yet make of this one. */
  aboutOthers: HookDefinition[];
}

export interface PlanOptions {
  knownTools: readonly string[];
  /** Why a hook is switched off, if it is. */
  off?: (hook: HookDefinition) => string | undefined;
  /** Why a hook's `if` leaves it out, if it does. */
  whyNot?: (hook: HookDefinition) => string | undefined;
  /** What is known of the event. */
  facts?: Readonly<Record<string, unknown>> | undefined;
  /** Whether a hook waits for somebody's approval. */
  isUnreviewed?: (hook: HookDefinition) => boolean;
  /** `reviewWays` of the program that plans. */
  ways?: string;
}

/** How a person gets to what waits for an approval: in a shell, and by what the program at hand has for it. */
export const reviewWays = (command: string | undefined) =>
  command === undefined ? "wave hooks trust" : `${command} or wave hooks trust`;

export const unreviewedWords = (ways: string) => `nobody has approved it in this form (${ways})`;

/**
 * Declared order is the order of the scopes and, within a scope, the order in which the hooks are given. An entry that
 * appears twice runs once, at its first place, with the strictest `onError` of all its copies that match, kind by kind, the
 * longest timeout, and in the strictest sandbox.
 */
export function planHooks(
  event: HookEvent,
  matchValue: string | undefined,
  hooks: readonly HookDefinition[],
  { knownTools, off, whyNot, facts = {}, isUnreviewed, ways = reviewWays(undefined) }: PlanOptions,
): HookPlan {
  const plan: HookPlan = { run: [], skipped: [], unreviewed: [], aboutOthers: [] };
  const known = matchableValues(event, knownTools);
  for (const hook of inDeclaredOrder(hooks.filter((candidate) => candidate.event === event))) {
    const why = off?.(hook) ?? whyNoMatch(hook, matchValue, known) ?? whyNotThere(hook, facts);
    const whyNotIts = why === undefined ? whyNot?.(hook) : undefined;
    if (why !== undefined || whyNotIts !== undefined) {
      plan.skipped.push({ hook, why: why ?? whyNotIts ?? "" });
      if (whyNotIts !== undefined) plan.aboutOthers.push(hook);
      continue;
    }
    if (isUnreviewed?.(hook)) {
      plan.skipped.push({ hook, why: unreviewedWords(ways) });
      plan.unreviewed.push(hook);
      continue;
    }
    const copyAt = plan.run.findIndex((earlier) => isSameEntry(earlier, hook));
    const earlier = plan.run[copyAt];
    if (earlier === undefined) {
      plan.run.push(hook);
      continue;
    }
    plan.run[copyAt] = asOne(earlier, hook);
    plan.skipped.push({ hook, why: `runs once, for the same entry in ${placeOf(earlier)}` });
  }
  return plan;
}

/** A guard that gets less time than its author gave it would fail where it had judged. */
const asOne = ({ sharesTime, ...earlier }: HookDefinition, copy: HookDefinition): HookDefinition => ({
  ...earlier,
  timeoutMs: Math.max(earlier.timeoutMs, copy.timeoutMs),
  ...(sharesTime && copy.sharesTime && { sharesTime }),
  onError: strictestPolicy(earlier.onError, copy.onError),
  ...(copy.sandbox && { sandbox: stricterMode(earlier.sandbox ?? "off", copy.sandbox) }),
});

/**
 * For an input that hooks have changed: those who judged it before, at their places, and behind them those whom only the new
 * one concerns. `late` is the plan of the first's `aboutOthers`.
 */
export function joinPlans(first: HookPlan, late: HookPlan): HookPlan {
  const run = first.run.map((hook) =>
    late.run.filter((one) => isSameEntry(one, hook)).reduce((all, copy) => asOne(all, copy), hook),
  );
  const added = late.run.filter((one) => !first.run.some((hook) => isSameEntry(one, hook)));
  const skipped = first.skipped.filter(({ hook }) => !first.aboutOthers.includes(hook));
  return {
    run: [...run, ...added],
    skipped: [...skipped, ...late.skipped],
    unreviewed: [...first.unreviewed, ...late.unreviewed],
    aboutOthers: late.aboutOthers,
  };
}

/** What the matcher of an event is compared with: the tools, or the values of the event's own field. */
export function matchableValues(
  event: HookEvent,
  knownTools: readonly string[],
  hook: Pick<HookDefinition, "dialect"> = {},
): readonly string[] {
  const row: HookEventRow = HOOK_EVENTS[event];
  if (row.matchOn === undefined) return [];
  if (row.matchOn === "tool_name")
    return hook.dialect ? knownTools.flatMap((tool) => toolNamesFor(hook, tool)) : knownTools;
  const field = row.input().shape[row.matchOn];
  return field instanceof z.ZodEnum ? field.options.map(String) : [];
}

/**
 * The `off` of a plan for `hookScope`. Managed hooks stay on in every case: whoever runs the machine put them there, and
 * no flag of a single run may take them away.
 */
export function offByScope(
  hookScope: "all" | "no-project" | "none",
): (hook: HookDefinition) => string | undefined {
  return ({ source }) => {
    if (hookScope === "none" && source.scope !== "managed") return "hooks are switched off for this run";
    if (hookScope === "no-project" && isOfProject(source.scope))
      return "hooks of the project are switched off for this run";
    return undefined;
  };
}

function inDeclaredOrder(hooks: readonly HookDefinition[]): HookDefinition[] {
  const rank = (hook: HookDefinition) => SETTINGS_SCOPES.indexOf(hook.source.scope);
  return hooks.toSorted((a, b) => rank(a) - rank(b));
}

function whyNoMatch(
  hook: HookDefinition,
  matchValue: string | undefined,
  known: readonly string[],
): string | undefined {
  const { matchOn } = HOOK_EVENTS[hook.event];
  // On an event that matches on nothing a matcher is reported when settings are loaded, and the hook runs.
  if (matchOn === undefined) return undefined;
  const matcher = compileMatcher(hook.matcher);
  if ("problem" in matcher) return matcher.problem;
  if (namesMatched(hook, matchValue ?? "").some((name) => matcher.test(name, known))) return undefined;
  return `its matcher ${JSON.stringify(hook.matcher)} does not match ${matchOn} ${JSON.stringify(matchValue ?? "")}`;
}

/** A tool has other names for hooks of other agents. */
const namesMatched = (hook: HookDefinition, value: string) =>
  HOOK_EVENTS[hook.event].matchOn === "tool_name" ? toolNamesFor(hook, value) : [value];

/** What a matcher is compared with. */
export function matchedValue<E extends HookEvent>(event: E, facts: HookContext<E>): string | undefined {
  const { matchOn } = HOOK_EVENTS[event];
  const value =
    matchOn === undefined ? undefined : Object.entries(facts).find(([field]) => field === matchOn)?.[1];
  return typeof value === "string" ? value : undefined;
}

function whyNotThere(
  { event, dialect }: HookDefinition,
  facts: Readonly<Record<string, unknown>>,
): string | undefined {
  const { notIn }: HookEventRow = HOOK_EVENTS[event];
  return dialect && notIn?.[dialect]?.(facts);
}

/**
 * The same to its kind, with the same variables and secrets. Name, timeout and matcher may differ: they do not make a second run of the same
 * command useful, and `onError` is merged.
 */
export function isSameEntry(a: HookDefinition, b: HookDefinition): boolean {
  // Nobody knows what they were meant to do.
  if (a.action.neverRuns !== undefined || b.action.neverRuns !== undefined) return false;
  return (
    isSame([a.action.type, a.action.identity], [b.action.type, b.action.identity]) &&
    shapesOf(a) === shapesOf(b) &&
    a.cwd === b.cwd &&
    a.inBackground === b.inBackground &&
    a.once === b.once &&
    sameNames(a.passEnv, b.passEnv) &&
    isSame(sortedEnv(a), sortedEnv(b))
  );
}

/** The entry before it that runs in its place wherever both match. */
export function shadowOf(hook: HookDefinition, hooks: readonly HookDefinition[]): HookDefinition | undefined {
  const ofEvent = inDeclaredOrder(hooks.filter(({ event }) => event === hook.event));
  return ofEvent.slice(0, Math.max(0, ofEvent.indexOf(hook))).find((earlier) => isSameEntry(earlier, hook));
}

export const sortedEnv = ({ env = {} }: HookDefinition): [name: string, value: string][] =>
  Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1));

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}

function placeOf({ source }: HookDefinition): string {
  return `${source.file ?? "Agent.create"} (${source.path})`;
}
