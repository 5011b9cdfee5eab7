import { parseArgs } from "node:util";
import type { PermissionMode } from "wave-agent-sdk";
import { nearest } from "../utils/nearest.ts";
import {
  COMMAND_NAMES,
  FLAGS,
  type CommandName,
  type Flag,
  type FlagPlace,
  type OutputFormat,
} from "./flags.ts";
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
  maxTurns: number | undefined;
  allow: string[];
  deny: string[];
  hookScope: "all" | "no-project" | "none";
  trustHooks: string | undefined;
  debug: boolean;
}

/** What the command line asks for. "interactive" is decided further by `chooseRun`, which knows the terminal. */
export type Invocation =
  | { run: "help" }
  | { run: "version" }
  | { run: "print"; prompt: string | undefined; flags: SessionFlags }
  | { run: "interactive"; prompt: string | undefined; flags: SessionFlags }
  | { run: "demo" }
  | {
      run: "hooks";
      words: string[];
      json: boolean;
      session: string | undefined;
      settingsFile: string | undefined;
    }
  | { run: "sessions"; words: string[]; json: boolean }
  | { run: "wrong-usage"; problem: string };

/** Flags by name, with every value each was given; a flag without a value has `[""]`. */
type Given = Map<string, string[]>;

class Wrong extends Error {}

/** Pure: argv without the program in, what to do out. Text that is not a flag can never become one (G26). */
export function readArgs(argv: readonly string[]): Invocation {
  try {
    return interpret(argv);
  } catch (error) {
    if (error instanceof Wrong) return { run: "wrong-usage", problem: error.message };
    throw error;
  }
}

function interpret(argv: readonly string[]): Invocation {
  const { given, words, literalWords } = collect(argv);
  if (given.has("help")) return { run: "help" };
  if (given.has("version")) return { run: "version" };

  const command = given.has("print") ? undefined : commandOf(words[0]);
  if (command) {
    checkPlaces(given, command === "demo" ? [] : [command], `wave ${command}`);
    return commandRun(command, [...words.slice(1), ...literalWords], given);
  }
  if (words[0] === "help" && words.length === 1 && !given.has("print")) return { run: "help" };

  checkPlaces(given, ["session"], "a session");
  const all = [...words, ...literalWords];
  const prompt = all.length > 0 ? all.join(" ") : undefined;
  return { run: given.has("print") ? "print" : "interactive", prompt, flags: sessionFlags(given) };
}

