import type { HookDefinition, SettingsScope } from "../../hooks/definition.ts";
import { ABSENT_EVENTS } from "../../hooks/absentEvents.ts";
import type { HookDialect } from "../../hooks/dialect.ts";
import { HOOK_EVENT_NAMES, HOOK_EVENTS, isHookEvent, type HookEvent } from "../../hooks/events.ts";
import type { HookDefaults } from "../../hooks/hookDefaults.ts";
import type { HookKindRow, HookLimits } from "../../hooks/kinds/kind.ts";
import type { LeftOutHook } from "../../hooks/leftOut.ts";
import { compileMatcher } from "../../hooks/matcher.ts";
import { hookGroupSchema } from "./schema.ts";
import { isTypoOf, lettersOf, misspeltName, nearestName } from "../../utils/nearestName.ts";
import { quoted } from "../../utils/quoted.ts";
import { hooksIn } from "./countHooks.ts";
import { readEntry, standIn, type EntryContext } from "./hookEntry.ts";
import { fateOf, type ReadHook } from "./hookFate.ts";
import { fieldOf, fieldsOf, kindOf, plainValue, type SettingsNode, type SettingsObject } from "./node.ts";
import { whyWrong, type Report } from "./problem.ts";

export interface HooksPlace {
  scope: SettingsScope;
  file: string | undefined;
  defaults: HookDefaults;
  /** The agent that the file was written for. Absent: Wave. */
  dialect?: HookDialect;
  /** Default: all that there are. */
  kinds?: readonly HookKindRow[];
  limits?: HookLimits;
  /** For the processes of its hooks. */
  variables?: Readonly<Record<string, string>>;
}

export interface HooksRead {
  hooks: HookDefinition[];
  /** Entries that are there and of which nothing comes. */
  leftOut: LeftOutHook[];
}

/** Everything under `hooks`. A bad entry is reported and costs that entry; only `hooks` itself must be an object. */
export function readHooks(hooks: SettingsNode, place: HooksPlace, report: Report): HooksRead {
  if (hooks.type !== "object") {
    report("fatal", hooks, `hooks must be an object with the names of events, not ${kindOf(hooks)}`);
    return { hooks: [], leftOut: [] };
  }
  const all = hooks.entries.map(({ key, node }) => readEvent(key, node, place, report));
  return { hooks: all.flatMap((one) => one.hooks), leftOut: all.flatMap((one) => one.leftOut) };
}

function readEvent(key: string, node: SettingsNode, place: HooksPlace, report: Report): HooksRead {
  const named = eventNamed(key, node, report);
  // Nothing that Wave does would have been judged there, so nothing goes unguarded.
  if (named.is === "unknown") return { hooks: [], leftOut: [] };
  const { event } = named;
  const problem = named.is === "misspelt" ? `${quoted(key)} is not an event of Wave` : undefined;
  const context = { ...place, event, matcher: undefined, problem, report };
  const read = readList(node, `${key} must be a list of groups`, context, (group) =>
    readGroup(group, context),
  );
  if (problem !== undefined)
    report("error", node, `${problem} (did you mean ${quoted(event)}?); ${fateOf(read)}`);
  return {
    hooks: read.flatMap(({ is, hook }) => (is === "used" ? [hook] : [])),
    leftOut: read.flatMap(({ is, hook }) => (is === "left-out" ? [hook] : [])),
  };
}

/** Names under which other programs know the same moments. */
const ALIASES: ReadonlyMap<string, HookEvent> = new Map([
  ["beforetool", "PreToolUse"],
  ["aftertool", "PostToolUse"],
]);

type NamedEvent = { is: "known" | "misspelt"; event: HookEvent } | { is: "unknown" };

function eventNamed(key: string, node: SettingsNode, report: Report): NamedEvent {
  if (isHookEvent(key)) return { is: "known", event: key };
  const absent = Object.hasOwn(ABSENT_EVENTS, key) ? ABSENT_EVENTS[key] : undefined;
  if (absent !== undefined) {
    const count = hooksIn({ type: "object", path: "", line: undefined, entries: [{ key, node }] });
    const what = count === 1 ? "its hook does not run" : `its ${count} hooks do not run`;
    if (count > 0) report("warning", node, `Wave has no event ${key} (${absent}), so ${what}`);
    return { is: "unknown" };
  }
  const letters = lettersOf(key);
  const alias = ALIASES.get(letters) ?? HOOK_EVENT_NAMES.find((name) => name.toLowerCase() === letters);
  if (alias !== undefined) {
    report("warning", node, `${quoted(key)} is read as ${quoted(alias)}; write it that way`);
    return { is: "known", event: alias };
  }
  // Only what can hardly be anything else: other programs have events whose names begin like those of Wave.
  const meant = misspeltName(key, HOOK_EVENT_NAMES);
  if (meant !== undefined) return { is: "misspelt", event: meant };
  const nearest = nearestName(key, HOOK_EVENT_NAMES);
  const hint =
    nearest === undefined
      ? `the events are ${HOOK_EVENT_NAMES.join(", ")}`
      : `did you mean ${quoted(nearest)}?`;
  report("warning", node, `${quoted(key)} is not an event of Wave, so its hooks never run; ${hint}`);
  return { is: "unknown" };
}

