import type { PermissionMode } from "wave-agent-sdk";
import { collectFlags, WrongUsage, type Given } from "./collectFlags.ts";
import { COMMAND_NAMES, FLAGS, type CommandName, type FlagPlace, type OutputFormat } from "./flags.ts";
import { splitRules } from "./splitRules.ts";

/** What the flags say about a session, checked and with defaults. */
export interface SessionFlags {
  outputFormat: OutputFormat;
  includeHookEvents: boolean;
  permissionMode: PermissionMode | undefined;
  /** A session id, or "latest". */
  resume: string | undefined;
  fork: boolean;
  model: string | undefined;
  settingsFile: string | undefined;
  mcpFile: string | undefined;
  pluginDirs: readonly string[];
  maxTurns: number | undefined;
  allow: string[];
  deny: string[];
  hookScope: "all" | "no-project" | "none";
  trustHooks: string | undefined;
  allowSelfConfig: boolean;
  debug: boolean;
}

/** What the command line asks for. "interactive" is decided further by `chooseRun`, which knows the terminal. */
export type Invocation =
  | { run: "help"; about?: CommandName }
  | { run: "version" }
  | { run: "print"; prompt: string | undefined; flags: SessionFlags }
  /** `words`: those of the prompt that do not stand behind --. */
  | { run: "interactive"; prompt: string | undefined; words: readonly string[]; flags: SessionFlags }
  | { run: "acp"; flags: SessionFlags }
  | { run: "demo" }
  | { run: "init" }
  | { run: "doctor"; json: boolean; settingsFile: string | undefined; model: string | undefined }
  | {
      run: "hooks";
      words: string[];
      json: boolean;
      session: string | undefined;
      settingsFile: string | undefined;
    }
  | {
      run: "mcp";
      words: string[];
      /** Behind `--`: a command line. */
      literalWords: string[];
      json: boolean;
      inProject: boolean;
      settingsFile: string | undefined;
    }
  | { run: "permissions"; json: boolean; settingsFile: string | undefined }
  | { run: "plugin"; words: string[]; json: boolean }
  | { run: "sessions"; words: string[]; json: boolean; all: boolean; force: boolean }
  | { run: "wrong-usage"; problem: string };

/** Pure: argv without the program in, what to do out. Text that is not a flag can never become one (G26). */
export function readArgs(argv: readonly string[]): Invocation {
  try {
    return interpret(argv);
  } catch (error) {
    if (error instanceof WrongUsage) return { run: "wrong-usage", problem: error.message };
    throw error;
  }
}

function interpret(argv: readonly string[]): Invocation {
  const { given, words, literalWords } = collectFlags(argv);
  if (given.has("help")) return help(words[0]);
  if (given.has("version")) return { run: "version" };

  const command = given.has("print") ? undefined : commandOf(words[0]);
  if (command) {
    checkPlaces(given, placesOf(command), `wave ${command}`);
    return commandRun(command, { words: words.slice(1), literalWords }, given);
  }
  if (!given.has("print") && words[0] === "help" && words.length <= 2) return help(words[1]);
  if (!given.has("print") && words[0] === "version" && words.length === 1) return { run: "version" };

  checkPlaces(given, ["session"], "a session");
  const all = [...words, ...literalWords];
  const prompt = all.length > 0 ? all.join(" ") : undefined;
  const flags = sessionFlags(given);
  return given.has("print") ? { run: "print", prompt, flags } : { run: "interactive", prompt, words, flags };
}

function help(word: string | undefined): Invocation {
  const about = commandOf(word);
  return about ? { run: "help", about } : { run: "help" };
}

function checkPlaces(given: Given, places: readonly FlagPlace[], where: string): void {
  for (const name of given.keys()) {
    const flag = FLAGS.find((candidate) => candidate.name === name);
    if (flag && !flag.places.some((place) => place === "everywhere" || places.includes(place))) {
      throw new WrongUsage(`--${name} has no meaning for ${where}.`);
    }
  }
}

/** Where the flags of a command have to mean something. The sessions of an editor take those of any session. */
function placesOf(command: CommandName): readonly FlagPlace[] {
  if (command === "demo" || command === "init") return [];
  return [command === "acp" ? "session" : command];
}

/** An editor opens sessions itself, and reads one format. */
const NOT_FOR_EDITORS = ["continue", "resume", "fork", "output-format", "include-hook-events", "debug"];

