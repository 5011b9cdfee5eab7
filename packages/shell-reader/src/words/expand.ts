import type { Assignment, CommandExpansionPart, ParameterExpansionPart, Word, WordPart } from "unbash";
import { computedName } from "./computedNames.ts";
import { isSetByBash } from "../shell/bashVariables.ts";
import { canMeet } from "./pieces.ts";
import { GAP, isLiteral, piecesOf, shown } from "./unknownText.ts";
import { combined, UNKNOWN, type Scope } from "../shell/scope.ts";

/** One word of a command line, as far as it is known what bash will make of it. */
export interface Arg {
  /** As written. */
  source: string;
  /** What it may become. Several: a list in braces, a loop, a branch. */
  texts: readonly string[];
  /** It may become several words, or none. */
  many: boolean;
  /** bash looks up names for it in a folder. */
  lists?: true;
  /** None of it stands on the line as it will be, and it is no plain value of the environment: as a program it may be any. */
  computed?: true;
  /** Where it comes from when it is no word of the line: what another program prints, or what is in a file of these names. */
  from?: "input" | { file: Arg };
}

type Expanded = Pick<Arg, "texts" | "many" | "lists">;

export function expandWord(word: Word | Assignment, scope: Scope): Arg {
  // Text for a shell inside of another may have gaps in it already.
  const source = shown(word.text);
  if (word.type === "Assignment") return { source, ...expandAssignment(word, scope) };
  if (!word.parts) return { source, texts: withHome(word.value, word.text, scope), many: false };
  const only = word.parts.length === 1;
  let texts: readonly string[] = [""];
  let many = false;
  let lists = false;
  for (const [at, part] of word.parts.entries()) {
    const expanded = expandPart(part, scope, { alone: only, first: at === 0 });
    texts = combined(texts, expanded.texts);
    many ||= expanded.many;
    lists ||= expanded.lists === true;
  }
  const computed = isComputed(word, scope);
  if (lists) texts = [...new Set([...texts, ...texts.map(withFolderAbove)])];
  return { source, texts, many, ...(lists ? { lists } : {}), ...(computed ? { computed } : {}) };
}

/** To a bash before 5.2, `.*` and `.?` are also the folder above. */
function withFolderAbove(text: string): string {
  const mayBeDots = (name: string) =>
    name.startsWith(".") && !isLiteral(name) && canMeet(piecesOf(name), [".."]);
  const names = text.split("/");
  const above = names.map((name) => (mayBeDots(name) ? ".." : name));
  return above.join("/");
}

function isComputed(word: Word, scope: Scope): boolean {
  const name = computedName(word);
  if (name.by !== "variable") return name.by === "bash";
  if (scope.variablesLost || scope.expandsOtherwise) return true;
  return scope.variables.has(name.name) || !/^[A-Za-z]/.test(name.name) || isSetByBash(name.name);
}

/** Text in which bash fills in values and cuts nothing: a here-document. */
export function expandText(parts: readonly WordPart[], scope: Scope): readonly string[] {
  return parts.reduce<readonly string[]>(
    (texts, part) =>
      combined(texts, expandPart(part, scope, { alone: false, first: false, quoted: true }).texts),
    [""],
  );
}

/** A word that needs no quotes to be what it is: programs, options and scripts are only recognised in this form. */
export function literalOf(arg: Arg | undefined): string | undefined {
  const [text] = arg?.texts ?? [];
  return arg && !arg.many && arg.texts.length === 1 && text !== undefined && isLiteral(text)
    ? text
    : undefined;
}

/** What a variable is set to. */
export function valueOf(assignment: Assignment, scope: Scope): readonly string[] {
  if (assignment.value.type === "ArrayValue" || assignment.index || assignment.append) return UNKNOWN;
  // `a:~/b` has a second home in it; such lists are no paths of files.
  return /:~/.test(assignment.value.text) ? UNKNOWN : quotedValue(assignment.value, scope);
}

