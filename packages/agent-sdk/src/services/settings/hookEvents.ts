import type { HookDefinition, SettingsScope } from "../../hooks/definition.ts";
import { HOOK_EVENT_NAMES, HOOK_EVENTS, isHookEvent, type HookEvent } from "../../hooks/events.ts";
import type { HookDefaults } from "../../hooks/hookDefaults.ts";
import { compileMatcher } from "../../hooks/matcher.ts";
import { hookGroupSchema } from "../../hooks/settingsSchema.ts";
import { nearestName } from "../../utils/nearestName.ts";
import { quoted } from "../../utils/quoted.ts";
import { readEntry, type EntryContext } from "./hookEntry.ts";
import { fieldOf, kindOf, plainValue, type SettingsNode, type SettingsObject } from "./node.ts";
import { whyWrong, type Report } from "./problem.ts";

export interface HooksPlace {
  scope: SettingsScope;
  file: string | undefined;
  defaults: HookDefaults;
}

/** Everything under `hooks`. A bad entry is reported and costs that entry; only `hooks` itself must be an object. */
export function readHooks(hooks: SettingsNode, place: HooksPlace, report: Report): HookDefinition[] {
  if (hooks.type !== "object") {
    report("fatal", hooks, `hooks must be an object with the names of events, not ${kindOf(hooks)}`);
    return [];
  }
  return hooks.entries.flatMap(({ key, node }) => {
    const event = eventNamed(key, node, report);
    if (event === undefined) return [];
    return listIn(node, `${key} must be a list of groups`, report).flatMap((group) =>
      readGroup(group, event, place, report),
    );
  });
}

/** Names under which other programs know the same moments. */
const ALIASES: ReadonlyMap<string, HookEvent> = new Map([
  ["beforetool", "PreToolUse"],
  ["aftertool", "PostToolUse"],
]);

function eventNamed(key: string, node: SettingsNode, report: Report): HookEvent | undefined {
  if (isHookEvent(key)) return key;
  const letters = key.replaceAll(/[_-]/g, "").toLowerCase();
  const alias = ALIASES.get(letters) ?? HOOK_EVENT_NAMES.find((name) => name.toLowerCase() === letters);
  if (alias !== undefined) {
    report("warning", node, `${quoted(key)} is read as ${quoted(alias)}; write it that way`);
    return alias;
  }
  const nearest = nearestName(key, HOOK_EVENT_NAMES);
  const hint =
    nearest === undefined
      ? `the events are ${HOOK_EVENT_NAMES.join(", ")}`
      : `did you mean ${quoted(nearest)}?`;
  report("warning", node, `${quoted(key)} is not an event of Wave, so its hooks never run; ${hint}`);
  return undefined;
}

function readGroup(
  node: SettingsNode,
  event: HookEvent,
  place: HooksPlace,
  report: Report,
): HookDefinition[] {
  if (node.type !== "object") {
    report("error", node, `a group must be an object such as ${groupAround('"…"')}, not ${kindOf(node)}`);
    return [];
  }
  const context = { ...place, event, ...readMatcher(node, event, report), report };
  const hooks = fieldOf(node, "hooks");
  if (hooks !== undefined) {
    reportGroupFields(node, report);
    return listIn(hooks, "hooks must be a list", report).flatMap((entry) => readEntry(entry, context) ?? []);
  }
  if (fieldOf(node, "command") ?? fieldOf(node, "type")) return readFlatEntry(node, context);
  reportGroupFields(node, report);
  report("error", node, 'this group has no "hooks", so there is nothing to run');
  return [];
}

/** `{type, command}` directly in the list of an event: what it means is clear, so it works. */
function readFlatEntry(node: SettingsObject, context: EntryContext): HookDefinition[] {
  const entry = { ...node, entries: node.entries.filter(({ key }) => key !== "matcher") };
  const hook = readEntry(entry, context);
  if (hook === undefined) return [];
  const command = hook.action.type === "command" ? JSON.stringify(hook.action.command) : '"…"';
  const form = groupAround(command, context.matcher);
  context.report("warning", node, `this hook stands where a group belongs; it works, but write ${form}`);
  return [hook];
}

function groupAround(command: string, matcher?: string): string {
  const start = matcher === undefined ? "" : `"matcher": ${JSON.stringify(matcher)}, `;
  return `{ ${start}"hooks": [{ "type": "command", "command": ${command} }] }`;
}

function readMatcher(
  node: SettingsObject,
  event: HookEvent,
  report: Report,
): Pick<EntryContext, "matcher" | "matcherProblem"> {
  const field = fieldOf(node, "matcher");
  if (field === undefined) return { matcher: undefined, matcherProblem: undefined };
  const parsed = hookGroupSchema.shape.matcher.safeParse(plainValue(field));
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
  report("error", field, `${matcher.problem}; its hooks cannot run`);
  return { matcher: undefined, matcherProblem: matcher.problem };
}

/** A list, or the one thing that should have been in a list. */
function listIn(node: SettingsNode, expected: string, report: Report): SettingsNode[] {
  if (node.type === "list") return node.items;
  if (node.type === "object") {
    report("warning", node, `${expected}; this object is read as its only item, write [ ] around it`);
    return [node];
  }
  report("error", node, `${expected}, not ${kindOf(node)}`);
  return [];
}

function reportGroupFields(node: SettingsObject, report: Report): void {
  for (const { key, node: field } of node.entries) {
    if (Object.hasOwn(hookGroupSchema.shape, key)) continue;
    report(
      "warning",
      field,
      `${quoted(key)} is not a field of a group and is not used; fields of a hook go inside "hooks"`,
    );
  }
}
