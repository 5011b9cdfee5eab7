import { embeddedBy, readsCommands } from "./embeddedCommands.ts";
import { codeIn } from "./interpreters.ts";
import { switchedBySet } from "../shell/switches.ts";
import { plainWord } from "../words/words.ts";
import { isGivenTo, plainName, SHELLS } from "./wrappers.ts";
import { plainArg } from "../words/args.ts";
import type { Program, ProgramCall } from "../walk/programCall.ts";
import { literalOf, type Arg } from "../words/expand.ts";
import { beginningOf, isStream, isUnknown, placeIn } from "../words/unknownText.ts";
import { optionList, parseArgs } from "./options.ts";
import { combined, inFolders, UNKNOWN, withVariable } from "../shell/scope.ts";
import { COMMAND_BEHIND, WRAPPERS, type Wrapper } from "./wrapperTable.ts";
import { assignedFile, givenFile } from "./writers.ts";

/** Their words are read as text by a shell. */
const JOINING = new Set(["watch", "su", "runuser"]);

/** `isKnown` tells programs about which something is known. */
export function wrapperFor(name: string, isKnown: (name: string) => boolean): Program | undefined {
  if (name === "env") return (call) => env(call, isKnown);
  if (name === "tmux" || name === "screen")
    return (call) => anywhere(call, `${name} runs a command`, isKnown);
  if (name === "script") return (call) => script(call, isKnown);
  if (name === "parallel") return (call) => parallel(call, isKnown);
  if (name === "at" || name === "batch") return later;
  const known = [name, plainName(name)].find((one) => Object.hasOwn(WRAPPERS, one));
  const row = known === undefined ? undefined : WRAPPERS[known];
  return row && ((call) => wrap(call, row, isKnown));
}

function wrap(call: ProgramCall, row: Wrapper, isKnown: (name: string) => boolean): void {
  const parsed = parseArgs(call.args, row.options, { stopAtOperand: true });
  for (const arg of parsed.writes) call.write(arg);
  if (!row.transparent) call.changes(`${call.name} runs a command in its own way`);
  for (const arg of parsed.values(...row.text)) runsText(call, [arg]);
  const own = parsed.operands.slice(0, row.skip);
  if (row.writesOwn) for (const arg of own) call.write(arg);
  const inner = withoutAssignments(parsed.operands.slice(row.skip));
  // `sudo -e file`, `sudo -s 'text'`.
  if (parsed.has("e") && call.name === "sudo") for (const arg of inner) call.write(arg);
  if (inner[0]?.from === "input") return call.beyondReach(`${call.name} runs what it reads from its input`);
  if (parsed.doubt !== undefined || row.loose)
    return anywhere(call, parsed.doubt ?? `${call.name} runs a command in its own way`, isKnown);
  const words = JOINING.has(call.name) && call.name !== "watch" ? inner.slice(1) : inner;
  const startsShell = row.shell === true || parsed.has(...row.shell);
  if (words.length === 0 && startsShell && !parsed.has(...row.text)) return runsInput(call);
  if (row.texts) for (const arg of inner) runsText(call, [arg]);
  else if (call.name === "sudo" && parsed.has("s", "i", "shell", "login")) runsText(call, inner);
  else if (JOINING.has(call.name)) runsText(call, words);
  else if (inner.length > 0) call.follow(inner);
}

const SCRIPT = optionList(
  "a c= e E= f q m= o= t?  B=w I=w O=w T=w command= append return flush force quiet echo= output-limit= logging-format= log-io=w " +
    "log-in=w log-out=w log-timing=w timing?",
);

/** It runs a command and keeps a record of it in a file. */
function script(call: ProgramCall, isKnown: (name: string) => boolean): void {
  const parsed = parseArgs(call.args, SCRIPT);
  call.changes("script runs a command in its own way");
  for (const arg of parsed.values("c", "command")) runsText(call, [arg]);
  const records = parsed.operands.length > 0 ? parsed.operands : [plainArg("typescript")];
  for (const arg of [...parsed.writes, ...parsed.values("t", "timing"), ...records]) call.write(arg);
  if (parsed.doubt !== undefined) anywhere(call, parsed.doubt, isKnown);
}