function collect(argv: readonly string[]): { given: Given; words: string[]; literalWords: string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(FLAGS.map((flag) => [flag.name, parseOption(flag)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given: Given = new Map();
  const words: string[] = [];
  const literalWords: string[] = [];
  let ended = false;
  let awaitingValue: { name: string; index: number } | undefined;
  for (const token of tokens) {
    if (token.kind === "option-terminator") {
      ended = true;
    } else if (token.kind === "positional") {
      // "maybe-one" is a boolean to parseArgs, so its value arrives as the positional right behind it.
      if (!ended && awaitingValue?.index === token.index - 1) given.set(awaitingValue.name, [token.value]);
      else (ended ? literalWords : words).push(token.value);
    } else {
      const flag = flagOf(token.name, token.rawName);
      addFlag(given, flag, token);
      const open = flag.value.takes === "maybe-one" && token.value === undefined;
      awaitingValue = open ? { name: flag.name, index: token.index } : undefined;
    }
  }
  return { given, words, literalWords };
}

function parseOption(flag: Flag): { type: "string" | "boolean"; multiple: true; short?: string } {
  const takesNext = flag.value.takes === "one" || flag.value.takes === "list";
  return {
    type: takesNext ? "string" : "boolean",
    multiple: true,
    ...(flag.short === undefined ? {} : { short: flag.short }),
  };
}

function flagOf(name: string, rawName: string): Flag {
  const flag = FLAGS.find((candidate) => candidate.name === name);
  if (flag) return flag;
  const near = rawName.startsWith("--")
    ? nearest(
        name,
        FLAGS.map((candidate) => candidate.name),
      )
    : undefined;
  const hint = near ? `Did you mean --${near}?` : "If it belongs to the prompt, put -- before it.";
  // The guess most people make, and no near miss of anything.
  throw new Wrong(`There is no flag ${rawName}. ${name === "prompt" ? PROMPT_HINT : hint}`);
}

const PROMPT_HINT = 'The prompt is an argument of its own: wave -p "…".';

function addFlag(
  given: Given,
  flag: Flag,
  token: { value: string | undefined; inlineValue: boolean | undefined; rawName: string },
): void {
  const { value, inlineValue, rawName } = token;
  if (flag.value.takes === "nothing") {
    if (value !== undefined) {
      throw new Wrong(`${rawName} takes no value.${flag.name === "print" ? ` ${PROMPT_HINT}` : ""}`);
    }
    given.set(flag.name, [""]);
    return;
  }
  if (flag.value.takes === "maybe-one") {
    if (value === "") throw new Wrong(`${rawName}= needs the id of a session behind the equals sign.`);
    given.set(flag.name, value === undefined ? [] : [value]);
    return;
  }
  const label = flag.value.label;
  if (value === undefined || value === "") throw new Wrong(`${rawName} needs a value: ${rawName} ${label}.`);
  // A flag where a value belongs is a slip; swallowing it would lose that flag without a word.
  if (!inlineValue && value.startsWith("-")) {
    throw new Wrong(
      `${rawName} needs a value, but ${value} follows; write ${rawName}=${value} if that is the value.`,
    );
  }
  if (flag.value.takes === "one" && flag.value.choices && !flag.value.choices.includes(value)) {
    const near = nearest(value, flag.value.choices);
    throw new Wrong(
      `${rawName} has no ${JSON.stringify(value)}: choose ${flag.value.choices.join(", ")}.${near ? ` Did you mean ${near}?` : ""}`,
    );
  }
  const before = given.get(flag.name) ?? [];
  if (flag.value.takes === "one" && before.length > 0 && before[0] !== value) {
    throw new Wrong(
      `${rawName} is given twice, with ${JSON.stringify(before[0])} and ${JSON.stringify(value)}: keep one.`,
    );
  }
  given.set(flag.name, flag.value.takes === "list" ? [...before, value] : [value]);
}

function checkPlaces(given: Given, places: readonly FlagPlace[], where: string): void {
  for (const name of given.keys()) {
    const flag = FLAGS.find((candidate) => candidate.name === name);
    if (flag && !flag.places.some((place) => place === "everywhere" || places.includes(place))) {
      throw new Wrong(`--${name} has no meaning for ${where}.`);
    }
  }
}

function commandOf(word: string | undefined): CommandName | undefined {
  return COMMAND_NAMES.find((name) => name === word);
}

function commandRun(command: CommandName, words: string[], given: Given): Invocation {
  const json = given.has("json");
  switch (command) {
    case "demo":
      if (words.length > 0)
        throw new Wrong(`wave demo takes no arguments, but ${JSON.stringify(words[0])} follows.`);
      return { run: "demo" };
    case "hooks":
      return {
        run: "hooks",
        words,
        json,
        session: given.get("session")?.[0],
        settingsFile: given.get("settings")?.[0],
      };
    case "sessions":
      return { run: "sessions", words, json };
  }
}

function sessionFlags(given: Given): SessionFlags {
  const one = (name: string) => given.get(name)?.[0];
  const outputFormat = (one("output-format") ?? "text") as OutputFormat;
  const includeHookEvents = given.has("include-hook-events");
  if (includeHookEvents && outputFormat !== "stream-json") {
    throw new Wrong("--include-hook-events needs --output-format stream-json.");
  }
  if (given.has("continue") && given.has("resume"))
    throw new Wrong("--continue and --resume exclude each other: keep one.");
  const resume = given.has("continue") || given.has("resume") ? (one("resume") ?? "latest") : undefined;
  if (given.has("fork") && resume === undefined)
    throw new Wrong("--fork needs --continue or --resume: it copies a session.");
  return {
    outputFormat,
    includeHookEvents,
    permissionMode: one("permission-mode") as PermissionMode | undefined,
    resume,
    fork: given.has("fork"),
    model: one("model"),
    settingsFile: one("settings"),
    maxTurns: turns(one("max-turns")),
    allow: rules(given, "allowed-tools"),
    deny: rules(given, "disallowed-tools"),
    hookScope: given.has("no-hooks") ? "none" : given.has("no-project-hooks") ? "no-project" : "all",
    trustHooks: fingerprint(one("trust-hooks")),
    debug: given.has("debug"),
  };
}

function turns(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new Wrong(`--max-turns needs a whole number from 1 on, not ${JSON.stringify(value)}.`);
  return Number(value);
}

function fingerprint(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!/^[0-9a-f]{64}$/i.test(value))
    throw new Wrong("--trust-hooks needs the 64 hexadecimal digits of a SHA-256.");
  return value.toLowerCase();
}

function rules(given: Given, name: string): string[] {
  return (given.get(name) ?? []).flatMap((value) => {
    const split = splitRules(value);
    if (split === undefined)
      throw new Wrong(`--${name} ${JSON.stringify(value)} has a bracket without its partner.`);
    if (split.length === 0)
      throw new Wrong(`--${name} ${JSON.stringify(value)} names no rule, e.g. Bash(git log:*).`);
    return split;
  });
}
