import { anyArg, plainArg } from "../words/args.ts";
import type { Program, ProgramCall } from "../walk/programCall.ts";
import { condition } from "./conditions.ts";
import { literalOf, type Arg } from "../words/expand.ts";
import { find } from "./find.ts";
import { isLiteral, isStream } from "../words/unknownText.ts";
import { canReachOut, readAwk } from "./languages/awk.ts";
import { noDoings, type TextDoings } from "./languages/textDoings.ts";
import { onlyLooksAtInput } from "./languages/jq.ts";
import { readSed } from "./languages/sed.ts";
import { editedBackup } from "./backups.ts";
import { optionList, parseArgs, type ParsedArgs } from "./options.ts";
import { xargs } from "./xargs.ts";

/** Programs with a small language of their own on the command line. */
export const SCRIPTED: Readonly<Record<string, Program>> = {
  sed,
  gsed: sed,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  jq,
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
  "n e= f=r E r s u z i? quiet silent expression= file=r regexp-extended separate unbuffered null-data posix in-place? debug sandbox",
);

interface Words {
  parsed: ParsedArgs;
  /** The program text, in several parts where several options have one. */
  scripts: readonly Arg[];
  files: readonly Arg[];
}

function sedWords(args: readonly Arg[]): Words {
  const parsed = parseArgs(args, SED);
  const scripts = parsed.values("e", "expression");
  if (scripts.length > 0 || parsed.has("f", "file")) return { parsed, scripts, files: parsed.operands };
  return { parsed, scripts: parsed.operands.slice(0, 1), files: parsed.operands.slice(1) };
}

/** What the scripts of a call of sed do; undefined when they cannot be read. A value that is missing counts as letters. */
export function doingsOfSed(args: readonly Arg[]): TextDoings | undefined {
  const { scripts } = sedWords(args);
  const sure = scripts.every(({ texts }) => texts.length === 1);
  const texts = scripts.flatMap((arg) => arg.texts);
  return sure ? readSed(texts) : allOf(texts.map((text) => readSed([text])));
}

function allOf(all: readonly (TextDoings | undefined)[]): TextDoings | undefined {
  return all.reduce(
    (one, other) =>
      one &&
      other && {
        ...one,
        ...other,
        reads: [...one.reads, ...other.reads],
        writes: [...one.writes, ...other.writes],
        runs: [...one.runs, ...other.runs],
      },
    noDoings(),
  );
}

function sed(call: ProgramCall): void {
  const { parsed, scripts, files } = sedWords(call.args);
  for (const arg of parsed.reads) call.read(arg);
  const inPlace = parsed.has("i", "in-place");
  for (const arg of files) {
    if (!inPlace) call.read(arg);
    else {
      const kept = parsed.values("i", "in-place").flatMap((suffix) => editedBackup(arg, suffix));
      for (const file of [arg, ...kept]) call.write(file);
    }
  }
  const effects = doingsOfSed(call.args);
  const isSure = scripts.every((arg) => literalOf(arg) !== undefined) && !parsed.has("f", "file");
  const onlyPrints = notesDoings(call, effects, "a sed script");
  if (parsed.doubt !== undefined) call.unread(parsed.doubt);
  if (onlyPrints && isSure && parsed.doubt === undefined) return;
  call.unread("a sed script can write files and run programs");
  runsMade(call, parsed.values("f", "file"));
  if (!effects || !isSure || parsed.doubt !== undefined)
    for (const arg of [...scripts, ...files]) call.mention(arg);
}

/** Notes what a program text does. True: it was read, and it only prints. */
function notesDoings(call: ProgramCall, effects: TextDoings | undefined, what: string): boolean {
  if (!effects) {
    call.unreadText(`${what} that cannot be read may write files and run programs`);
    return false;
  }
  const { reads, writes, runs, readsMore, writesMore, runsMore, doubt, unproven } = effects;
  if (unproven !== undefined) call.unproven(unproven);
  for (const name of reads) call.read(plainArg(name));
  for (const name of writes) call.write(plainArg(name));
  for (const text of runs) call.followText(text);
  if (readsMore !== undefined) call.read(anyArg(readsMore));
  const more = runsMore ?? writesMore;
  if (more !== undefined) call.beyondReach(more);
  const why = more ?? readsMore ?? doubt;
  return why === undefined && [reads, writes, runs].every(({ length }) => length === 0);
}

