import { z } from "zod";
import { PERMISSION_MODES } from "../permissions/modes.ts";
import { SANDBOX_MODES } from "../permissions/sandboxModes.ts";
import { HOOK_EVENT_NAMES, HOOK_EVENTS, type HookEvent, type HookEventRow } from "./events.ts";
import { ON_ERROR, type FailureKind } from "./failurePolicy.ts";
import { screenShape } from "./screenSettings.ts";
import { once } from "../utils/once.ts";

/**
 * Settings as people write them. The checks when a file is loaded, the JSON Schema for editors and the sentences about a
 * wrong value ("timeout must be …") all come from here.
 */

/** Beyond this, somebody probably thought in milliseconds. */
export const LONG_TIMEOUT_SECONDS = 600;
/** A timer of Node counts milliseconds in 31 bits; a longer one would fire at once. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

const HOOK_FOLDERS = ["project", "session"] as const;

/** What a wrong value is told. */
export const says = (error: string) => ({ error });

const aString = says("must be a text that is not empty");
const seconds = says(`must be a number of seconds above 0 and at most ${MAX_TIMEOUT_SECONDS}`);
const names = says("must be a list of names");
const ARGUMENTS = 'must be a list of texts, such as ["--strict"]';
const variables = says('must be an object of names and texts, such as {"LEVEL": "strict"}');
const CHARACTERS = "must be a whole number of characters from 100 to 1000000";
const CHARACTERS_BY_EVENT = `${CHARACTERS}, or an object with one for some events, such as {"SessionStart": 40000}`;
const rules = says("must be a list of rules");
const aRule = says('must be a text such as "Bash(git status:*)"');
const PATHS = "must be a list of paths";
const tokens = says("must be a whole number of tokens above 0, such as 128000");

/** A text with something in it. */
export const textSchema = once(() => z.string(aString).regex(/\S/, aString));

const onErrorWord = once(() =>
  z.enum(ON_ERROR, says(`must be ${ON_ERROR.map((word) => `"${word}"`).join(", ")}`)),
);

const wordFor = (what: string) => onErrorWord().optional().describe(what);

/** One word for every failure, or one for each kind. */
export const onErrorSchema = once(() =>
  z.union(
    [
      onErrorWord(),
      z.strictObject({
        timeout: wordFor("It runs longer than its timeout."),
        crash: wordFor("A signal ends it, or an exit code other than 0 and 2."),
        missing: wordFor("Its program does not exist or cannot be started."),
        invalid: wordFor("What it prints, or its entry, cannot be understood."),
        default: wordFor("Every other kind."),
      } satisfies Record<FailureKind | "default", unknown>),
    ],
    says('must be "continue", "ask" or "block", or an object with one of these for each kind of failure'),
  ),
);

export const hookDefaultsSchema = once(() =>
  z.strictObject({
    onError: onErrorSchema()
      .optional()
      .describe("For every hook that does not say it itself. Of several files the strictest counts."),
  }),
);

export const sandboxModeSchema = once(() =>
  z.enum(SANDBOX_MODES, says(`must be ${SANDBOX_MODES.map((mode) => `"${mode}"`).join(", ")}`)),
);

