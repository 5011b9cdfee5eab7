import type { ParameterExpansionPart } from "unbash";
import { switchedBySet, switchedByShopt } from "./switches.ts";

/**
 * bash can be told that from now on a name is another program, that a variable is another one, or that text is run between
 * the commands. After that the words of the line prove nothing. These are all the ways that are known, for rules and for
 * what is said about files.
 */

/** A word as far as it is known before bash runs. */
export interface Beginning {
  begins: string;
  /** It is nothing else. */
  whole: boolean;
}

/** Builtins, and the word that makes them rebind. */
const REBINDING_WORD = new Map<string, RegExp>([
  ...["declare", "typeset", "local", "readonly"].map(
    // A reference to another variable; values that change their letters; a function for other shells.
    (name) => [name, /^[-+]\w*[nluc]|^-(?=\w*f)\w*x/] as const,
  ),
  ["nameref", /^/],
  ["export", /^-\w*f/],
  ["hash", /^-\w*p/],
  ["alias", /=/],
  ["enable", /^/],
  ["mapfile", /^-\w*C/],
  ["readarray", /^-\w*C/],
  ["exec", /^-\w*a/],
  ["trap", /^(SIG)?DEBUG$/i],
]);

/** `export $(cat .env)` and `exec "$@"` are written every day; of the others a word that nobody knows may be the one above. */
const TAKES_ANY_WORD = new Set(["export", "exec"]);

const VARIABLE =
  "BASH_CMDS|BASH_ALIASES|BASH_ENV|BASH_FUNC_[^=]*|BASHOPTS|SHELLOPTS|PROMPT_COMMAND|PS\\d|MAILPATH|FCEDIT";
const REBINDING_VARIABLE = new RegExp(`^(${VARIABLE})$`);
const SETS_ONE = new RegExp(`^(${VARIABLE})(\\[[^=]*)?\\+?=`);
const NAMES_ONE = new RegExp(`^(-v)?(${VARIABLE})(\\[|$)`);
/** They set the variables that they name to what is not on the line. */
export const SETTERS: ReadonlySet<string> = new Set(["read", "mapfile", "readarray", "getopts", "printf"]);

/** They take the index of an array as a sum, and a sum may run commands: `test -v 'a[$(x)]'`. */
const COUNTING = new Set([
  ...SETTERS,
  "test",
  "[",
  "let",
  "unset",
  "declare",
  "typeset",
  "local",
  "export",
  "readonly",
]);

/** Text that is a command to whoever expands it once more. */
export const holdsCommand = (text: string) => /\$\(|`/.test(text);

function counts(name: string, args: readonly Beginning[]): boolean {
  if (!COUNTING.has(name) || (name === "printf" && !args[0]?.begins.startsWith("-v"))) return false;
  return args.some(({ begins }) => (name === "let" || begins.includes("[")) && holdsCommand(begins));
}

/** Why nothing on the line is proven any more because of this command. */
export function reboundByCall(name: string, args: readonly Beginning[]): string | undefined {
  const words = args.map(({ begins, whole }) => (whole ? begins : undefined));
  if (name === "set" && switchedBySet(words) === "words") return `${name} can make words mean something else`;
  if (name === "shopt" && switchedByShopt(words) === "words")
    return `${name} can make words mean something else`;
  if (counts(name, args)) return `${name} runs commands that it finds in an index`;
  const word = REBINDING_WORD.get(name);
  const found = args.find(({ begins, whole }) => {
    if (SETS_ONE.test(begins) || (SETTERS.has(name) && NAMES_ONE.test(begins))) return true;
    if (!word) return false;
    return word.test(begins) || (!whole && /^-?$/.test(begins) && !TAKES_ANY_WORD.has(name));
  });
  return found && `${name} can make a name mean something else`;
}

export function reboundByVariable(name: string): string | undefined {
  return REBINDING_VARIABLE.test(name)
    ? `the variable ${name} can make a name mean something else`
    : undefined;
}

/** bash calls it for every program that is not there. */
export function reboundByFunction(name: string): string | undefined {
  return name === "command_not_found_handle" ? `bash runs ${name} by itself` : undefined;
}

export function reboundByExpansion({
  text,
  operation,
  parameter,
}: ParameterExpansionPart): string | undefined {
  // Of what is in no list here nobody knows what it runs.
  if (operation?.type === "Unknown" || (operation?.type === "Transform" && operation.operand.text === "P"))
    return `${text} runs what the variable holds`;
  return operation?.type === "Default" && operation.operator.endsWith("=")
    ? reboundByVariable(parameter)
    : undefined;
}