/** As bash expands the right side of an assignment: no splitting, no globs. */
function quotedValue(word: Word, scope: Scope): readonly string[] {
  if (!word.parts) return withHome(word.value, word.text, scope);
  return word.parts.reduce<readonly string[]>(
    (texts, part, at) => {
      if (part.type === "Glob" || part.type === "BraceExpansion") return UNKNOWN;
      return combined(texts, expandPart(part, scope, { alone: false, first: at === 0, quoted: true }).texts);
    },
    [""],
  );
}

function expandAssignment(assignment: Assignment, scope: Scope): Expanded {
  const name = `${assignment.name}${assignment.append ? "+" : ""}=`;
  return { texts: combined([name], valueOf(assignment, scope)), many: false };
}

interface Position {
  /** The word is nothing else. */
  alone: boolean;
  first: boolean;
  quoted?: boolean;
}

function expandPart(part: WordPart, scope: Scope, position: Position): Expanded {
  switch (part.type) {
    case "Literal":
      return one(position.first ? withHome(part.value, part.text, scope) : [part.value]);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return one([part.value]);
    case "DoubleQuoted":
      return one(expandText(part.parts, scope));
    case "SimpleExpansion":
      return split(variable(part.text.slice(1), scope), position, scope);
    case "ParameterExpansion":
      return split(parameter(part, scope), position, scope);
    case "CommandExpansion":
      return split(substitution(part, scope), position, scope);
    case "ArithmeticExpansion":
      return one([GAP.name]);
    case "ProcessSubstitution":
      return one(["/dev/fd/63"]);
    case "Glob":
      return { texts: scope.expandsOtherwise ? UNKNOWN : [GAP.name], many: true, lists: true };
    case "BraceExpansion":
      return { texts: braceTexts(part.text), many: true };
    default:
      return { texts: UNKNOWN, many: true };
  }
}

const one = (texts: readonly string[]): Expanded => ({ texts, many: false });

