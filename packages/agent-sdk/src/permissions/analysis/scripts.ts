import { readAwk } from "../awkProgram.ts";
import { awkRuns, sedRuns } from "../carried.ts";
import { anyArg, plainArg, type Program, type ProgramCall } from "./call.ts";
import { literalOf, type Arg } from "./expand.ts";
import { everythingBelow, GAP, isLiteral, isStream, isUnknown } from "./gaps.ts";
import { optionList, parseArgs, type ParsedArgs } from "./options.ts";
import { itemsOf, type Cuts } from "./printed.ts";
import { sedOnlyPrints } from "./sedScript.ts";

/** Programs with a small language of their own on the command line. */
export function scriptedFor(name: string): Program | undefined {
  return Object.hasOwn(SCRIPTED, name) ? SCRIPTED[name] : undefined;
}

const SCRIPTED: Readonly<Record<string, Program>> = {
  sed,
  gsed: sed,
  awk,
  gawk: awk,
  mawk: awk,
  find,
  xargs,
  test: condition,
  "[": condition,
  date,
  node: interpreter,
  python: interpreter,
  python3: interpreter,
  gcc: interpreter,
  clang: interpreter,
  java: interpreter,
};

const SED = optionList(
  "n e= f=r E r s u z l= i? quiet silent expression= file=r regexp-extended separate unbuffered null-data posix in-place? line-length= debug sandbox",
);

function sed(call: ProgramCall): void {
  const parsed = parseArgs(call.args, SED);
  const scripts = parsed.values("e", "expression");
  const [first, ...rest] = parsed.operands;
  const files = scripts.length > 0 || parsed.has("f", "file") ? parsed.operands : rest;
  if (scripts.length === 0 && first && !parsed.has("f", "file")) scripts.push(first);
  for (const arg of parsed.reads) call.read(arg);
  const inPlace = call.args.some((arg) => arg.texts.some((text) => /^-[a-zA-Z]*i|^--in-/.test(text)));
  for (const arg of files) {
    if (inPlace) call.write(arg);
    else call.read(arg);
  }
  const proven = scripts.every((arg) => sedOnlyPrints(literalOf(arg) ?? "w")) && !parsed.has("f", "file");
  if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  if (proven && parsed.doubt === undefined) return;
  call.unclear("a sed script can write files and run programs");
  runsMade(call, parsed.values("f", "file"));
  for (const text of scripts.flatMap(({ texts }) => texts)) {
    const runs = sedRuns(text);
    const rewritten = runs?.scripts && text.includes("\\");
    const why = runs?.doubt ?? (rewritten ? "a sed script runs what it puts together" : undefined);
    if (why !== undefined) call.beyondReach(why);
    for (const script of runs?.scripts ?? []) call.followText(script);
  }
  // `w.envrc`, `s/a/b/gw.envrc`: no blank is needed before the name.
  for (const text of scripts.flatMap(({ texts }) => texts))
    for (const [, name = ""] of text.matchAll(/(?<![a-zA-Z]{2})[wW][ \t]*(?=([^\s;}]+))/g))
      call.alias(plainArg(name));
  for (const arg of [...scripts, ...files]) call.mention(arg);
}

/** A program that is read from a stream is made while the line runs. */
function runsMade(call: ProgramCall, files: readonly Arg[]): void {
  if (files.some(({ texts }) => texts.some((text) => text === "-" || isStream(text))))
    call.beyondReach(`${call.name} runs text that is not known yet`);
}

const AWK = optionList("F= v= f=r field-separator= assign= file=r posix");

/** Pipes, `system`, `getline`, and what lets a program name other files or print the environment. */
const AWK_REACHES_OUT =
  /@|(?<!\|)\|(?!\|)|\b(system|getline|ARGV|ARGC|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|fflush|close)\b/;

/**
 * Whether a `>` may be more than a comparison. It redirects only behind `print`, so before the first of these words it does
 * not; further on only in a program without texts and patterns, where it is plain to see where a statement ends.
 */
function awkMayRedirect(text: string): boolean {
  const first = text.search(/print/);
  const rest = first < 0 ? "" : text.slice(first);
  if (!/>(?!=)/.test(rest)) return false;
  return /["/\\#]/.test(text) || rest.split(/[;{}\n]/).some((statement) => /print.*>(?!=)/s.test(statement));
}

/** Without the texts in it: a target that is more than one text. */
const AWK_COMPUTES_FILE = /\bprintf?\b[^;}\n]*>>?\s*(?!""\s*(?:[;}\n]|$))(?=\S)/;
/** A name with a letter in it that is written otherwise. */
const AWK_SPELLS_FILE = />\s*"[^"]*\\/;

