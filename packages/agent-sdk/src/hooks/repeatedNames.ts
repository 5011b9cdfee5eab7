import { createScanner } from "jsonc-parser";
import { knownFields } from "./outputFields.ts";
import { once } from "../utils/once.ts";

/** One object that a hook printed. */
export interface PrintedObject {
  /** What it says. Several when it has a field twice: parsers differ in which one they take, so each is heard. */
  ways: [Record<string, unknown>, ...Record<string, unknown>[]];
  /** The fields it has more than once. */
  repeated: string[];
}

/** `text` is the valid JSON of `parsed`, in which the last of equal names won. */
export function readRepeated(text: string, parsed: Record<string, unknown>): PrintedObject {
  if (!mayRepeat(text)) return { ways: [parsed], repeated: [] };
  const repeated = new Set<string>();
  const [, ...others] = waysToRead(text, (name, values) => {
    if (name === "hookSpecificOutput")
      return values.flatMap((value) => (value.trimStart().startsWith("{") ? inner(value) : [parse(value)]));
    return values.map(parse);
  });
  return { ways: [parsed, ...others], repeated: [...repeated] };

  function inner(value: string): unknown[] {
    return waysToRead(value, (_name, values) => values.map(parse));
  }

  /** With the last of each known field, then with the ones before: every value is in one of them. */
  function waysToRead(
    object: string,
    read: (name: string, values: string[]) => unknown[],
  ): Record<string, unknown>[] {
    const known = propertiesOf(object).filter(({ name }) => knownFields().has(name));
    const fields = [...Map.groupBy(known, ({ name }) => name)].map(([name, given]) => {
      if (given.length > 1) repeated.add(name);
      const different = new Set(given.toReversed().map(({ value }) => value));
      return { name, said: read(name, [...different]) };
    });
    const count = fields.reduce((most, { said }) => Math.max(most, said.length), 1);
    return Array.from({ length: count }, (_, way) =>
      Object.fromEntries(fields.map(({ name, said }) => [name, said[Math.min(way, said.length - 1)]])),
    );
  }
}

const parse = (text: string): unknown => JSON.parse(text);

const fieldNames = once(() => new RegExp(`"(${[...knownFields()].join("|")})"\\s*:`, "g"));

/** Nearly no object needs the slow look. An escaped letter can hide a name from this one. */
function mayRepeat(text: string): boolean {
  if (text.includes("\\u")) return true;
  const names = Array.from(text.matchAll(fieldNames()), ([, name]) => name);
  return new Set(names).size < names.length;
}

/** Names and values as they stand in the text of a valid object. By tokens, since no depth of nesting may end Wave. */
function propertiesOf(object: string): { name: string; value: string }[] {
  const properties: { name: string; value: string }[] = [];
  const scanner = createScanner(object, true);
  let depth = 0;
  let before = "";
  let current: { name: string; from: number } | undefined;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const at = scanner.getTokenOffset();
    const sign = object[at] ?? "";
    if ("}]".includes(sign)) depth--;
    if (current && (depth === 0 || (depth === 1 && sign === ","))) {
      properties.push({ name: current.name, value: object.slice(current.from, at) });
      current = undefined;
    } else if (depth === 1 && sign === ":") current = { name: before, from: at + 1 };
    if ("{[".includes(sign)) depth++;
    before = scanner.getTokenValue();
  }
  return properties;
}
