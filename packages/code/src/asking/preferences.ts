import { z } from "zod";

/** What the dialogs and the history show by default. The caller keeps them between sessions. */
export const userPreferencesSchema = z.strictObject({
  /** "fields": what the call does, in a person's words, then every field. "json": the input as the tool gets it. */
  dialogShows: z.enum(["fields", "json"]).default("fields"),
  historyShows: z.enum(["everything", "decisions", "problems"]).default("decisions"),
  /** How many entries the history keeps, and for how many minutes. */
  historyEntries: z.int().min(10).max(5000).default(500),
  historyMinutes: z.int().min(1).max(1440).default(120),
});

export type UserPreferences = z.infer<typeof userPreferencesSchema>;

export const DEFAULT_PREFERENCES: UserPreferences = userPreferencesSchema.parse({});

export type ReadPreferences =
  | { valid: true; preferences: UserPreferences }
  /** One sentence: what is wrong, and where. */
  | { valid: false; problem: string };

/** Takes all of it or nothing: half of what somebody chose would be a third thing that nobody chose. */
export function readPreferences(value: unknown): ReadPreferences {
  const read = userPreferencesSchema.safeParse(value);
  if (read.success) return { valid: true, preferences: read.data };
  const issues = read.error.issues.map(({ path, message }) =>
    [path.join("."), message].filter(Boolean).join(": "),
  );
  return { valid: false, problem: `These preferences cannot be used: ${issues.join("; ")}.` };
}