function awk(call: ProgramCall): void {
  const parsed = parseArgs(call.args, AWK, { stopAtOperand: true });
  const [program, ...files] = parsed.operands;
  const text = literalOf(program);
  for (const arg of parsed.reads) call.read(arg);
  const proven =
    text !== undefined && !AWK_REACHES_OUT.test(text) && !awkMayRedirect(text) && !parsed.has("f", "file");
  if (parsed.doubt === undefined && proven) {
    for (const arg of files) if (!/^\w+=/.test(arg.source)) call.read(arg);
    return;
  }
  for (const arg of files) if (arg.texts.some(isUnknown)) call.read(arg);
  if (text === undefined || AWK_COMPUTES_FILE.test(readAwk(text).code) || AWK_SPELLS_FILE.test(text))
    call.beyondReach("an awk program writes to a file that it names itself");
  runsMade(call, parsed.values("f", "file"));
  const runs = awkRuns(text ?? "");
  if (runs?.doubt !== undefined) call.beyondReach(runs.doubt);
  for (const script of runs?.scripts ?? []) call.followText(script);
  call.opaque(parsed.doubt ?? "an awk program can write files and run programs");
}

const FIND_TESTS = new Set(
  (
    "-amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname " +
    "-mmin -mtime -name -newer -path -perm -regex -regextype -samefile -size -type -uid -used -user -wholename -xtype -maxdepth " +
    "-mindepth -printf"
  ).split(" "),
);
const FIND_PLAIN = new Set(
  (
    "-a -and -o -or -not ! ( ) , -daystart -depth -d -empty -executable -false -ignore_readdir_race -mount -nogroup " +
    "-noleaf -nouser -print -print0 -ls -prune -quit -readable -true -warn -nowarn -writable -xdev"
  ).split(" "),
);
const FIND_RUNS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const FIND_WRITES = new Set(["-fprint", "-fprint0", "-fls", "-fprintf"]);

