import { z } from "zod";
import { HOOK_EVENT_NAMES, type HookEvent } from "../../hooks/events.ts";
import { mcpServersSchema } from "../../hooks/mcpServers.ts";
import { entrySchema } from "../../hooks/kinds/kinds.ts";
import { PERMISSION_MODES } from "../../permissions/modes.ts";
import { screenShape } from "../../hooks/screenSettings.ts";
import { once } from "../../utils/once.ts";
import { baseUrlSchema, providerIdSchema, providerSchema } from "./providersSchema.ts";
import {
  namesSchema,
  onErrorSchema,
  sandboxModeSchema,
  says,
  textSchema,
  trueOrFalse,
} from "./fieldSchemas.ts";
import { AGENTS_READ } from "./sources.ts";

/**
 * Settings as people write them. The checks when a file is loaded, the JSON Schema for editors and the sentences about a
 * wrong value ("timeout must be …") all come from here.
 */

const NAMED_AGENTS = `must be a list with ${AGENTS_READ.map((id) => `"${id}"`).join(", ")} in it, or an empty one`;
const CHARACTERS = "must be a whole number of characters from 100 to 1000000";
const CHARACTERS_BY_EVENT = `${CHARACTERS}, or an object with one for some events, such as {"SessionStart": 40000}`;
const rules = says("must be a list of rules");
const aRule = says('must be a text such as "Bash(git status:*)"');
const PATHS = "must be a list of paths";
const subAgents = says("must be a whole number from 1 to 32");
const tokens = says("must be a whole number of tokens above 0, such as 128000");

export const hookDefaultsSchema = once(() =>
  z.strictObject({
    onError: onErrorSchema()
      .optional()
      .describe("For every hook that does not say it itself. Of several files the strictest counts."),
  }),
);

/** One word, or an object with more to say. */
export const sandboxSchema = once(() =>
  z.union([
    sandboxModeSchema(),
    z.strictObject({
      mode: sandboxModeSchema()
        .optional()
        .describe(
          "off: commands run as they are. reading: those that nobody said yes to run read-only where a sandbox can be had; the default. auto: all run in a sandbox where it can be had. required: not without it.",
        ),
      network: trueOrFalse()
        .optional()
        .describe("Whether commands in the sandbox reach the network. Default true."),
      writable: z
        .array(z.string(says(PATHS)).regex(/\S/, says(PATHS)), says(PATHS))
        .optional()
        .describe(
          "Folders that can be written besides the project and the temporary folder. Not read from a project's files.",
        ),
    }),
  ]),
);

export const hookGroupSchema = once(() =>
  z.strictObject({
    matcher: z
      .string(says('must be a text such as "Bash|Edit"'))
      .optional()
      .describe("Which tools the hooks are for. Nothing, an empty text and * match all."),
    sequential: trueOrFalse()
      .optional()
      .describe(
        "The hooks run one after the other, each seeing the input as those before it changed it; a deny ends the row.",
      ),
    hooks: z.array(entrySchema()),
  }),
);

const eventsShape = () =>
  Object.fromEntries(
    HOOK_EVENT_NAMES.map((event) => [event, z.array(hookGroupSchema()).optional()]),
  ) as Record<HookEvent, z.ZodOptional<z.ZodArray<ReturnType<typeof hookGroupSchema>>>>;

export const permissionModeSchema = once(() =>
  z.enum(PERMISSION_MODES, says(`must be one of ${PERMISSION_MODES.join(", ")}`)),
);

export const ruleSchema = once(() => z.string(aRule).regex(/\S/, aRule));
export const ruleListSchema = (rule = ruleSchema()) => z.array(rule, rules);
const ruleList = () => ruleListSchema().optional();

export const permissionsSchema = once(() =>
  z.strictObject({
    allow: ruleList().describe("Calls that run without a question."),
    ask: ruleList().describe("Calls that are always asked about."),
    deny: ruleList().describe("Calls that never run."),
    defaultMode: permissionModeSchema().optional().describe("The permission mode a session starts in."),
  }),
);

export const sessionsSchema = once(() =>
  z.strictObject({
    keepDays: z
      .number(says("must be a number of days above 0"))
      .positive(says("must be a number of days above 0"))
      .optional()
      .describe("Sessions older than this are deleted. Without it none ever is."),
  }),
);