function commandOf(word: string | undefined): CommandName | undefined {
  return COMMAND_NAMES.find((name) => name === word);
}

const NO_WORDS: readonly CommandName[] = ["acp", "demo", "doctor", "init", "permissions"];

function commandRun(
  command: CommandName,
  typed: { words: string[]; literalWords: string[] },
  given: Given,
): Invocation {
  const json = given.has("json");
  if (command === "mcp")
    return { run: "mcp", ...typed, json, inProject: given.has("project"), settingsFile: settingsFile(given) };
  const words = [...typed.words, ...typed.literalWords];
  if (NO_WORDS.includes(command) && words.length > 0)
    throw new WrongUsage(`wave ${command} takes no arguments, but ${JSON.stringify(words[0])} follows.`);
  switch (command) {
    case "acp":
      for (const name of NOT_FOR_EDITORS)
        if (given.has(name)) throw new WrongUsage(`--${name} has no meaning for wave acp.`);
      return { run: "acp", flags: sessionFlags(given) };
    case "demo":
    case "init":
      return { run: command };
    case "doctor":
      return {
        run: "doctor",
        json,
        settingsFile: settingsFile(given),
        model: given.get("model")?.[0],
      };
    case "hooks":
      return {
        run: "hooks",
        words,
        json,
        session: given.get("session")?.[0],
        settingsFile: settingsFile(given),
      };
    case "permissions":
      return { run: "permissions", json, settingsFile: settingsFile(given) };
    case "plugin":
      return { run: "plugin", words, json };
    case "sessions":
      return { run: "sessions", words, json, all: given.has("all"), force: given.has("force") };
  }
}

function sessionFlags(given: Given): SessionFlags {
  const one = (name: string) => given.get(name)?.[0];
  const outputFormat = (one("output-format") ?? "text") as OutputFormat;
  const includeHookEvents = given.has("include-hook-events");
  if (includeHookEvents && outputFormat !== "stream-json") {
    throw new WrongUsage("--include-hook-events needs --output-format stream-json.");
  }
  if (given.has("continue") && given.has("resume"))
    throw new WrongUsage("--continue and --resume exclude each other: keep one.");
  const resume = given.has("continue") || given.has("resume") ? (one("resume") ?? "latest") : undefined;
  if (given.has("fork") && resume === undefined)
    throw new WrongUsage("--fork needs --continue or --resume: it copies a session.");
  return {
    outputFormat,
    includeHookEvents,
    permissionMode: one("permission-mode") as PermissionMode | undefined,
    resume,
    fork: given.has("fork"),
    model: one("model"),
    settingsFile: settingsFile(given),
    mcpFile: one("mcp-config"),
    pluginDirs: given.get("plugin-dir") ?? [],
    maxTurns: turns(one("max-turns")),
    allow: rules(given, "allowed-tools"),
    deny: rules(given, "disallowed-tools"),
    hookScope: given.has("no-hooks") ? "none" : given.has("no-project-hooks") ? "no-project" : "all",
    trustHooks: fingerprint(one("trust-hooks")),
    allowSelfConfig: given.has("allow-self-config"),
    debug: given.has("debug"),
  };
}

function settingsFile(given: Given): string | undefined {
  const file = given.get("settings")?.[0];
  if (file?.trimStart().startsWith("{"))
    throw new WrongUsage(
      "--settings takes a file, and this is JSON text. Write it into a file, or in bash: --settings <(echo '{ … }')",
    );
  return file;
}

function turns(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new WrongUsage(`--max-turns needs a whole number from 1 on, not ${JSON.stringify(value)}.`);
  return Number(value);
}

function fingerprint(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!/^[0-9a-f]{64}$/i.test(value))
    throw new WrongUsage("--trust-hooks needs the 64 hexadecimal digits of a SHA-256.");
  return value.toLowerCase();
}

function rules(given: Given, name: string): string[] {
  return (given.get(name) ?? []).flatMap((value) => {
    const split = splitRules(value);
    if (split === undefined)
      throw new WrongUsage(`--${name} ${JSON.stringify(value)} has a bracket without its partner.`);
    if (split.length === 0)
      throw new WrongUsage(`--${name} ${JSON.stringify(value)} names no rule, e.g. Bash(git log:*).`);
    return split;
  });
}