function find(call: ProgramCall): void {
  const args = call.args.filter((arg, at) => at > 3 || !/^-[HP]$/.test(arg.source));
  const begins = args.findIndex(
    (arg) => /^[-(!]/.test(literalOf(arg) ?? "") || arg.texts.some((text) => text.startsWith("-")),
  );
  const starts = begins < 0 ? args : args.slice(0, begins);
  const expression = begins < 0 ? [] : args.slice(begins);
  const roots = starts.length > 0 ? starts : [plainArg(".")];
  for (const root of roots) {
    call.read(root, { below: true });
    // `$X` may be the beginning of the expression.
    if (root.texts.some((text) => text.startsWith(GAP.any)))
      call.unclear(`${root.source} may be an action of find`);
  }
  call.prints = listedBy(roots, expression).map((arg) => ({ ...arg, from: "input" }));
  for (let at = 0; at < expression.length; at++) {
    const word = literalOf(expression[at]) ?? "";
    if (FIND_TESTS.has(word)) at++;
    else if (FIND_RUNS.has(word)) {
      const end = expression.findIndex((arg, index) => index > at && /^[;+]$/.test(literalOf(arg) ?? ""));
      const inner = expression.slice(at + 1, end < 0 ? undefined : end);
      const found = foundBy(roots, expression.slice(0, at));
      call.follow(
        inner.flatMap((arg) =>
          arg.texts.some((text) => text.includes("{}")) ? filledIn(arg, found) : [arg],
        ),
      );
      if (word.endsWith("dir")) call.unclear(`${word} runs in the folder of each file`);
      if (end < 0) return call.unclear("find has no end of its command");
      at = end;
    } else if (word === "-delete") {
      for (const arg of foundBy(roots, expression.slice(0, at))) call.write(arg, { away: true });
    } else if (FIND_WRITES.has(word)) {
      call.write(expression[++at] ?? anyArg(word));
      if (word === "-fprintf") at++;
    } else if (!FIND_PLAIN.has(word)) {
      call.unclear(`${expression[at]?.source} is not a part of find that Wave knows`);
      for (const arg of expression) call.mention(arg);
    }
  }
}

/** What find prints, one a line. */
function listedBy(roots: readonly Arg[], expression: readonly Arg[]): Arg[] {
  const words = expression.map((arg) => literalOf(arg) ?? "");
  if (words.some((word) => word === "-printf" || word === "-ls")) return [anyArg("what find prints")];
  const places = words.flatMap((word, at) => (/^-print0?$/.test(word) ? [at] : []));
  return (places.length > 0 ? places : [words.length]).flatMap((at) =>
    foundBy(roots, expression.slice(0, at)),
  );
}

/** What find comes across on the way to an action. `-name` says something about it, where every alternative has one. */
function foundBy(roots: readonly Arg[], before: readonly Arg[]): Arg[] {
  const words = before.map((arg) => literalOf(arg) ?? "");
  const isName = (at: number) => /^-i?name$/.test(words[at] ?? "");
  const ends = words.flatMap((word, at) => (/^(-o|-or|,)$/.test(word) && !isName(at - 1) ? [at] : []));
  const bounds = [-1, ...ends, words.length];
  const named = bounds
    .slice(1)
    .every((end, index) => words.some((_, at) => at > (bounds[index] ?? -1) && at < end && isName(at)));
  const negated = words.some((word) => word === "!" || word === "-not");
  const names = before.filter((_, at) => isName(at - 1));
  if (negated || !named || names.some((arg) => arg.texts.some((text) => !isLiteral(text))))
    return roots.map(allOf);
  const patterns = names.flatMap((arg) => arg.texts.map(asGaps));
  return roots.flatMap((root) =>
    patterns.map((pattern): Arg => ({
      source: `${root.source}/…/${pattern.replaceAll(GAP.hidden, "*")}`,
      texts: root.texts.map((text) => `${text}/${GAP.folders}/${pattern}`),
      many: true,
    })),
  );
}

/** Brackets and backslashes are left to find. */
const asGaps = (pattern: string) =>
  /[[\\]/.test(pattern) ? GAP.hidden : pattern.replace(/[*?]+/g, GAP.hidden);

const allOf = ({ source, texts }: Arg): Arg => ({ source, texts: texts.map(everythingBelow), many: true });

function filledIn(arg: Arg, found: readonly Arg[]): Arg[] {
  return found.map((one) => ({
    source: arg.source,
    texts: arg.texts.flatMap((text) => one.texts.map((path) => text.replaceAll("{}", path))),
    many: true,
    ...(one.from && arg.texts.includes("{}") ? { from: one.from } : {}),
  }));
}

const XARGS = optionList(
  "0 a=r d= E= I= i? L= l? n= P= p r s= t x null arg-file=r delimiter= max-args= max-chars= max-lines? max-procs= no-run-if-empty verbose replace? exit open-tty interactive",
);

function xargs(call: ProgramCall): void {
  const parsed = parseArgs(call.args, XARGS, { stopAtOperand: true });
  for (const arg of parsed.reads) call.read(arg);
  if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  const known = parsed.reads.length === 0 && parsed.doubt === undefined ? call.fed : undefined;
  const cuts = cutsOf(parsed);
  const isFile = known?.some(({ from }) => typeof from === "object");
  const fed = (isFile || !known ? [anyArg("what xargs reads")] : known).map((arg) => ({
    ...arg,
    texts: arg.texts.flatMap((text) => itemsOf(text, cuts)),
    many: true,
    from: "input" as const,
  }));
  const [mark] = parsed.values("I", "replace", "i").map(literalOf);
  const replaced = mark ?? (parsed.has("i", "replace") ? "{}" : undefined);
  const inner = parsed.operands.length > 0 ? parsed.operands : [plainArg("echo")];
  if (replaced === undefined) return call.follow([...inner, ...fed]);
  call.follow(
    inner.flatMap((arg) =>
      arg.texts.some((text) => text.includes(replaced))
        ? filledIn({ ...arg, texts: arg.texts.map((text) => text.replaceAll(replaced, "{}")) }, fed)
        : [arg],
    ),
  );
}

function cutsOf(parsed: ParsedArgs): Cuts {
  const [delimiter] = parsed.values("d", "delimiter");
  if (delimiter) return /^(\n|\\n)$/.test(literalOf(delimiter) ?? "") ? "lines" : "elsewhere";
  if (parsed.has("0", "null")) return "nothing";
  return parsed.has("I", "i", "replace") ? "lines and blanks" : "blanks";
}

/** `-v` and `-R` evaluate what they are given. */
function condition(call: ProgramCall): void {
  if (call.args.some((arg) => arg.texts.some((text) => /^-[vR]$/.test(text))))
    call.unclear("test -v evaluates its operand");
}

function date(call: ProgramCall): void {
  const parsed = parseArgs(
    call.args,
    optionList("u R I? d= r= f= file= utc universal iso-8601? rfc-3339= rfc-email date= reference=r"),
  );
  for (const arg of parsed.values("f", "file")) call.read(arg);
  const sets = parsed.operands.some((arg) => arg.texts.some((text) => !text.startsWith("+")));
  if (parsed.doubt !== undefined || sets) call.unclear(parsed.doubt ?? "date may set the clock");
}

function interpreter(call: ProgramCall): void {
  unpacksByModule(call);
  call.opaque(`${call.name} runs code that Wave does not read`);
}

/** `python3 -m tarfile -e x.tar folder`: what it writes stands in the archive. */
function unpacksByModule(call: ProgramCall): void {
  const words = call.args.map(literalOf);
  const module = words.findIndex((word) => /^(-m)?(tarfile|zipfile)$/.test(word ?? ""));
  const at = words.findIndex((word, index) => index > module && /^(-e|--e)/.test(word ?? ""));
  if (module < 0 || at < 0) return;
  const folders = call.args.slice(at + 1).filter((arg) => !arg.source.startsWith("-"));
  for (const folder of [...folders, plainArg(".")]) call.write(folder, { below: true, through: "archive" });
}
