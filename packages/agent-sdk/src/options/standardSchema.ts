import { OptionsError } from "../errors.ts";
import type { StandardSchema } from "../ownTool.ts";

/** A schema as models are told it. Throws OptionsError at `path`, or at `instead` where the library cannot say it. */
export function jsonSchemaOf(schema: StandardSchema, path: string, instead: string): Record<string, unknown> {
  const { jsonSchema, vendor } = schema["~standard"];
  if (!jsonSchema)
    throw new OptionsError([
      {
        path: instead,
        problem: `is missing: schemas of ${vendor} cannot describe themselves, so give their JSON Schema here`,
      },
    ]);
  try {
    return jsonSchema.input({ target: "draft-2020-12" });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OptionsError([{ path, problem: `cannot be written as JSON Schema: ${why}` }]);
  }
}

export function isStandardSchema(value: unknown): boolean {
  // Some libraries make their schemas of functions.
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard: unknown = Reflect.get(value, "~standard");
  return (
    typeof standard === "object" &&
    standard !== null &&
    typeof Reflect.get(standard, "validate") === "function"
  );
}