/** Without a command of its own every line that it reads is one. */
function parallel(call: ProgramCall, isKnown: (name: string) => boolean): void {
  const end = call.args.findIndex((arg) => /^::::?\+?$/.test(arg.source));
  const command = (end < 0 ? call.args : call.args.slice(0, end)).filter(
    (arg) => !arg.source.startsWith("-"),
  );
  if (command.length === 0) call.beyondReach("parallel runs what it reads");
  anywhere(call, "parallel runs a command in its own way", isKnown);
}

const AT = optionList("q= f= m M v b t= V l r d c");

/** Text that a shell reads when its time has come. */
function later(call: ProgramCall): void {
  const parsed = parseArgs(call.args, AT);
  call.changes(`${call.name} runs a command later`);
  if (parsed.doubt !== undefined) return call.opaque(parsed.doubt);
  call.unclear(`${call.name} runs a command later`);
  for (const file of parsed.values("f")) runsFile(call, file);
  if (!parsed.has("f", "l", "r", "d", "c", "V")) runsInput(call);
}

const ENV = optionList("0 C= i S= u= v - chdir= split-string= unset= ignore-environment null debug");

function env(call: ProgramCall, isKnown: (name: string) => boolean): void {
  const parsed = parseArgs(call.args, ENV, { stopAtOperand: true });
  const inner = withoutAssignments(parsed.operands);
  const given = parsed.operands.slice(0, parsed.operands.length - inner.length);
  for (const arg of given) assignedFile(call, arg);
  for (const arg of given) givenFile(call, arg);
  // To env, `\_` is a blank.
  for (const { texts, ...arg } of parsed.values("S", "split-string"))
    runsText(call, [{ ...arg, texts: texts.map((text) => text.replaceAll("\\_", " ")) }, ...inner]);
  const [folder] = parsed.values("C", "chdir");
  const folders = call.scope.folders.flatMap(
    (outer) => folder?.texts.map((text) => placeIn(outer, text)) ?? [outer],
  );
  if (inner.length < parsed.operands.length || parsed.has("i", "-", "ignore-environment", "u", "unset"))
    call.changes("it sets variables for a program");
  if (inner[0]?.from === "input") call.beyondReach("env runs what it reads from its input");
  if (parsed.doubt !== undefined) anywhere(call, parsed.doubt, isKnown);
  else if (inner.length > 0) {
    // As for variables that stand before a command: git may work anywhere.
    const elsewhere = given.some(({ texts }) => texts.some((text) => text.startsWith("GIT_")));
    const names = given.flatMap(({ texts }) => texts.flatMap((text) => /^\w+(?==)/.exec(text)?.[0] ?? []));
    const scope = names.reduce((known, name) => withVariable(known, name, UNKNOWN), call.scope);
    call.follow(inner, inFolders(scope, elsewhere ? UNKNOWN : folders));
  } else if (!parsed.has("S", "split-string")) call.changes("it prints the environment");
}

/** Text and commands among the words of a program that is no wrapper (`git rebase -x …`, `npm exec -- …`). */
export function runsEmbedded(call: ProgramCall, isKnown: (name: string) => boolean): void {
  const words = [...call.args, ...(readsCommands(call.name) ? (call.stdin ?? []) : [])].map((arg) => {
    const text = literalOf(arg);
    return text === undefined ? { text: arg.source, known: ["", ""] } : plainWord(text);
  });
  const { scripts } = embeddedBy(call.name, words);
  for (const text of scripts) call.followText(text);
  const before = COMMAND_BEHIND.get(call.name) ?? [];
  const at = call.args.findIndex((arg) => before.includes(literalOf(arg) ?? ""));
  if (at >= 0) call.args.slice(at + 1).forEach((_, from) => beginsAt(call, at + 1 + from, isKnown));
}

