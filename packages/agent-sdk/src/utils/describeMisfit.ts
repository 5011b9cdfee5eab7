import { z } from "zod";
import { kindOfValue } from "./kindOfValue.ts";
import { quoted } from "./quoted.ts";

export interface Misfit {
  /** What the input is for; an unknown field is "not a field of" it. */
  name: string;
  schema: z.ZodType;
  input: unknown;
  issues: readonly z.core.$ZodIssue[];
}

/** What is wrong with an input, in plain words: "command is missing; cmd is not a field of Bash (fields: command, …)". */
export function describeMisfit({ name, schema, input, issues }: Misfit): string {
  const root = { name, fields: schema instanceof z.ZodObject ? Object.keys(schema.shape) : [] };
  return [...new Set(issues.map((issue) => describeIssue(issue, input, root)))].join("; ");
}

function describeIssue(
  issue: z.core.$ZodIssue,
  input: unknown,
  root: { name: string; fields: string[] },
): string {
  const place = placeOf(issue.path) || "the input";
  if (issue.code === "unrecognized_keys") {
    const atRoot = issue.path.length === 0;
    const known = atRoot && root.fields.length > 0 ? ` (fields: ${root.fields.join(", ")})` : "";
    const names = issue.keys.map(plainName);
    const are = names.length === 1 ? "is not a field" : "are not fields";
    return `${names.join(", ")} ${are} of ${atRoot ? root.name : place}${known}`;
  }
  const expected =
    describeExpectation(issue, valueAt(input, issue.path)) ??
    `does not fit: ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
  return `${place} ${expected}`;
}

/** "must be a number, not …", or "is missing"; undefined where only the schema's own words say it. */
export function describeExpectation(issue: z.core.$ZodIssue, value: unknown): string | undefined {
  const not = `not ${kindOfValue(value)}`;
  switch (issue.code) {
    case "invalid_type":
      return value === undefined
        ? "is missing"
        : `must be ${TYPES[issue.expected] ?? issue.expected}, ${not}`;
    case "too_small":
      return `must ${bound("at least", issue.minimum, issue, not)}`;
    case "too_big":
      return `must ${bound("at most", issue.maximum, issue, not)}`;
    case "invalid_value":
      return value === undefined ? "is missing" : `must be ${oneOf(issue.values)}, ${not}`;
    default:
      return undefined;
  }
}

const TYPES: Record<string, string | undefined> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const UNITS: Record<string, [one: string, many: string] | undefined> = {
  string: ["character", "characters"],
  array: ["item", "items"],
};

function bound(
  which: "at least" | "at most",
  limit: number | bigint,
  { inclusive = true, origin }: { inclusive?: boolean | undefined; origin: string },
  not: string,
): string {
  const unit = UNITS[origin];
  const edge = inclusive ? which : which === "at least" ? "more than" : "less than";
  if (unit === undefined) return `be ${edge} ${limit}, ${not}`;
  if (edge === "at least" && Number(limit) === 1) return "not be empty";
  return `have ${edge} ${limit} ${Number(limit) === 1 ? unit[0] : unit[1]}`;
}

function oneOf(values: readonly unknown[]): string {
  const all = values.map((value) => (typeof value === "string" ? quoted(value) : String(value)));
  const last = all.pop() ?? "";
  return all.length === 0 ? last : `${all.join(", ")} or ${last}`;
}

/** `edits[0].old_string`. */
function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((key, at) =>
      typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${plainName(String(key))}`,
    )
    .join("");
}

/** Names are somebody else's text: whatever is not plainly a name stands in quotes. */
function plainName(name: string): string {
  return /^[\w$-]{1,80}$/.test(name) ? name : quoted(name);
}

export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}
