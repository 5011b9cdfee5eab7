import type { Node } from "jsonc-parser";
import { isPlainObject, kindOfValue } from "../../utils/kindOfValue.ts";
import { quoted } from "../../utils/quoted.ts";

/**
 * A value of the settings together with its place. Objects keep their entries as a list: a name that is written twice is
 * then visible, and a name such as `__proto__` is only a name.
 */
export type SettingsNode = NodePlace & (ObjectNode | ListNode | { type: "value"; value: unknown });

export interface NodePlace {
  /** JSON path from the top of the file; empty for the top itself. */
  path: string;
  line: number | undefined;
}

interface ObjectNode {
  type: "object";
  entries: { key: string; node: SettingsNode }[];
}

interface ListNode {
  type: "list";
  items: SettingsNode[];
}

export type SettingsObject = NodePlace & ObjectNode;

/** What a JSON file says. `lineAt` turns an offset into a line number. */
export function nodeOfJson(json: Node, lineAt: (offset: number) => number, path = ""): SettingsNode {
  const place = { path, line: lineAt(json.offset) };
  if (json.type === "array") {
    const items = (json.children ?? []).map((item, index) => nodeOfJson(item, lineAt, `${path}[${index}]`));
    return { ...place, type: "list", items };
  }
  if (json.type !== "object") return { ...place, type: "value", value: json.value };

  const entries = (json.children ?? []).flatMap(({ children: [name, value] = [] }) => {
    if (name === undefined || value === undefined) return [];
    const key = String(name.value);
    const node = nodeOfJson(value, lineAt, pathTo(path, key));
    return [{ key, node: { ...node, line: lineAt(name.offset) } }];
  });
  return { ...place, type: "object", entries };
}

/** Deeper than any setting goes; an object of the host program may contain itself. */
const MAX_DEPTH = 12;

/** What a host program passed to Agent.create. Fields with the value undefined count as absent, as usual in TypeScript. */
export function nodeOfValue(value: unknown, path: string, depth = 0): SettingsNode {
  const place = { path, line: undefined };
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH)
    return { ...place, type: "value", value };
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => nodeOfValue(item, `${path}[${index}]`, depth + 1));
    return { ...place, type: "list", items };
  }
  // A promise that nobody waited for, or a Map, has no fields: as an object without entries it would mean "no hooks".
  if (!isPlainObject(value)) return { ...place, type: "value", value };
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => ({ key, node: nodeOfValue(item, pathTo(path, key), depth + 1) }));
  return { ...place, type: "object", entries };
}

/** The field of that name; the last one where there are several, as JSON has it. */
export function fieldOf(node: SettingsObject, key: string): SettingsNode | undefined {
  return node.entries.findLast((entry) => entry.key === key)?.node;
}

/** All fields of that name, where each of them counts. */
export function fieldsOf(node: SettingsObject, key: string): SettingsNode[] {
  return node.entries.flatMap((entry) => (entry.key === key ? [entry.node] : []));
}

/** The value as a schema checks it. Only for lists and single values: objects are read field by field. */
export function plainValue(node: SettingsNode): unknown {
  if (node.type === "value") return node.value;
  if (node.type === "list") return node.items.map(plainValue);
  return Object.fromEntries(node.entries.map(({ key, node: field }) => [key, plainValue(field)]));
}

/** For "not …" in a sentence. */
export function kindOf(node: SettingsNode): string {
  if (node.type === "list") return "a list";
  if (node.type === "object") return "an object";
  return typeof node.value === "string" ? quoted(node.value) : kindOfValue(node.value);
}

export function pathTo(path: string, key: string): string {
  const isPlain = /^[\w$-]+$/.test(key);
  if (!isPlain) return `${path}[${quoted(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
