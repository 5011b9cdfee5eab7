import { z } from "zod";
import { tool } from "@/options/tool.ts";

/** A value that is wrong in one place, and the path of that place. */
export interface Wrong {
  value: unknown;
  path: string;
  /** Of a misspelt name: the field that is missing then. */
  missing?: string;
  how: string;
}

/** Values of all kinds. Of each schema some fit, and all others must be refused. */
const KINDS: readonly unknown[] = [
  "x",
  "",
  " ",
  5,
  0,
  -1,
  1.5,
  Number.NaN,
  true,
  null,
  {},
  [],
  ["x"],
  () => undefined,
  /x/,
  new Map([["x", []]]),
  Promise.resolve({}),
  new (class Odd {
    x = [];
  })(),
  Symbol("x"),
  10n,
];

/** Of these one has to fit: a new kind of text or object needs a sample here. */
const SAMPLES: readonly unknown[] = [
  "http://localhost:1/v1",
  "a".repeat(64),
  "Bash(ls:*)",
  "Bash",
  "x",
  new AbortController().signal,
  z.object({}),
  tool({ name: "Mine", description: "x", input: z.object({}), run: () => "x" }),
];

/** A value that fits. */
export function sampleOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodOptional) return sampleOf(schema.unwrap());
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodNumber) return 5;
  if (schema instanceof z.ZodArray) return [sampleOf(schema.element)];
  if (schema instanceof z.ZodRecord) return { A: sampleOf(schema.valueType) };
  if (schema instanceof z.ZodUnion) return sampleOf(schema.options.at(-1) ?? z.never());
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.core.$ZodType>(schema.shape).filter(([, field]) => canBeThere(field));
    return Object.fromEntries(fields.map(([key, field]) => [key, sampleOf(field)]));
  }
  const fits = [...SAMPLES, ...KINDS].find((value) => z.safeParse(schema, value).success);
  if (fits === undefined) throw new Error("no sample fits a new kind of option; add one to SAMPLES");
  return fits;
}

/** A field that is only there to be refused with a sentence of its own has no right value. */
const canBeThere = (schema: z.core.$ZodType): boolean =>
  !(schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodUnknown);

/** Every way to be wrong in one place: of a schema, and of everything in it. */
export function wrongValues(schema: z.core.$ZodType, path: string): Wrong[] {
  if (schema instanceof z.ZodOptional) return wrongValues(schema.unwrap(), path);
  const kinds = KINDS.filter((value) => !z.safeParse(schema, value).success).map((value) => ({
    value,
    path,
    how: `${path} = ${describe(value)}`,
  }));
  return [...kinds, ...wrongInside(schema, path)];
}

function wrongInside(schema: z.core.$ZodType, path: string): Wrong[] {
  if (schema instanceof z.ZodEnum)
    return slipsOf(String(schema.options[0])).map((value) => ({ value, path, how: `${path} = ${value}` }));
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => wrongInside(option, path));
  if (schema instanceof z.ZodRecord)
    return wrongValues(schema.valueType, `${path}.A`)
      .filter(({ value }) => value !== undefined)
      .map((wrong) => ({ ...wrong, value: { A: wrong.value } }));
  if (schema instanceof z.ZodArray) {
    const one = sampleOf(schema.element);
    const instead = z.safeParse(schema, one).success
      ? []
      : [{ value: one, path, how: `${path} without its list` }];
    const inside = wrongValues(schema.element, `${path}[0]`).map((wrong) => ({
      ...wrong,
      value: [wrong.value],
    }));
    return [...instead, ...inside];
  }
  if (!(schema instanceof z.ZodObject)) return [];
  const right = sampleOf(schema) as Record<string, unknown>;
  return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([key, field]) => {
    const { [key]: value, ...others } = right;
    const misspelt = slipsOf(key).map((slip) => ({
      value: { ...others, [slip]: value ?? "x" },
      path: `${path}.${slip}`,
      missing: `${path}.${key}`,
      how: `${path}.${slip} instead of ${key}`,
    }));
    const inside = wrongValues(field, `${path}.${key}`).map((wrong) => ({
      ...wrong,
      value: { ...right, [key]: wrong.value },
    }));
    return [...misspelt, ...inside];
  });
}

/** What fingers make of a name: two letters swapped, one too many, one too few, another case. */
export function slipsOf(name: string): string[] {
  const swapped = name.length < 2 ? name : name.slice(0, -2) + name.slice(-1) + name.slice(-2, -1);
  const slips = [swapped, `${name}x`, name.slice(0, -1), name.toUpperCase()];
  return [...new Set(slips)].filter((slip) => slip !== name && slip !== "");
}

const describe = (value: unknown) =>
  typeof value === "object" && value !== null ? Object.prototype.toString.call(value) : String(value);
