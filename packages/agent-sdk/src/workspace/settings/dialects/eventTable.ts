import type { HookEvent } from "../../../hooks/events.ts";
import { fieldOf, type SettingsNode, type SettingsObject } from "../node.ts";
import type { Report } from "../problem.ts";

/** An event of another agent, and what it is here. */
export interface EventHere {
  event: HookEvent;
  /** Of an event that is about some tools only. */
  matcher?: string;
}

export interface EventTable {
  agent: string;
  events: Readonly<Record<string, EventHere>>;
  /** Events that Wave has nothing for, and why. */
  absent: Readonly<Record<string, string>>;
  /** Whether hooks stand in groups, as Claude Code has them, or each entry has its own matcher. */
  shape: "groups" | "flat";
  /** An entry in Wave's words. */
  entry: (entry: SettingsObject, event: HookEvent) => SettingsObject;
}

/** `hooks` of a file in Wave's words, each value with its place in the file. */
export function translateHooks(root: SettingsObject, table: EventTable, report: Report): SettingsObject {
  const hooks = fieldOf(root, "hooks");
  if (hooks === undefined) return { ...root, entries: [] };
  if (hooks.type !== "object") return { ...root, entries: [{ key: "hooks", node: hooks }] };
  const entries = hooks.entries.flatMap(({ key, node }) => {
    const here = Object.hasOwn(table.events, key) ? table.events[key] : undefined;
    if (here) return [{ key: here.event, node: groupsOf(node, here, table) }];
    const why = Object.hasOwn(table.absent, key) ? ` (${table.absent[key]})` : "";
    report(
      "warning",
      node,
      `Wave has nothing for the event ${key} of ${table.agent}${why}, so its hooks do not run`,
    );
    return [];
  });
  return { ...root, entries: [{ key: "hooks", node: { ...hooks, entries: asOne(entries) } }] };
}

/** Several events of theirs may be one of Wave's. */
function asOne(entries: SettingsObject["entries"]): SettingsObject["entries"] {
  const joined: SettingsObject["entries"] = [];
  for (const { key, node } of entries) {
    const at = joined.findIndex((one) => one.key === key && one.node.type === "list");
    const before = joined[at]?.node;
    if (before?.type !== "list" || node.type !== "list") joined.push({ key, node });
    else joined[at] = { key, node: { ...before, items: [...before.items, ...node.items] } };
  }
  return joined;
}

function groupsOf(node: SettingsNode, here: EventHere, table: EventTable): SettingsNode {
  if (node.type !== "list") return node;
  const items = node.items.map((item) => {
    if (item.type !== "object") return item;
    // Both forms are common: some agents read each other's files.
    if (table.shape === "groups" || fieldOf(item, "hooks")) return groupHere(item, here, table);
    const { matcher, ...rest } = split(item);
    return group(item, { matcher, list: [table.entry(rest.entry, here.event)] }, here);
  });
  return { ...node, items };
}

function groupHere(item: SettingsObject, here: EventHere, table: EventTable): SettingsObject {
  const entries = item.entries.map(({ key, node }) => {
    if (key !== "hooks" || node.type !== "list") return { key, node };
    const items = node.items.map((one) => (one.type === "object" ? table.entry(one, here.event) : one));
    return { key, node: { ...node, items } };
  });
  return withMatcher({ ...item, entries }, here);
}

function split(item: SettingsObject): { matcher: SettingsNode | undefined; entry: SettingsObject } {
  const entries = item.entries.filter(({ key }) => key !== "matcher");
  return { matcher: fieldOf(item, "matcher"), entry: { ...item, entries } };
}

function group(
  place: SettingsObject,
  { matcher, list }: { matcher: SettingsNode | undefined; list: SettingsNode[] },
  here: EventHere,
): SettingsObject {
  const { path, line } = place;
  const made: SettingsObject = {
    path,
    line,
    type: "object",
    entries: [
      ...(matcher ? [{ key: "matcher", node: matcher }] : []),
      { key: "hooks", node: { path, line, type: "list", items: list } },
    ],
  };
  return withMatcher(made, here);
}

/** The tools that an event is about narrow it, whatever its own matcher looks at. */
function withMatcher(made: SettingsObject, { matcher }: EventHere): SettingsObject {
  if (matcher === undefined) return made;
  const node: SettingsNode = { path: made.path, line: made.line, type: "value", value: matcher };
  return {
    ...made,
    entries: [{ key: "matcher", node }, ...made.entries.filter(({ key }) => key !== "matcher")],
  };
}

/** An entry with fields renamed, changed or left out. `undefined`: it is left out. */
export function withFields(
  entry: SettingsObject,
  change: (key: string, node: SettingsNode) => { key: string; node: SettingsNode } | undefined,
  added: Readonly<Record<string, unknown>> = {},
): SettingsObject {
  const entries = entry.entries.flatMap(({ key, node }) => change(key, node) ?? []);
  const more = Object.entries(added)
    .filter(([key]) => !entries.some((one) => one.key === key))
    .map(([key, value]) => ({
      key,
      node: { path: entry.path, line: entry.line, type: "value" as const, value },
    }));
  return { ...entry, entries: [...entries, ...more] };
}

/** Milliseconds as seconds; what is no number stays what it is, and is reported as such. */
export function inSeconds(node: SettingsNode): SettingsNode {
  return node.type === "value" && typeof node.value === "number"
    ? { ...node, value: node.value / 1_000 }
    : node;
}
