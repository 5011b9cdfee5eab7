import type { z } from "zod";
import { settingsSchema } from "../../packages/agent-sdk/src/workspace/settings/schema.ts";
import { valueOf } from "./hookTables.ts";
import { code, table, type Row } from "./markdown.ts";
import { jsonSchemaOf } from "./schemas.ts";

/** Every key of a settings file, with those inside it. What is inside `hooks` has a page of its own. */
export function settingsTable(): string {
  return table(["Key", "Value", "Meaning"], rowsOf(jsonSchemaOf(settingsSchema()), ""));
}

type Schema = z.core.JSONSchema.BaseSchema;

function rowsOf(schema: Schema, before: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (typeof field === "boolean") return [];
    const row = [code(before + name), valueOf(field), field.description ?? ""];
    if (name === "hooks") return [row];
    // A key that takes a word or an object has the fields of the object; those that need no words are like the key itself.
    const inside = [field, ...(field.anyOf ?? [])].flatMap((one) => rowsOf(one, `${before}${name}.`));
    return [row, ...inside.filter(([, , meaning]) => meaning !== "")];
  });
}
