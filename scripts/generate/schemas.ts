import { z } from "zod";
import { HOOK_EVENT_NAMES, HOOK_EVENTS } from "../../packages/agent-sdk/src/hooks/events.ts";
import { settingsSchema } from "../../packages/agent-sdk/src/workspace/settings/schema.ts";

/** Every JSON Schema file, by its path in the repository. */
export function schemaFiles(): Map<string, string> {
  const files = new Map([["schemas/settings.schema.json", written("Settings of Wave", settingsSchema())]]);
  for (const event of HOOK_EVENT_NAMES) {
    const { input, output } = HOOK_EVENTS[event];
    const path = `schemas/hooks/${kebab(event)}`;
    files.set(`${path}.input.schema.json`, written(`What a ${event} hook reads on stdin`, input()));
    files.set(`${path}.output.schema.json`, written(`What a ${event} hook may print`, output()));
  }
  return files;
}

/** "input": later versions add fields to what hooks read, and fields that Wave does not know are ignored. */
export function jsonSchemaOf(schema: z.ZodType): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(schema, { io: "input" });
}

function written(title: string, schema: z.ZodType): string {
  const { $schema, ...rest } = jsonSchemaOf(schema);
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}

function kebab(event: string): string {
  return event.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}