/** One word, or an object with more to say. */
export const sandboxSchema = once(() =>
  z.union([
    sandboxModeSchema(),
    z.strictObject({
      mode: sandboxModeSchema()
        .optional()
        .describe(
          "off: commands run as they are. auto: in a sandbox where it can be had. required: not without it.",
        ),
      network: z
        .boolean(says("must be true or false"))
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

/** "Default 600, for UserPromptSubmit 30; for SessionEnd 5 together." */
function defaultTimeouts(): string {
  const rows = HOOK_EVENT_NAMES.map((event): [HookEvent, HookEventRow["time"]] => [
    event,
    HOOK_EVENTS[event].time,
  ]);
  const usual = Math.max(...rows.map(([, { seconds }]) => seconds));
  const others = rows.flatMap(([event, { seconds, shared }]) =>
    seconds === usual ? [] : [`for ${event} ${seconds}${shared ? " for all without one together" : ""}`],
  );
  return `Default ${[usual, ...others].join(", ")}.`;
}

export const commandHookSchema = once(() =>
  z.strictObject({
    type: z.literal("command").describe("What kind of hook. Commands are the only kind so far."),
    command: textSchema().describe(
      "A shell command, or the path of a script; with args the path or name of a program.",
    ),
    args: z
      .array(z.string(says(ARGUMENTS)).regex(/^[^\0]*$/, says(ARGUMENTS)), says(ARGUMENTS))
      .optional()
      .describe(
        "Arguments. With them, also with none, the command is a program that is started without a shell.",
      ),
    timeout: z
      .number(seconds)
      .positive(seconds)
      .max(MAX_TIMEOUT_SECONDS, seconds)
      .optional()
      .describe(`Seconds until the hook is ended. ${defaultTimeouts()}`),
    if: textSchema()
      .optional()
      .describe(
        "A permission rule such as Bash(git push:*): the hook runs only for calls that it may be about.",
      ),
    name: textSchema().optional().describe("What messages call this hook."),
    description: textSchema().optional().describe("What it is for, shown where hooks are listed."),
    onError: onErrorSchema()
      .optional()
      .describe("What happens when the hook cannot decide, at all or by kind of failure. Default continue."),
    onFailure: onErrorSchema().optional().describe("What Claude Code calls onError; read as it."),
    failClosed: z
      .boolean(says("must be true or false"))
      .optional()
      .describe('What Cursor has for onError; true is read as "block".'),
    shell: z
      .literal("bash", says('must be "bash"'))
      .optional()
      .describe("Accepted for files of Claude Code: commands run in bash anyway."),
    cwd: z
      .enum(HOOK_FOLDERS, says(`must be ${HOOK_FOLDERS.map((folder) => `"${folder}"`).join(" or ")}`))
      .optional()
      .describe(
        "Where it starts: in the project root, the default, or in the folder in which tools work now.",
      ),
    env: z
      .record(z.string().regex(/^[A-Za-z_]\w*$/, variables), z.string(variables), variables)
      .optional()
      .describe(
        "Variables for this hook alone. In a project's file none that change how programs are loaded.",
      ),
    protectEnv: z
      .array(z.string(names), names)
      .optional()
      .describe("Variables that the hook relies on: no settings file but the managed one sets them."),
    passEnv: z
      .array(z.string(names), names)
      .optional()
      .describe("Variables that Wave would otherwise keep from the hook, such as the key of the model."),
    sandbox: sandboxModeSchema()
      .optional()
      .describe("Another sandbox than the settings say. In a project's file only a stricter one counts."),
  }),
);

export const hookGroupSchema = once(() =>
  z.strictObject({
    matcher: z
      .string(says('must be a text such as "Bash|Edit"'))
      .optional()
      .describe("Which tools the hooks are for. Nothing, an empty text and * match all."),
    sequential: z
      .boolean(says("must be true or false"))
      .optional()
      .describe(
        "The hooks run one after the other, each seeing the input as those before it changed it; a deny ends the row.",
      ),
    hooks: z.array(commandHookSchema()),
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

export const baseUrlSchema = once(() =>
  z.url({ protocol: /^https?$/, error: 'must be an address such as "http://localhost:11434/v1"' }),
);

export const settingsSchema = once(() =>
  z.strictObject({
    $schema: z
      .string(aString)
      .optional()
      .describe("Where an editor finds the schema of this file. Wave does not use it."),
    hooks: z
      .strictObject(eventsShape())
      .optional()
      .describe("Programs to run at important moments, by event."),
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
    modelTimeout: modelTimeoutSchema()
      .optional()
      .describe(
        "After how many seconds without a word of an answer Wave gives up waiting. Default 300. Not read from a project's files. WAVE_MODEL_TIMEOUT comes before it.",
      ),
    env: z
      .record(z.string(), z.string(says('must be text in quotes, such as "1"')))
      .optional()
      .describe("Environment variables for tools and hooks."),
    sandbox: sandboxSchema()
      .optional()
      .describe("Whether commands of tools and hooks run in a sandbox. Default off."),
    protectEnv: z
      .array(z.string(names), names)
      .optional()
      .describe("Variables that no settings file but the managed one sets."),
    sessions: sessionsSchema().optional().describe("How sessions are kept. Not read from a project's files."),
    ...screenShape(),
  }),
);