/** Less would leave nothing of a sentence; more no hook can print. */
const characters = once(() =>
  z
    .number(says(CHARACTERS))
    .int(says(CHARACTERS))
    .min(100, says(CHARACTERS))
    .max(1_000_000, says(CHARACTERS)),
);

const limitsShape = () =>
  Object.fromEntries(HOOK_EVENT_NAMES.map((event) => [event, characters().optional()])) as Record<
    HookEvent,
    z.ZodOptional<ReturnType<typeof characters>>
  >;

const ofADay = says("must be a number of seconds, more than 0 and at most 86400");
export const modelTimeoutSchema = once(() => z.number(ofADay).positive(ofADay).max(86_400, ofADay));

export const settingsSchema = once(() =>
  z.strictObject({
    $schema: z
      .string(says("must be a text"))
      .optional()
      .describe("Where an editor finds the schema of this file. Wave does not use it."),
    hooks: z
      .strictObject(eventsShape())
      .optional()
      .describe("Programs to run at important moments, by event."),
    hooksFrom: z
      .array(z.enum(AGENTS_READ, says(NAMED_AGENTS)), says(NAMED_AGENTS))
      .optional()
      .describe(
        "Other agents whose hooks in your home folder Wave runs, too: those of Claude Code in ~/.claude/settings.json. Not read from a project's files.",
      ),
    allowedHttpHookUrls: namesSchema()
      .optional()
      .describe(
        "The only addresses that hooks of type http may have, with * for any text. Of several files all must allow it. Not read from a project's files.",
      ),
    httpHookAllowedEnvVars: namesSchema()
      .optional()
      .describe(
        "The only variables that headers of such hooks may have. Of several files all must allow it. Not read from a project's files.",
      ),
    hookDefaults: hookDefaultsSchema().optional().describe("What holds for all hooks."),
    hookContextLimit: z
      .union([characters(), z.strictObject(limitsShape())], says(CHARACTERS_BY_EVENT))
      .optional()
      .describe(
        "How many characters of one hook's text the model gets, for all events or by event. Default 16 KiB. Not read from a project's files.",
      ),
    permissions: permissionsSchema().optional().describe("Rules for tool calls."),
    model: textSchema().optional().describe("The model to use. --model and WAVE_MODEL come before it."),
    contextSize: z
      .number(tokens)
      .int(tokens)
      .positive(tokens)
      .optional()
      .describe("How many tokens the model takes. Without it Wave knows it of well-known models only."),
    baseUrl: baseUrlSchema()
      .optional()
      .describe(
        "Where the model server is. Not read from a project's files. WAVE_BASE_URL and OPENAI_BASE_URL come before it.",
      ),
    providers: z
      .record(providerIdSchema(), providerSchema())
      .optional()
      .describe(
        'Where providers of models are and what is sent to them, by the name before the "/" of their models: openai, anthropic, google, openrouter, or one of your own. Not read from a project\'s files.',
      ),
    modelTimeout: modelTimeoutSchema()
      .optional()
      .describe(
        "After how many seconds without a word of an answer Wave gives up waiting. Default 300. Not read from a project's files. WAVE_MODEL_TIMEOUT comes before it.",
      ),
    maxSubagents: z
      .int(subAgents)
      .min(1, subAgents)
      .max(32, subAgents)
      .optional()
      .describe(
        "How many sub-agents work at the same time; the others wait. Default 4. Not read from a project's files.",
      ),
    env: z
      .record(z.string(), z.string(says('must be text in quotes, such as "1"')))
      .optional()
      .describe("Environment variables for tools and hooks."),
    sandbox: sandboxSchema()
      .optional()
      .describe("Whether commands of tools and hooks run in a sandbox. Default reading."),
    protectEnv: namesSchema()
      .optional()
      .describe("Variables that no settings file but the managed one sets."),
    mcpServers: mcpServersSchema()
      .optional()
      .describe("MCP servers by name. Those of a project's files start once you have approved them."),
    sessions: sessionsSchema().optional().describe("How sessions are kept. Not read from a project's files."),
    ...screenShape(),
  }),
);