/** Each of them is looked at with all those behind it. */
const MOST_STARTS = 200;

/** The command may begin at any word that is a known program: what each of them would do is all looked at. */
function anywhere(call: ProgramCall, why: string, isKnown: (name: string) => boolean): void {
  const known = call.args.findIndex((arg) => isKnown(literalOf(arg) ?? ""));
  const before = call.args.slice(0, known < 0 ? undefined : known).find((arg) => arg.computed);
  if (before) call.beyondReach(`${before.source} may be any program`);
  call.opaque(why);
  if (call.args.length > MOST_STARTS)
    return call.beyondReach(`${call.name} has too many words to find a command among them`);
  call.args.forEach((_, at) => beginsAt(call, at, isKnown));
}

function beginsAt(call: ProgramCall, at: number, isKnown: (name: string) => boolean): void {
  const text = literalOf(call.args[at]);
  if (text === undefined) return;
  if (isKnown(text.slice(text.lastIndexOf("/") + 1))) call.follow(call.args.slice(at));
  // And where it is text, a shell may read it.
  else if (/[\s;|&]/.test(text)) call.followText(text);
}

export function runsText(call: ProgramCall, args: readonly Arg[]): void {
  if (args.length === 0) return;
  const why = `${call.name} runs text that is not known yet`;
  if (args.some(isMade)) call.beyondReach(why);
  else {
    // Where only a value is missing, the commands around it are known.
    const [first = [], ...rest] = args.map(({ texts }) => texts);
    const whole = rest.reduce<readonly string[]>(
      (texts, more) => combined(combined(texts, [" "]), more),
      first,
    );
    for (const text of whole) call.followText(text);
    if (args.every((arg) => literalOf(arg) !== undefined)) return;
    call.unclear(why);
  }
  for (const arg of args) call.mention(arg);
}

