import type { z } from "zod";
import { fieldOf, plainValue, type SettingsNode, type SettingsObject } from "./node.ts";
import { whyWrong } from "./problem.ts";

/** The value of a field; undefined when it is absent or wrong, and then `onWrong` hears why. */
export function readField<T>(
  node: SettingsObject,
  key: string,
  schema: z.ZodType<T>,
  onWrong: (why: string, field: SettingsNode) => void,
): T | undefined {
  const field = fieldOf(node, key);
  if (field === undefined) return undefined;
  const parsed = schema.safeParse(plainValue(field));
  if (!parsed.success) onWrong(whyWrong(key, parsed.error, field), field);
  return parsed.data;
}
