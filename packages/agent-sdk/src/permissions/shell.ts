import {
  forEachChild,
  parse,
  type Assignment,
  type Command,
  type ParameterExpansionPart,
  type ParseError,
  type ParsedScript,
  type Redirect,
  type SyntaxNode,
  type Word,
} from "unbash";
import { shortened } from "../utils/quoted.ts";
import { carriedBy, isPlainVariable, PROGRAM_VARIABLE, readsCommands } from "./carried.ts";
import { fixedText } from "./fixedText.ts";
import { computedName, isComputedValue, isSpelledOut } from "./computedNames.ts";
import { isNumber, namesInSum, ownParts } from "./ownVariables.ts";
import {
  reboundByCall,
  reboundByExpansion,
  reboundByFunction,
  reboundByVariable,
  SETTERS,
} from "./rebinding.ts";
import { literal, plainWord, readWord, type ShellWord, type SimpleCommand } from "./shellWords.ts";
import { countsByCall, countsIn, EVALUATING_TESTS } from "./sums.ts";
import { hiddenIn, programName, type Hidden } from "./wrappers.ts";

/**
 * What a command line would run, read without running it.
 *
 * `complete` means: these are all the programs, and nothing else happens on the way (no file written by a redirection, no
 * variable set, no expansion that runs or assigns). Only then may an allow rule speak. When it is false, `programs` says
 * whether at least every program is known; if not, deny and ask rules have to fall back on the words of the line. With
 * `any` not even the words say something: what they mean was changed, or the program's name is put together by bash.
 */
export type CommandReading = {
  commands: SimpleCommand[];
  /** What the commands run in turn (`sudo x`, `bash -c 'x'`, `find -exec x`): for deny and ask rules. May name too much. */
  hidden: SimpleCommand[];
  /** Variables that the line sets for itself. Whether they reach a program is known only with the environment at hand. */
  assigned: string[];
} & (
  | { complete: true }
  | { complete: false; why: string; programs: "known" | "unknown" | "any"; onlyRedirects: boolean }
);

/** How deep shells inside shells are followed. Nobody writes more by hand; beyond it the line counts as not understood. */
const MAX_DEPTH = 8;

