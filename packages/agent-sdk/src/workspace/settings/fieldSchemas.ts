import { z } from "zod";
import type { HookEventRow } from "../../hooks/eventRow.ts";
import { HOOK_EVENT_NAMES, HOOK_EVENTS, type HookEvent } from "../../hooks/events.ts";
import { ON_ERROR, type FailureKind } from "../../hooks/failurePolicy.ts";
import { HOOK_SANDBOX_MODES, SANDBOX_MODES } from "../../permissions/sandboxModes.ts";
import { once } from "../../utils/once.ts";

/** Fields that several parts of the settings have: what they may say, and the sentence about a wrong value. */

/** Beyond this, somebody probably thought in milliseconds. */
export const LONG_TIMEOUT_SECONDS = 600;
/** A timer of Node counts milliseconds in 31 bits; a longer one would fire at once. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

/** What a wrong value is told. */
export const says = (error: string) => ({ error });

const aString = says("must be a text that is not empty");
const seconds = says(`must be a number of seconds above 0 and at most ${MAX_TIMEOUT_SECONDS}`);
const aListOfNames = says("must be a list of names");

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

const oneOf = (modes: readonly string[]) => says(`must be ${modes.map((mode) => `"${mode}"`).join(", ")}`);

export const sandboxModeSchema = once(() => z.enum(SANDBOX_MODES, oneOf(SANDBOX_MODES)));

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

export const namesSchema = once(() => z.array(z.string(aListOfNames), aListOfNames));

export const trueOrFalse = once(() => z.boolean(says("must be true or false")));

/** What every hook may say about itself, of whatever kind it is. */
export const hookFields = once(() => ({
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
  once: trueOrFalse().optional().describe("true: it runs once in a session, and not again."),
  statusMessage: textSchema().optional().describe("What is shown while it runs."),
  failClosed: trueOrFalse().optional().describe('What Cursor has for onError; true is read as "block".'),
}));

const HOOK_FOLDERS = ["project", "session"] as const;
const variables = says('must be an object of names and texts, such as {"LEVEL": "strict"}');

/** What a hook may say about the process that it becomes. */
export const processFields = once(() => ({
  cwd: z
    .enum(HOOK_FOLDERS, says(`must be ${HOOK_FOLDERS.map((folder) => `"${folder}"`).join(" or ")}`))
    .optional()
    .describe("Where it starts: in the project root, the default, or in the folder in which tools work now."),
  env: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/, variables), z.string(variables), variables)
    .optional()
    .describe("Variables for this hook alone. In a project's file none that change how programs are loaded."),
  protectEnv: namesSchema()
    .optional()
    .describe("Variables that the hook relies on: no settings file but the managed one sets them."),
  passEnv: namesSchema()
    .optional()
    .describe("Variables that Wave would otherwise keep from the hook, such as the key of the model."),
  sandbox: z
    .enum(HOOK_SANDBOX_MODES, oneOf(HOOK_SANDBOX_MODES))
    .optional()
    .describe("Another sandbox than the settings say. In a project's file only a stricter one counts."),
}));
