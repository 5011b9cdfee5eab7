import { parseArgs } from "node:util";
import { nearestName } from "wave-agent-sdk";
import { FLAGS, type Flag } from "./flags.ts";

/** Flags by name, with every value each was given; a flag without a value has `[""]`. */
export type Given = Map<string, string[]>;

/** A command line that cannot be understood; the message is the sentence for the user. */
export class WrongUsage extends Error {}

export interface Collected {
  given: Given;
  /** Arguments that are no flags. */
  words: string[];
  /** The same behind `--`: never a command, never a flag. */
  literalWords: string[];
}

/** Reads argv with the flag table. Throws WrongUsage. */
export function collectFlags(argv: readonly string[]): Collected {
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
    ? nearestName(
        name,
        FLAGS.map((candidate) => candidate.name),
      )
    : undefined;
  const hint = near ? `Did you mean --${near}?` : "If it belongs to the prompt, put -- before it.";
  // The guess most people make, and no near miss of anything.
  throw new WrongUsage(`There is no flag ${rawName}. ${name === "prompt" ? PROMPT_HINT : hint}`);
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
      throw new WrongUsage(`${rawName} takes no value.${flag.name === "print" ? ` ${PROMPT_HINT}` : ""}`);
    }
    given.set(flag.name, [""]);
    return;
  }
  if (flag.value.takes === "maybe-one") {
    if (value === "") throw new WrongUsage(`${rawName}= needs the id of a session behind the equals sign.`);
    given.set(flag.name, value === undefined ? [] : [value]);
    return;
  }
  const label = flag.value.label;
  if (value === undefined || value === "")
    throw new WrongUsage(`${rawName} needs a value: ${rawName} ${label}.`);
  // A flag where a value belongs is a slip; swallowing it would lose that flag without a word.
  if (!inlineValue && value.startsWith("-")) {
    throw new WrongUsage(
      `${rawName} needs a value, but ${value} follows; write ${rawName}=${value} if that is the value.`,
    );
  }
  if (flag.value.takes === "one" && flag.value.choices && !flag.value.choices.includes(value)) {
    const near = nearestName(value, flag.value.choices);
    throw new WrongUsage(
      `${rawName} has no ${JSON.stringify(value)}: choose ${flag.value.choices.join(", ")}.${near ? ` Did you mean ${near}?` : ""}`,
    );
  }
  const before = given.get(flag.name) ?? [];
  if (flag.value.takes === "one" && before.length > 0 && before[0] !== value) {
    throw new WrongUsage(
      `${rawName} is given twice, with ${JSON.stringify(before[0])} and ${JSON.stringify(value)}: keep one.`,
    );
  }
  given.set(flag.name, flag.value.takes === "list" ? [...before, value] : [value]);
}