/** A program that is read from a stream is made while the line runs. */
function runsMade(call: ProgramCall, files: readonly Arg[]): void {
  if (files.some(({ texts }) => texts.some((text) => text === "-" || isStream(text))))
    call.beyondReach(`${call.name} runs text that is not known yet`);
}

const AWK = optionList("F= v= f=r field-separator= assign= file=r posix");

function awkWords(args: readonly Arg[]): Words {
  const parsed = parseArgs(args, AWK, { stopAtOperand: true });
  const { operands } = parsed;
  if (parsed.has("f", "file")) return { parsed, scripts: [], files: operands };
  return { parsed, scripts: operands.slice(0, 1), files: operands.slice(1) };
}

/** What the program of a call of awk does; undefined when it is not known yet. */
export function doingsOfAwk(args: readonly Arg[]): TextDoings | undefined {
  const [program] = awkWords(args).scripts;
  if (!program) return noDoings();
  const text = literalOf(program);
  if (text === undefined) return undefined;
  const unread = canReachOut(text)
    ? { runsMore: "an awk program that cannot be read may write files and run programs" }
    : { readsMore: "what an awk program that cannot be read names" };
  return readAwk(text) ?? { ...noDoings(), ...unread };
}

function awk(call: ProgramCall): void {
  const { parsed, files } = awkWords(call.args);
  for (const arg of parsed.reads) call.read(arg);
  // Also `x=y`: most take it for a variable, and for a file where `x` cannot be the name of one.
  for (const arg of files) call.read(arg);
  const onlyPrints = notesDoings(call, doingsOfAwk(call.args), "an awk program");
  if (onlyPrints && parsed.doubt === undefined && !parsed.has("f", "file")) return;
  runsMade(call, parsed.values("f", "file"));
  call.opaqueRead(parsed.doubt ?? "an awk program can write files and run programs");
}

const JQ = optionList(
  "a c C e j M n r R s S arg=2 argjson=2 rawfile=2r slurpfile=2r args jsonargs ascii-output color-output compact-output exit-status " +
    "indent= join-output monochrome-output null-input raw-input raw-output raw-output0 seq slurp sort-keys stream tab unbuffered",
);

function jq(call: ProgramCall): void {
  const parsed = parseArgs(call.args, JQ);
  const [program, ...files] = parsed.operands;
  const text = literalOf(program);
  for (const arg of [...parsed.reads, ...files]) call.read(arg);
  if (parsed.doubt !== undefined) {
    call.unread(parsed.doubt);
    for (const arg of call.args) call.mention(arg);
  }
  if (!program || (text !== undefined && onlyLooksAtInput(text))) return;
  call.unread("a jq program can read more than its input");
  // It loads other programs, and what is in files, by these words only.
  if (program.texts.some((one) => !isLiteral(one) || /import|include/.test(one)))
    call.read(anyArg("what a jq program loads"));
}

function date(call: ProgramCall): void {
  const parsed = parseArgs(
    call.args,
    optionList("u R I? d= r=r f=r file=r utc universal iso-8601? rfc-3339= rfc-email date= reference=r"),
  );
  for (const arg of parsed.reads) call.read(arg);
  const sets = parsed.operands.some((arg) => arg.texts.some((text) => !text.startsWith("+")));
  // `-d 'TZ="file" now'` takes the time zone from a file.
  const zoned = parsed.values("d", "date").some((arg) => arg.texts.some((text) => text.includes("TZ=")));
  if (sets) call.unclear("date may set the clock");
  const why = parsed.doubt ?? (zoned ? "date may open any file for a time zone" : undefined);
  if (why !== undefined) call.unread(why);
}

function interpreter(call: ProgramCall): void {
  if (checksSyntax(call)) return;
  unpacksByModule(call);
  call.unknown(`${call.name} runs code that is not read`);
}

/** `node --check src/a.js` reads the files and runs nothing of them; another option might. */
function checksSyntax(call: ProgramCall): boolean {
  const [option, ...files] = call.args;
  if (call.name !== "node" || literalOf(option) !== "--check" || files.length === 0) return false;
  if (!files.every(({ texts }) => texts.every((text) => /^[\w./]/.test(text)))) return false;
  for (const file of files) call.read(file);
  return true;
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