/** Of text with a name in it something is known; of text that another program makes, nothing. */
function isMade(arg: Arg): boolean {
  if (literalOf(arg) !== undefined) return false;
  return arg.from !== undefined || /\$\(|`/.test(arg.source) || arg.texts.some(startsUnknown);
}

const startsUnknown = (text: string) => beginningOf(text).begins === "" && text !== "";

function withoutAssignments(args: readonly Arg[]): readonly Arg[] {
  const at = args.findIndex((arg) => !arg.texts.every((text) => isGivenTo(beginningOf(text).begins)));
  return at < 0 ? [] : args.slice(at);
}

export function shellFor(name: string): Program | undefined {
  return SHELLS.has(name) ? shell : undefined;
}

interface ShellOptions {
  /** The first word behind the options is text. */
  hasText: boolean;
  /** Commands come from its input, whatever words there are. */
  readsInput: boolean;
  /** It is told to expand or to read words otherwise. */
  switches: boolean;
  /** A file that it runs before anything else. */
  startFile: Arg | undefined;
  /** There are options at all. */
  plain: boolean;
  rest: readonly Arg[];
}

/** `-lc`, `-eo pipefail`, `-s --`: letters come in bundles, and each `o` in one takes a word of its own. */
function shellOptions(args: readonly Arg[]): ShellOptions {
  const found: Omit<ShellOptions, "rest"> = {
    hasText: false,
    readsInput: false,
    plain: true,
    switches: false,
    startFile: undefined,
  };
  let at = 0;
  for (; at < args.length; at++) {
    const word = literalOf(args[at]) ?? "";
    if (word === "--" || word === "-") return { ...found, rest: args.slice(at + 1) };
    if (!/^[-+]/.test(word)) break;
    found.switches ||= switchesOtherwise(args.slice(at, at + 3).map(literalOf));
    found.plain &&= word === "-c" && !found.hasText;
    if (/^--(rcfile|init-file)$/.test(word)) found.startFile = args[++at];
    if (word.startsWith("--")) continue;
    found.hasText ||= /^-\w*c/.test(word);
    found.readsInput ||= /^-\w*s/.test(word);
    at += word.match(/o/gi)?.length ?? 0;
  }
  return { ...found, rest: args.slice(at) };
}

/** `bash -O dotglob`, `bash --posix`, `bash -k`. */
function switchesOtherwise([word = "", ...names]: readonly (string | undefined)[]): boolean {
  if (word.startsWith("--")) return word === "--posix";
  if (word.includes("O")) return true;
  const letters = word.replaceAll(/[cilrsD]/g, "");
  return switchedBySet([letters, ...names.slice(0, letters.split("o").length - 1)]) !== "nothing";
}

/** A shell as a program: text behind -c, a script file, or what it reads from its input. */
function shell(call: ProgramCall): void {
  const { hasText, readsInput, plain, switches, startFile, rest } = shellOptions(call.args);
  if (switches) call.beyondReach(`${call.name} is told to read words otherwise`);
  if (startFile) {
    call.read(startFile);
    call.beyondReach(`${call.name} first runs what is in ${startFile.source}`);
  }
  const [first, ...others] = rest;
  // For a person at the keys it runs this file first.
  const started = call.scope.variables.get("ENV");
  if (started && call.args.some((arg) => /^-\w*i/.test(literalOf(arg) ?? "-i")))
    call.beyondReach(`${call.name} first runs the file that ENV names`);
  if (call.args.some((arg) => arg.texts.some(isStream)) && literalOf(first) !== "/dev/stdin")
    call.beyondReach(`${call.name} runs text that is not known yet`);
  if (hasText) {
    if (!plain) call.changes(`${call.name} is started with options`);
    runsText(call, first ? [first] : [plainArg("")]);
    for (const arg of others) call.mention(arg);
  } else if (first && !readsInput && literalOf(first) !== "/dev/stdin") {
    runsFile(call, first);
    for (const arg of call.args) if (arg !== first) call.mention(arg);
  } else if (call.args.some((arg) => /^--(version|help)$/.test(arg.source)))
    call.unclear(`${call.name} is started with options`);
  else runsInput(call);
}

/** A script that lies there is judged as the program it is, unless it was made on the way. */
export function runsFile(call: ProgramCall, file: Arg): void {
  call.read(file);
  const made =
    call.wasWritten(file) ||
    file.texts.some(isStream) ||
    (file.from === "input" && file.texts.some(isUnknown));
  if (made) call.beyondReach(`${call.name} runs text that is made while the line runs`);
  call.unclear(`${call.name} runs a script that is not read`);
}

function runsInput(call: ProgramCall): void {
  const fed = call.stdin ?? [];
  const [only, ...others] = fed;
  if (typeof only?.from === "object" && others.length === 0) return runsFile(call, only.from.file);
  if (!only) call.beyondReach(`${call.name} runs what it reads from its input`);
  runsText(call, fed);
}

/** Code of a language that is not read here. What stands on the line is looked through for names of files. */
export function runsForeignCode(call: ProgramCall): void {
  const words = call.args.map(({ texts: [text = "", ...others] }) => ({
    begins: beginningOf(text).begins,
    whole: others.length === 0 && beginningOf(text).whole,
  }));
  const code = codeIn(call.name, words);
  if (!code) return;
  const pieces = code.pieces.flatMap(({ at, from }) => {
    const arg = call.args[at];
    return arg ? [from === 0 ? arg : { ...arg, texts: arg.texts.map((text) => text.slice(from)) }] : [];
  });
  const [only, ...others] = code.readsInput ? (call.stdin ?? []) : [];
  if (typeof only?.from === "object" && others.length === 0) runsFile(call, only.from.file);
  else if (code.readsInput && (!only || [only, ...others].some(isMade)))
    call.beyondReach(`${call.name} runs what it reads from its input`);
  const isOnLine = pieces.length > 0 || only !== undefined;
  if (pieces.some(isMade) || (isOnLine && !code.everyday))
    call.beyondReach(`${call.name} runs code that is not read`);
}
