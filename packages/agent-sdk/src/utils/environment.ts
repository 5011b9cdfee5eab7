import { delimiter } from "node:path";
import { READING_VARIABLES } from "wave-shell-reader";
import { MODEL_PROVIDERS } from "./modelProviders.ts";
import { isSecretName, maskSecrets, SHORTEST_SECRET } from "./maskSecrets.ts";

export interface ChildEnvironment {
  /** What every process started for the user gets. */
  env: Record<string, string>;
  /** What was taken out because it is a secret; a process gets it back only by naming it. */
  withheld: Record<string, string>;
}

/** The variables whose values open a model's door, whichever of them is used (in the order in which they are looked up). */
const MODEL_KEYS = ["WAVE_API_KEY", ...MODEL_PROVIDERS.flatMap(({ keys }) => keys)];

const keyNames = ({ providers = {} }: GivenKeys) => [
  ...MODEL_KEYS,
  ...Object.values(providers).flatMap(({ keyVariable = [] }) => keyVariable),
];

/** Some servers take the key as a part of their address. */
const MODEL_ADDRESSES = [
  "WAVE_BASE_URL",
  "OPENAI_BASE_URL",
  ...MODEL_PROVIDERS.flatMap(({ baseUrlVariable = [] }) => baseUrlVariable),
];

/** What the program and the settings say about keys, beside the variables that Wave knows by itself. */
export interface GivenKeys {
  apiKey?: string | undefined;
  /** Of the settings: a provider may have its key in a variable of any name. */
  providers?: Readonly<Record<string, { keyVariable?: string | undefined }>> | undefined;
}

/** The keys of all models: those of the environment, and one that was given in another way. */
export function modelKeysOf(
  own: Readonly<Record<string, string | undefined>>,
  given: GivenKeys = {},
): string[] {
  const keys = [given.apiKey, ...keyNames(given).map((name) => own[name])].map((key) => key?.trim() ?? "");
  return [...new Set(keys.filter((key) => key.length >= SHORTEST_SECRET))];
}

/**
 * Makes the environment for hooks and tools out of the one this program was started with. A key of the model that came in
 * another way may be there all the same, under a name of the user's.
 */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  given: GivenKeys = {},
): ChildEnvironment {
  const keys = modelKeysOf(own, given);
  const opensTheModel = (name: string, value: string) =>
    keyNames(given).includes(name) ||
    keys.some((key) => value === key || (key.length >= 16 && value.includes(key))) ||
    (MODEL_ADDRESSES.includes(name) && /\/\/[^/]*@/.test(value));
  const env: Record<string, string> = {};
  const withheld: Record<string, string> = {};
  for (const [name, value] of Object.entries(withoutNpm(own))) {
    if (value === undefined) continue;
    if (opensTheModel(name, value)) withheld[name] = value;
    else env[name] = value;
  }
  return { env, withheld };
}

/** A shell reads the file these name before the command it was given: a profile by another name. */
const SHELL_STARTUP = /^(?:BASH_ENV|ENV)$/;
/** These make programs load other code, or git work on another repository than the one it stands in. */
const STEERING = /^(?:NODE_OPTIONS|LD_PRELOAD|LD_AUDIT|GIT_.*)$/;

/** What every hook gets from Wave, whatever else is set. */
export const SET_BY_WAVE: ReadonlySet<string> = new Set([
  "WAVE_PROJECT_DIR",
  "CLAUDE_PROJECT_DIR",
  "WAVE_SESSION_ID",
  "CLAUDECODE",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_ENV_FILE",
  "WAVE_HOOK_EVENT",
  "WAVE_ARGS_CUT",
]);

/**
 * What a hook gets of the environment of tools: nothing that steers programs, and when it came with the project nothing that
 * looks like a key. It gets back what it names. What settings set was meant for hooks, too.
 */