/** Without quotes bash cuts a value at its blanks and reads stars in it. */
function split(values: readonly string[], { quoted, alone }: Position, scope: Scope): Expanded {
  if (quoted) return one(values);
  // It may be cut anywhere.
  if (scope.variables.has("IFS")) return { texts: UNKNOWN, many: true };
  const plain = values.every((value) => !/[\s*?[\\]/.test(value) && !value.includes(GAP.any));
  if (plain && !values.includes("")) return one(values);
  // What becomes nothing beside something else leaves that.
  if (plain && !alone) return { texts: values, many: true };
  if (!alone || values.some((value) => value.includes(GAP.any))) return { texts: UNKNOWN, many: true };
  const fields = values.flatMap((value) => value.split(/\s+/).filter((field) => field !== ""));
  const lists = fields.some((field) => /[*?[]/.test(field));
  return {
    texts: fields.map((field) => field.replace(/[*?[]+/g, GAP.name)),
    many: true,
    ...(lists ? { lists } : {}),
  };
}

/** `$$`, `$?`, `$#`, `$!` are numbers. */
const NUMBERS = new Set([
  "$",
  "?",
  "#",
  "!",
  "RANDOM",
  "SECONDS",
  "LINENO",
  "PPID",
  "UID",
  "EUID",
  "EPOCHSECONDS",
]);

function variable(name: string, scope: Scope): readonly string[] {
  const known = scope.variablesLost || scope.expandsOtherwise ? UNKNOWN : scope.variables.get(name);
  if (known) return known;
  return NUMBERS.has(name) ? [GAP.name] : UNKNOWN;
}

function parameter(part: ParameterExpansionPart, scope: Scope): readonly string[] {
  if (part.index || part.prefix === "!") return UNKNOWN;
  if (part.prefix === "#") return [GAP.name];
  const values = variable(part.parameter, scope);
  const { operation } = part;
  if (!operation) return values;
  if (operation.type === "Default" && operation.operator.endsWith("-")) {
    return [...values, ...quotedValue(operation.operand, scope)];
  }
  if (operation.type !== "Remove") return UNKNOWN;
  const cut = operation.operand.text;
  return values.flatMap((value) => removed(value, operation.operator, cut));
}

/** `${f%.ts}`, `${f##*\/}`, `${f%/*}`: the forms people use on file names. */
function removed(value: string, operator: string, cut: string): readonly string[] {
  if (value.includes(GAP.any)) return UNKNOWN;
  // The shell's own PWD has no `..` in it: what is cut off there is another name.
  if (/^\/.*\/\.\.(\/|$)/s.test(value)) return UNKNOWN;
  if (cut === "*/" && operator === "##") return [value.slice(value.lastIndexOf("/") + 1)];
  if (cut === "/*" && operator === "%")
    return [value.includes("/") ? value.slice(0, value.lastIndexOf("/")) : value];
  if (!operator.startsWith("%") || /[*?[\]\\'"$`]/.test(cut)) return UNKNOWN;
  if (value.endsWith(cut)) return [value.slice(0, value.length - cut.length)];
  return isLiteral(value) ? [value] : UNKNOWN;
}

/** The few substitutions whose result is known, or known to be harmless as a part of a name. */
function substitution(part: CommandExpansionPart, scope: Scope): readonly string[] {
  const [statement, ...others] = part.script?.commands ?? [];
  const command = statement?.command;
  if (others.length > 0 || command?.type !== "Command" || command.redirects.length > 0) return UNKNOWN;
  if (command.prefix.length > 0 || scope.functions.size > 0) return UNKNOWN;
  const words = [command.name, ...command.args].map((word) => word && literalOf(expandWord(word, scope)));
  if (words.some((word) => word === undefined)) return UNKNOWN;
  const [program, ...args] = words;
  if (program === "pwd" && args.length === 0) return scope.folders;
  if (program === "mktemp" && args.every((arg) => arg === "-d" || arg === "-q")) {
    return combined(scope.variables.get("TMPDIR") ?? ["/tmp"], [`/${GAP.name}`]);
  }
  // Of these a date makes one part of a name, which begins with no dash.
  if (
    program === "date" &&
    args.every((arg) => /^(-u|\+(%[YmdHMSFTjsNyeGVu]|\w)(%[YmdHMSFTjsNyeGVu]|[\w:-])*)$/.test(arg ?? "/"))
  )
    return [GAP.name];
  return program === "git" ? hashOf(args) : UNKNOWN;
}

/** A revision as people name it: one that stands for one commit and cannot be an option. */
const REVISION = /^[A-Za-z][\w/-]*([~^]\d*)*$/;

/** `git rev-parse HEAD` prints the number of a commit; where there is none, the word it was given, or nothing. */
function hashOf([subcommand, ...args]: readonly (string | undefined)[]): readonly string[] {
  const revisions = args.filter((arg) => !/^--(short|verify)$/.test(arg ?? ""));
  if (!revisions.every((arg) => arg !== undefined && REVISION.test(arg))) return UNKNOWN;
  const [only, ...others] = revisions;
  if (subcommand === "rev-parse" && only !== undefined && others.length === 0) return ["", only, A_HASH];
  const isPair = subcommand === "merge-base" && others.length === 1 && revisions.length === args.length;
  return isPair ? ["", A_HASH] : UNKNOWN;
}

const A_HASH = "0".repeat(40);

/** `{a,b}`; a sequence `{1..9}` is a number; lists in lists are left to bash. */
function braceTexts(text: string): readonly string[] {
  const inside = text.slice(1, -1);
  if (/^-?\w+\.\.-?\w+(\.\.-?\d+)?$/.test(inside)) return [GAP.name];
  if (/[{}$`"'\\*?[]/.test(inside) || !inside.includes(",")) return UNKNOWN;
  return inside.split(",");
}

function withHome(value: string, source: string, scope: Scope): readonly string[] {
  if (!source.startsWith("~")) return [value];
  const [, whose = "", rest = ""] = /^~([^/]*)(.*)$/s.exec(value) ?? [];
  const name = new Map([
    ["", "HOME"],
    ["+", "PWD"],
    ["-", "OLDPWD"],
  ]).get(whose);
  return name === undefined ? UNKNOWN : combined(variable(name, scope), [rest]);
}
