import { z } from "zod";
import { OptionsError } from "../errors.ts";
import { textSchema, says } from "../workspace/settings/fieldSchemas.ts";
import { OwnTool, type OwnToolDefinition } from "../ownTool.ts";
import { isPlainObject } from "../utils/kindOfValue.ts";
import { problemsOf } from "./problems.ts";
import { isStandardSchema, jsonSchemaOf } from "./standardSchema.ts";

/** Model servers take no others, and a rule that names the tool means nothing else. */
const NAME = says("must be at most 64 letters, digits, _ and -, beginning with a letter");

const paths = () => z.array(textSchema()).optional();
const touchesSchema = () => z.strictObject({ reads: paths(), writes: paths(), network: paths() });

const definitionSchema = () =>
  z.strictObject({
    name: z
      .string(NAME)
      .regex(/^[A-Za-z][\w-]{0,63}$/, NAME)
      .refine((name) => !name.startsWith("mcp__"), says("must not begin with mcp__, as MCP tools do")),
    description: textSchema(),
    input: z.custom(
      isStandardSchema,
      says("must be a Standard Schema, such as z.object({ id: z.string() })"),
    ),
    parameters: z.custom(isPlainObject, says("must be a JSON Schema")).optional(),
    touches: z
      .union(
        [touchesSchema(), z.custom((value) => typeof value === "function")],
        says("must be an object such as { reads: [] }, or a function that returns one"),
      )
      .optional(),
    run: z.custom((value) => typeof value === "function", says("must be a function")),
  });

/** What a function said about a call, where it makes sense. */
export const readTouches = (value: unknown) => touchesSchema().safeParse(value).data;

/** A tool of one's own, for `tools` of Agent.create. Throws OptionsError for a definition that cannot work. */
export function tool<Input>(definition: OwnToolDefinition<Input>): OwnTool {
  if (!isPlainObject(definition))
    throw new OptionsError([
      { path: "tool", problem: "must be an object such as { name, description, input, run }" },
    ]);
  const problems = problemsOf(definitionSchema(), definition, "tool");
  if (problems.length > 0) throw new OptionsError(problems);
  const copy = { ...definition } as OwnToolDefinition<unknown>;
  return new OwnTool(copy, parametersOf(copy));
}

function parametersOf({ parameters, input }: OwnToolDefinition<unknown>): Record<string, unknown> {
  const described = parameters ?? jsonSchemaOf(input, "tool.input", "tool.parameters");
  const { $schema: _, ...schema } = described;
  if (schema["type"] !== "object")
    throw new OptionsError([
      { path: "tool.input", problem: "must describe an object: models send named fields" },
    ]);
  return structuredClone(schema);
}