export function hookVariables(
  { env, withheld }: ChildEnvironment,
  hook: { ofProject: boolean; passEnv: readonly string[] },
  setBySettings: readonly string[],
): Record<string, string> {
  const isKept = (name: string) =>
    !SHELL_STARTUP.test(name) &&
    (setBySettings.includes(name) || !(STEERING.test(name) || (hook.ofProject && isSecretName(name))));
  const kept = Object.entries(env).filter(([name]) => isKept(name) || hook.passEnv.includes(name));
  const named = Object.entries(withheld).filter(([name]) => hook.passEnv.includes(name));
  return Object.fromEntries([...kept, ...named]);
}

/** What a command gets that nobody said yes to: no key, and a temporary folder that is there for it. */
export function readingEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => !mayBeSecret(name, value));
  return withoutNotes({ ...Object.fromEntries(kept), TMPDIR: "/tmp" });
}

/** Programs that write notes of their own, git's monitor and its questions for passwords are told not to, for a command that only reads. */
export function withoutNotes(env: Readonly<Record<string, string>>): Record<string, string> {
  const count = Number(env["GIT_CONFIG_COUNT"] ?? 0);
  return {
    ...env,
    ...READING_VARIABLES,
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: "core.fsmonitor",
    [`GIT_CONFIG_VALUE_${count}`]: "false",
  };
}

/** Whether a variable may open a door: by its name, by its value, or by a value that nobody could have thought up. */
const mayBeSecret = (name: string, value: string) =>
  isSecretName(name) ||
  SECRET_WORDS.test(name) ||
  HOLDS_PASSWORD.test(value) ||
  maskSecrets(value) !== value ||
  looksRandom(value);

/** More than records mask: here a name that is taken out for nothing costs an empty variable. */
const SECRET_WORDS =
  /pass(?:w|$|_)|pw$|(?:^|_)(?:pat|bearer|jwt|cookies?|login|dsn|webhook|creds?|session|conn|connection_?string)(?:_|$)/i;
/** An address with somebody in it, a hook's address, or fields of a connection. */
const HOLDS_PASSWORD =
  /:\/\/[^\s/@]+@|hooks\.slack\.com|\/webhooks?\/|(?:password|pwd|accountkey|sharedaccesskey)\s*=/i;

/** Long, without blanks and slashes, with letters and several digits: no word, no path and no version. */
const looksRandom = (value: string) =>
  value.length >= 20 &&
  /^[\w+=.~-]+$/.test(value) &&
  /[a-z]/i.test(value) &&
  (value.match(/\d/g) ?? []).length >= 4;

/**
 * `npm start` puts some thirty variables and several folders in front of PATH. A hook that runs `node`, `npm` or `git`
 * must find the user's, as if the program had been started without npm. Where npm had no part in it nothing is
 * touched: an `npm_config_registry` of the user's own stays.
 */
function withoutNpm(own: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  if (own["npm_execpath"] === undefined && own["npm_lifecycle_event"] === undefined) return { ...own };
  const isNpms = (name: string, value: string | undefined): boolean => {
    if (name.startsWith("npm_") || name === "INIT_CWD" || name === "COLOR") return true;
    if (name === "NODE") return value === own["npm_node_execpath"];
    // npm's default when neither EDITOR nor VISUAL is set. Another value is the user's.
    return name === "EDITOR" && value === "vi" && own["VISUAL"] === undefined;
  };
  const kept = Object.entries(own).filter(([name, value]) => !isNpms(name, value));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === "PATH" ? withoutNpmFolders(value) : value]),
  );
}

const NPM_FOLDER = /[\\/]node_modules[\\/]\.bin[\\/]?$|[\\/]node-gyp-bin[\\/]?$/;
const LAST_NPM_FOLDER = /[\\/]node-gyp-bin[\\/]?$/;

/** npm's folders come first and end with node-gyp-bin; a `node_modules/.bin` after that one is the user's. */
function withoutNpmFolders(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const folders = path.split(delimiter);
  const firstOther = folders.findIndex((folder) => !NPM_FOLDER.test(folder));
  const leading = firstOther === -1 ? folders : folders.slice(0, firstOther);
  const last = leading.findLastIndex((folder) => LAST_NPM_FOLDER.test(folder));
  return folders.slice(last === -1 ? leading.length : last + 1).join(delimiter);
}
