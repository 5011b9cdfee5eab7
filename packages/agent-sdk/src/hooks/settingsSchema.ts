import { z } from "zod";
import { PERMISSION_MODES } from "../permissions/modes.ts";
import { HOOK_EVENT_NAMES, type HookEvent } from "./events.ts";

/**
 * Settings as people write them. The checks when a file is loaded, the JSON Schema for editors and the sentences about a
 * wrong value ("timeout must be …") all come from here.
 */

export const DEFAULT_TIMEOUT_SECONDS = 60;
/** Beyond this, somebody probably thought in milliseconds. */
export const LONG_TIMEOUT_SECONDS = 600;
/** A timer of Node counts milliseconds in 31 bits; a longer one would fire at once. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

const says = (error: string) => ({ error });

const aString = says("must be a text that is not empty");
const seconds = says(`must be a number of seconds above 0 and at most ${MAX_TIMEOUT_SECONDS}`);
const names = says("must be a list of names");
const rules = says("must be a list of rules");

export const commandHookSchema = z.strictObject({
  type: z.literal("command").describe("What kind of hook. Commands are the only kind so far."),
  command: z
    .string(aString)
    .regex(/\S/, aString)
    .describe("A shell command, or the path of a script. Runs in the project root."),
  timeout: z
    .number(seconds)
    .positive(seconds)
    .max(MAX_TIMEOUT_SECONDS, seconds)
    .optional()
    .describe(`Seconds until the hook is ended. Default ${DEFAULT_TIMEOUT_SECONDS}.`),
  name: z.string(aString).regex(/\S/, aString).optional().describe("What messages call this hook."),
  onError: z
    .enum(["continue", "ask", "block"], says('must be "continue", "ask" or "block"'))
    .optional()
    .describe("What happens when the hook cannot decide. Default continue."),
  passEnv: z
    .array(z.string(names), names)
    .optional()
    .describe("Variables that Wave would otherwise keep from the hook, such as the key of the model."),
});

export const hookGroupSchema = z.strictObject({
  matcher: z
    .string(says('must be a text such as "Bash|Edit"'))
    .optional()
    .describe("Which tools the hooks are for. Nothing, an empty text and * match all."),
  hooks: z.array(commandHookSchema),
});

const eventsShape = Object.fromEntries(
  HOOK_EVENT_NAMES.map((event) => [event, z.array(hookGroupSchema).optional()]),
) as Record<HookEvent, z.ZodOptional<z.ZodArray<typeof hookGroupSchema>>>;

export const permissionsSchema = z.strictObject({
  allow: z
    .array(z.string(rules).regex(/\S/, aString), rules)
    .optional()
    .describe("Calls that run without a question."),
  ask: z
    .array(z.string(rules).regex(/\S/, aString), rules)
    .optional()
    .describe("Calls that are always asked about."),
  deny: z.array(z.string(rules).regex(/\S/, aString), rules).optional().describe("Calls that never run."),
  defaultMode: z
    .enum(PERMISSION_MODES, says(`must be one of ${PERMISSION_MODES.join(", ")}`))
    .optional()
    .describe("The permission mode a session starts in."),
});

export const sessionsSchema = z.strictObject({
  keepDays: z
    .number(says("must be a number of days above 0"))
    .positive(says("must be a number of days above 0"))
    .optional()
    .describe("Sessions older than this are deleted. Without it none ever is."),
});

export const settingsSchema = z.strictObject({
  $schema: z.string(aString).optional(),
  hooks: z.strictObject(eventsShape).optional().describe("Programs to run at important moments, by event."),
  permissions: permissionsSchema.optional().describe("Rules for tool calls."),
  model: z.string(aString).regex(/\S/, aString).optional().describe("The model to use."),
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be an address such as "http://localhost:11434/v1"' })
    .optional()
    .describe("Where the model server is. Not read from a project's files."),
  env: z
    .record(z.string(), z.string(says('must be text in quotes, such as "1"')))
    .optional()
    .describe("Environment variables for tools and hooks."),
  sessions: sessionsSchema.optional(),
});