/** What Linux hands to a program as one argument. A longer line could not run, and reading it would hold up everything else. */
const MAX_LENGTH = 131_072;
/** Lines with more places that begin something of their own take the parser seconds, and nobody writes them. */
const MOST_BEGINNINGS = 2_000;
const BEGINNINGS = /\$\(|\$\{|`|[<>]\(|<</g;

export function readCommands(line: string): CommandReading {
  return readScript(line, 0);
}

/** All that keeps a line from being complete are files that it writes by `>`, and they are spelled out. */
export const onlyRedirects = (reading: CommandReading) => !reading.complete && reading.onlyRedirects;

/** Text that is one program with arguments and nothing else: what a rule may spell out. */
export function readOneCommand(text: string): SimpleCommand | undefined {
  let words: SimpleCommand | undefined;
  withinReach(() => (words = onlyCommand(parse(text))));
  return words;
}

function onlyCommand({ commands, errors }: ParsedScript): SimpleCommand | undefined {
  const [statement, ...others] = commands;
  const node = statement?.command;
  if (errors?.length || others.length > 0 || statement?.background) return undefined;
  if (node?.type !== "Command" || !node.name || node.prefix.length > 0 || node.redirects.length > 0)
    return undefined;
  return wordsOf(node.name, node);
}

function readScript(line: string, depth: number): CommandReading {
  const found: Findings = {
    commands: [],
    hidden: [],
    anything: [],
    doubts: [],
    sideEffects: [],
    written: [],
    computed: new Set(),
    called: new Set(),
    own: new Set(),
    assigned: new Set(),
    exported: new Set(),
    numbers: new Set(),
    texts: new Set(),
    counted: new Set(),
    inputs: [],
  };
  const tooMuch = whyTooMuch(line);
  if (depth > MAX_DEPTH) found.doubts.push("it nests too many shells in each other");
  else if (tooMuch !== undefined) found.doubts.push(tooMuch);
  else {
    if (hasControlCharacters(line)) found.doubts.push(CONTROL_CHARACTERS);
    if (!withinReach(() => visitAll(parse(line), found))) found.doubts.push("it is nested too deeply");
    for (const command of found.commands) readHidden(hiddenIn(command), found, depth);
    // What reaches their input may stand in any word of the line.
    for (const program of new Set(found.commands.map((command) => programName(command) ?? "")))
      if (readsCommands(program))
        readHidden(carriedBy(program, [...found.inputs, ...found.commands.flat()]), found, depth);
    for (const name of found.called)
      if (found.computed.has(name)) found.anything.push(`what is in $${name} may be any program`);
    for (const name of found.counted)
      if (!found.numbers.has(name) || found.texts.has(name) || found.computed.has(name))
        found.doubts.push(COMPUTES);
    for (const name of found.assigned)
      if (found.exported.has(name)) found.sideEffects.push(`it sets the variable ${name} for programs`);
  }
  const { commands, hidden } = found;
  const assigned = [...found.assigned];
  const beside = found.anything[0] ?? found.doubts[0] ?? found.sideEffects[0];
  const why = beside ?? found.written[0];
  const onlyRedirects = beside === undefined;
  if (why === undefined) return { commands, hidden, assigned, complete: true };
  const programs = found.anything.length > 0 ? "any" : found.doubts.length > 0 ? "unknown" : "known";
  return { commands, hidden, assigned, complete: false, why: shortened(why, 200), programs, onlyRedirects };
}

function whyTooMuch(line: string): string | undefined {
  if (line.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`;
  const beginnings = line.match(BEGINNINGS)?.length ?? 0;
  return beginnings > MOST_BEGINNINGS ? `it has more than ${MOST_BEGINNINGS} substitutions` : undefined;
}

const CONTROL_CHARACTERS = "it contains control characters";

/** Why a line is not even looked at by whoever wants to know more about it. */
export function whyUnreadable(line: string): string | undefined {
  return whyTooMuch(line) ?? (hasControlCharacters(line) ? CONTROL_CHARACTERS : undefined);
}

/** Whoever wrote the line can mend it by this. bash may be of another mind: it reads some things in more ways than one. */
export function syntaxProblem(text: string, { message, pos }: ParseError): string {
  const before = text.slice(0, pos).split("\n");
  const rest = text.slice(pos).trim();
  const near = rest === "" ? "its end" : shortened(rest, 40);
  return `it does not read as a valid shell command: ${message} (line ${before.length}, column ${(before.at(-1) ?? "").length + 1}, at ${near})`;
}

interface Findings {
  commands: SimpleCommand[];
  hidden: SimpleCommand[];
  /** Why any program may run, whatever the words of the line are. */
  anything: string[];
  /** Why some program is not known. */
  doubts: string[];
  /** What happens apart from the programs. */
  sideEffects: string[];
  /** Files that the shell itself writes, spelled out. */
  written: string[];
  /** Variables whose value does not stand on the line as it will be. */
  computed: Set<string>;
  /** Variables that are called as a program. */
  called: Set<string>;
  /** Assignments that are no part of what a program gets. */
  own: Set<Assignment>;
  assigned: Set<string>;
  exported: Set<string>;
  /** Variables that are set to a number, and those that are set to anything else. */
  numbers: Set<string>;
  texts: Set<string>;
  /** Variables that are counted with. */
  counted: Set<string>;
  /** Text that stands on the line for the input of a program. */
  inputs: ShellWord[];
}

/** The parser calls itself for what is nested, and some nesting no person writes is more than the stack holds. */
function withinReach(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Every node is visited, whatever it is, so that a command cannot hide in a place this file does not know. */
function visitAll(root: SyntaxNode, found: Findings): void {
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    examine(node, found);
    const children: SyntaxNode[] = [];
    forEachChild(node, (child) => {
      // The cat of a fixed text needs no rule that allows it, but one that holds it back holds.
      const isFixed =
        node.type === "DoubleQuoted" && child.type === "CommandExpansion" && fixedText(child) !== undefined;
      if (isFixed) found.hidden.push([plainWord("cat")]);
      else children.push(child);
    });
    // The next to be taken is the last, and commands are listed in the order in which they stand.
    for (const child of children.toReversed()) waiting.push(child);
  }
}

function examine(node: SyntaxNode, found: Findings): void {
  switch (node.type) {
    case "Script": {
      const error = node.errors?.[0];
      if (error) found.doubts.push(`bash would not read it as Wave does (${error.message})`);
      return;
    }
    case "Command":
      return examineCommand(node, found);
    case "Redirect":
      return examineRedirect(node, found);
    case "HereString":
      if (node.target) found.inputs.push(readWord(node.target));
      return;
    case "HereDoc":
      found.inputs.push(plainWord(node.body.text));
      return;
    case "ParameterExpansion":
      return examineExpansion(node, found);
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      if (!node.script) found.doubts.push(`${node.text} cannot be read`);
      return;
    case "ExtendedGlob":
      // bash reads this differently depending on an option that is off in scripts.
      found.doubts.push(`${node.text} is read in two ways`);
      return;
    case "Assignment":
      note(found.anything, reboundByVariable(node.name));
      if (found.own.has(node) && node.value.type !== "ArrayValue" && isNumber(node.value))
        found.numbers.add(node.name);
      else {
        found.texts.add(node.name);
        if (isComputedValue(node)) found.computed.add(node.name);
      }
      if (countsIn(node)) found.doubts.push(COMPUTES);
      if (PROGRAM_VARIABLE.test(node.name ?? ""))
        found.doubts.push(`the variable ${node.name} tells programs what to run`);
      if (!found.own.has(node) && !isPlainVariable(node))
        found.sideEffects.push(`it sets the variable ${node.name}`);
      return;
    case "FileDescriptorVariable":
      found.sideEffects.push(`it sets the variable ${node.name}`);
      return;
    case "ArithmeticExpansion": {
      const names = namesInSum(node.expression);
      if (!names) found.doubts.push(COMPUTES);
      for (const name of names ?? []) found.counted.add(name);
      return;
    }
    case "ArithmeticCommand":
    case "ArithmeticFor":
    case "ArrayValue":
      if (countsIn(node)) found.doubts.push(COMPUTES);
      return;
    case "TestUnary":
    case "TestBinary":
      if (EVALUATING_TESTS.has(node.operator))
        found.doubts.push(`[[ … ${node.operator} … ]] evaluates its operands`);
      return;
    case "Function":
      note(found.anything, reboundByFunction(node.name.value));
      found.sideEffects.push("it defines a function");
      return;
    case "Coproc":
      found.sideEffects.push("it starts a coprocess");
      return;
    case "For":
    case "Select":
      note(found.anything, reboundByVariable(node.name.value));
      if (!node.wordlist?.every(isSpelledOut)) found.computed.add(node.name.value);
      (node.wordlist?.every(isNumber) ? found.numbers : found.texts).add(node.name.value);
      // A loop over PATH or http_proxy would change what the commands in it do; a plain lower-case word is never exported.
      if (node.type === "Select" || !/^[a-z][a-z0-9]*$/.test(node.name.value)) {
        found.sideEffects.push(`it sets the variable ${node.name.value}`);
      }
      return;
    default:
      return;
  }
}

/** Arithmetic evaluates the contents of variables, and those may hold $(…). */
const COMPUTES = "it computes, and bash runs commands that it finds in the numbers";

/** Builtins that change what the rest of the line means, or that run text. */
const STATE_BUILTINS = new Set(
  (
    "alias unalias bind compgen complete declare typeset local readonly export unset enable eval exec fc getopts hash let " +
    "mapfile readarray read set shopt source . trap"
  ).split(" "),
);

function examineCommand(node: Command, found: Findings): void {
  const own = ownParts(node);
  for (const one of own.assignments) found.own.add(one);
  for (const name of own.assigned) found.assigned.add(name);
  for (const name of own.exported) found.exported.add(name);
  if (!node.name) return void found.commands.push(...printedBy(node));
  const command = wordsOf(node.name, node);
  found.commands.push(command);
  if (literal(command[0]) === undefined) {
    const name = computedName(node.name);
    const why = `${node.name.text} may be any program`;
    if (name.by === "variable") found.called.add(name.name);
    return void (name.by === "bash" ? found.anything : found.doubts).push(why);
  }
  const [name, ...args] = asBuiltin(command);
  const program = literal(name) ?? "";
  if (SETTERS.has(program)) for (const arg of args) found.computed.add(literal(arg) ?? "");
  const beginnings = args.map(({ known }) => ({ begins: known[0] ?? "", whole: known.length === 1 }));
  note(found.anything, reboundByCall(program, beginnings));
  if (countsByCall(program, beginnings)) found.doubts.push(COMPUTES);
  if (STATE_BUILTINS.has(program) && !own.keepsToItself)
    found.doubts.push(`${program} changes the shell itself`);
  if (program === "printf" && /^(-v.*)?$/.test(args[0]?.known[0] ?? "-v")) {
    found.doubts.push("printf may set a variable");
  }
}

/** `$(<f)` prints f: whoever is asked about `$(cat f)` has to be asked about it as well. */
function printedBy({ redirects }: Command): SimpleCommand[] {
  return redirects.flatMap((redirect) =>
    redirect.type === "Redirect" && redirect.operator === "<" && redirect.target
      ? [[plainWord("cat"), readWord(redirect.target)]]
      : [],
  );
}

/** `command export` and `builtin export` are `export`: they run in the shell itself, as no other wrapper does. */
function asBuiltin(command: SimpleCommand): SimpleCommand {
  const at = command.findIndex((word) => !/^(command|builtin|-.*)$/.test(literal(word) ?? ""));
  return at < 0 ? command : command.slice(at);
}

function wordsOf(name: Word, node: Command): SimpleCommand {
  return [name, ...node.args].map(readWord);
}

function examineRedirect(redirect: Redirect, found: Findings): void {
  const target = redirect.target ? literal(readWord(redirect.target)) : undefined;
  const name = redirect.target?.text ?? "";
  switch (redirect.operator) {
    case ">&":
    case "<&":
      if (target === undefined || !/^(\d+-?|-)$/.test(target))
        found.sideEffects.push(`it redirects to ${name}`);
      return;
    case "<":
      // bash opens a network connection for these two.
      if (target === undefined || /^\/dev\/(tcp|udp)\//.test(target))
        found.sideEffects.push(`it reads from ${name}`);
      return;
    default:
      if (target !== "/dev/null")
        (target === undefined ? found.sideEffects : found.written).push(`it writes to ${name}`);
  }
}

/** `${x}`, `${#x}`, `${x:-y}`, `${x%y}` only read. The others can assign, or run what a variable holds. */
const READING_OPERATIONS = new Set(["Default", "Remove", "Replace", "CaseModification"]);

function examineExpansion(part: ParameterExpansionPart, found: Findings): void {
  const { operation } = part;
  note(found.anything, reboundByExpansion(part));
  // How the parts of the last pipe ended: numbers, set by bash alone.
  if (/^\$\{PIPESTATUS\[(\d+|@|\*)\]\}$/.test(part.text)) return;
  const assigns = operation?.type === "Default" && operation.operator.endsWith("=");
  const reads = !operation || READING_OPERATIONS.has(operation.type);
  if (assigns || !reads || part.prefix === "!" || part.index) {
    found.doubts.push(`the expansion ${part.text} can assign or run`);
  }
}

function note(reasons: string[], why: string | undefined): void {
  if (why !== undefined) reasons.push(why);
}

function readHidden(hidden: Hidden, found: Findings, depth: number): void {
  for (const inner of hidden.commands) found.hidden.push(inner);
  note(found.doubts, hidden.doubt);
  note(found.anything, hidden.anything);
  for (const script of hidden.scripts) {
    const inner = readScript(script, depth + 1);
    // One by one: spread into a call, a script of some hundred thousand commands would overflow the stack.
    for (const command of [...inner.commands, ...inner.hidden]) found.hidden.push(command);
    if (!inner.complete && inner.programs !== "known")
      (inner.programs === "any" ? found.anything : found.doubts).push(inner.why);
  }
}

function hasControlCharacters(line: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\u0000-\u0008\u000b-\u001f\u007f]/.test(line);
}