function readGroup(node: SettingsNode, place: EntryContext): ReadHook[] {
  const { event, report } = place;
  if (node.type !== "object") {
    const problem = `a group must be an object such as ${groupAround('"…"')}, not ${kindOf(node)}`;
    return [standIn(node, problem, place)];
  }
  const { matcher, matcherProblem } = readMatcher(node, event, report);
  const context = { ...place, matcher, problem: place.problem ?? matcherProblem };
  const read = readGroupHooks(node, context);
  if (matcherProblem !== undefined)
    report("error", fieldOf(node, "matcher") ?? node, `${matcherProblem}; ${fateOf(read)}`);
  if (!isSequential(node, report)) return read;
  const group = `${place.file ?? "Agent.create"}#${node.path}`;
  return read.map((one, at) => ({ ...one, hook: { ...one.hook, sequence: { group, place: at } } }));
}

function isSequential(node: SettingsObject, report: Report): boolean {
  const field = fieldOf(node, "sequential");
  if (field === undefined) return false;
  const { success, data, error } = hookGroupSchema().shape.sequential.safeParse(plainValue(field));
  if (success) return data ?? false;
  report("error", field, `${whyWrong("sequential", error, field)}; the hooks run at the same time`);
  return false;
}

function readGroupHooks(node: SettingsObject, context: EntryContext): ReadHook[] {
  const { report } = context;
  const lists = fieldsOf(node, "hooks");
  if (lists.length > 0) {
    reportGroupFields(node, report);
    return lists.flatMap((list) => readEntries(list, context));
  }
  if (fieldOf(node, "command") ?? fieldOf(node, "type")) return readFlatEntry(node, context);
  const misspelt = node.entries.find(({ key }) => isTypoOf(key, "hooks"));
  reportGroupFields({ ...node, entries: node.entries.filter((entry) => entry !== misspelt) }, report);
  if (misspelt === undefined)
    return [standIn(node, 'this group has no "hooks", so there is nothing to run', context)];
  const problem = `${quoted(misspelt.key)} is not a field of a group`;
  const read = readEntries(misspelt.node, { ...context, problem });
  report("error", misspelt.node, `${problem} (did you mean "hooks"?); ${fateOf(read)}`);
  return read;
}

const readEntries = (list: SettingsNode, context: EntryContext) =>
  readList(list, "hooks must be a list", context, (entry) => [readEntry(entry, context)]);

/** `{type, command}` directly in the list of an event: what it means is clear, so it works. */
function readFlatEntry(node: SettingsObject, context: EntryContext): ReadHook[] {
  const entry = { ...node, entries: node.entries.filter(({ key }) => key !== "matcher") };
  const read = readEntry(entry, context);
  const { is, hook } = read;
  if (is === "left-out") return [read];
  const { command: line } = hook.action;
  const command = line === undefined ? '"…"' : JSON.stringify(line);
  const form = groupAround(command, context.matcher);
  context.report("warning", node, `this hook stands where a group belongs; it works, but write ${form}`);
  return [read];
}

function groupAround(command: string, matcher?: string): string {
  const start = matcher === undefined ? "" : `"matcher": ${JSON.stringify(matcher)}, `;
  return `{ ${start}"hooks": [{ "type": "command", "command": ${command} }] }`;
}

function readMatcher(
  node: SettingsObject,
  event: HookEvent,
  report: Report,
): { matcher: string | undefined; matcherProblem: string | undefined } {
  const field = fieldOf(node, "matcher");
  if (field === undefined) return { matcher: undefined, matcherProblem: undefined };
  const parsed = hookGroupSchema().shape.matcher.safeParse(plainValue(field));
  if (HOOK_EVENTS[event].matchOn === undefined) {
    // Claude's own settings files often carry an empty matcher here, which says nothing and costs no word.
    if (parsed.data !== "" && parsed.data !== "*") {
      report(
        "warning",
        field,
        `${event} has nothing to match on; the matcher is not used and the hooks always run`,
      );
    }
    return { matcher: undefined, matcherProblem: undefined };
  }
  const matcher = parsed.success
    ? compileMatcher(parsed.data)
    : { problem: whyWrong("matcher", parsed.error, field) };
  if (!("problem" in matcher)) return { matcher: parsed.data, matcherProblem: undefined };
  return { matcher: undefined, matcherProblem: matcher.problem };
}

/** A list, or the one thing that should have been in a list. What is neither stands for hooks that cannot be read. */
function readList(
  node: SettingsNode,
  expected: string,
  context: EntryContext,
  read: (item: SettingsNode) => ReadHook[],
): ReadHook[] {
  if (node.type === "list") return node.items.flatMap(read);
  if (node.type === "value") return [standIn(node, `${expected}, not ${kindOf(node)}`, context)];
  context.report("warning", node, `${expected}; this object is read as its only item, write [ ] around it`);
  return read(node);
}

function reportGroupFields(node: SettingsObject, report: Report): void {
  for (const { key, node: field } of node.entries) {
    if (Object.hasOwn(hookGroupSchema().shape, key)) continue;
    report(
      "warning",
      field,
      `${quoted(key)} is not a field of a group and is not used; fields of a hook go inside "hooks"`,
    );
  }
}
