import { z } from "zod";
import type { OptionProblem } from "../errors.ts";
import { pathTo } from "../workspace/settings/node.ts";
import { describeExpectation, valueAt } from "../utils/describeMisfit.ts";
import { isPlainObject, kindOfValue } from "../utils/kindOfValue.ts";
import { isTypoOf, nearestName } from "../utils/nearestName.ts";
import { quoted } from "../utils/quoted.ts";

/** Everything that is wrong with a value, each at its own path. */
export function problemsOf(schema: z.ZodType, value: unknown, path: string): OptionProblem[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).flatMap((issue) => problemsIn(issue, { schema, value, path }));
}

interface Checked {
  schema: z.ZodType;
  value: unknown;
  path: string;
}

function problemsIn(issue: z.core.$ZodIssue, checked: Checked): OptionProblem[] {
  const path = pathBelow(checked.path, issue.path);
  const value = valueAt(checked.value, issue.path);
  if (issue.code === "unrecognized_keys") {
    const fields = fieldsOf(schemaAt(checked.schema, issue.path, checked.value), value);
    return issue.keys.map((key) => unknownName(pathTo(path, key), key, `a field of ${path}`, fields));
  }
  if (issue.code === "invalid_union") {
    // Of a word or an object, an object is meant as one: what is wrong in it says more than that it is no word.
    const inside = issue.errors.find((branch) => branch.length > 0 && branch.every(isInside));
    if (inside)
      return inside.flatMap((one) =>
        problemsIn({ ...one, path: [...issue.path, ...one.path] } as z.core.$ZodIssue, checked),
      );
  }
  if (issue.code === "invalid_union" && issue.discriminator !== undefined && value === undefined) {
    const misspelt = misspeltIn(valueAt(checked.value, issue.path.slice(0, -1)), issue.discriminator);
    const above = pathBelow(checked.path, issue.path.slice(0, -1));
    if (misspelt !== undefined)
      return [unknownName(pathTo(above, misspelt), misspelt, `a field of ${above}`, [issue.discriminator])];
  }
  const nearest = nearestOf(issue, value);
  return [{ path, problem: problemWith(issue, value), ...(nearest === undefined ? {} : { nearest }) }];
}

/** The field of an object that was meant to have this name. */
const misspeltIn = (value: unknown, name: string) =>
  isPlainObject(value) ? Object.keys(value).find((key) => isTypoOf(key, name)) : undefined;

/** Not about the value as a whole, but about something in it. */
const isInside = (issue: z.core.$ZodIssue) => issue.path.length > 0 || issue.code === "unrecognized_keys";

export function unknownName(
  path: string,
  key: string,
  what: string,
  known: readonly string[],
): OptionProblem {
  const nearest = nearestName(key, known);
  if (nearest !== undefined) return { path, problem: `${quoted(key)} is not ${what}`, nearest };
  return { path, problem: `${quoted(key)} is not ${what}; there are ${known.join(", ")}` };
}

function problemWith(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === "invalid_union" && issue.discriminator !== undefined) {
    const names = namesIn(issue).map(quoted).join(" or ");
    return value === undefined ? `is missing; write ${names}` : `must be ${names}, not ${kindOfValue(value)}`;
  }
  // What the schema says itself names the right value; what it is told about a check of its own is a whole sentence.
  if (issue.code === "custom" && !issue.message.startsWith("must")) return issue.message;
  if (!issue.message.startsWith("must")) return describeExpectation(issue, value) ?? issue.message;
  if (value === undefined) return `is missing; it ${issue.message}`;
  const advice = value instanceof RegExp ? `; write it as text: ${quoted(value.source)}` : "";
  return value === "" ? issue.message : `${issue.message}, not ${kindOfValue(value)}${advice}`;
}

function nearestOf(issue: z.core.$ZodIssue, value: unknown): string | undefined {
  if (issue.code === "custom") {
    const nearest: unknown = issue.params?.["nearest"];
    return typeof nearest === "string" ? nearest : undefined;
  }
  return typeof value === "string" && value !== "" ? nearestName(value, namesIn(issue)) : undefined;
}

/** The words that would have been right. */
function namesIn(issue: z.core.$ZodIssue): string[] {
  if (issue.code === "invalid_value") return issue.values.map(String);
  if (issue.code !== "invalid_union") return [];
  const options: unknown[] = "options" in issue && Array.isArray(issue.options) ? issue.options : [];
  return [...options.map(String), ...issue.errors.flatMap((branch) => branch.flatMap(namesIn))];
}

function pathBelow(path: string, keys: readonly PropertyKey[]): string {
  return keys.reduce<string>(
    (above, key) => (typeof key === "number" ? `${above}[${key}]` : pathTo(above, String(key))),
    path,
  );
}

/** The part of a schema that a part of a value is checked with. */
function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[], value: unknown): z.core.$ZodType {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const inner = objectFor(schema, value);
  const at =
    inner instanceof z.ZodArray
      ? inner.element
      : inner instanceof z.ZodObject
        ? inner.shape[String(key)]
        : undefined;
  return at === undefined ? schema : schemaAt(at, rest, valueAt(value, [key]));
}

const fieldsOf = (schema: z.core.$ZodType, value: unknown): string[] => {
  const inner = objectFor(schema, value);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
};

/** Without what makes it optional; of several forms the one that the value has. */
function objectFor(schema: z.core.$ZodType, value: unknown): z.core.$ZodType {
  if (schema instanceof z.ZodOptional) return objectFor(schema.unwrap(), value);
  if (!(schema instanceof z.ZodUnion)) return schema;
  const objects = schema.options.filter((option) => option instanceof z.ZodObject);
  const type = valueAt(value, ["type"]);
  return objects.find(({ shape }) => isLiteral(shape["type"], type)) ?? objects[0] ?? schema;
}

const isLiteral = (schema: unknown, value: unknown) =>
  schema instanceof z.ZodLiteral && schema.safeParse(value).success;
