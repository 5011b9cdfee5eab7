import { isPublicName } from "../shell/ownVariables.ts";
import { anyArg } from "../words/args.ts";
import type { Program, ProgramCall } from "../walk/programCall.ts";
import { literalOf, type Arg } from "../words/expand.ts";
import { everythingBelow, isStream } from "../words/unknownText.ts";
import { optionList, parseArgs, type ParsedArgs } from "./options.ts";
import { PRINTERS } from "./printers.ts";
import { READERS, type Reader } from "./readerTable.ts";

/** Programs that only read. */
export const READING: Readonly<Record<string, Program>> = {
  ...Object.fromEntries(
    Object.entries(READERS).map(([name, row]): [string, Program] => [name, (call) => readFiles(call, row)]),
  ),
  ...PRINTERS,
  ps: processes,
  printenv,
};

/** It makes no difference where they run. */
export const onlyPrints = (name: string) =>
  Object.hasOwn(PRINTERS, name) || (Object.hasOwn(READERS, name) && READERS[name]?.operands === "text");

function readFiles(call: ProgramCall, row: Reader): void {
  // What only prints its words does so whatever they look like.
  const parsed = parseArgs(
    call.args,
    row.options,
    row.operands === "text" ? { harmless: true } : { supposing: (arg) => call.supposesNone(/^-/, arg) },
  );
  for (const arg of parsed.reads) call.read(arg);
  for (const arg of parsed.writes) call.write(arg);
  if (parsed.doubt !== undefined) {
    if (parsed.more !== undefined) call.unclear(parsed.doubt);
    else call.unread(parsed.doubt);
    for (const arg of call.args) call.mention(arg);
  }
  for (const list of parsed.values("files0-from")) call.read(anyArg(`what ${list.source} names`));
  if (row.operands === "text") {
    for (const arg of call.args) call.lists(arg);
    return;
  }
  const [first] = parsed.operands;
  if (row.operands === "nothing" && first) call.unclear(`${call.name} may do something with ${first.source}`);
  const hasPattern = row.operands === "pattern and files" && !parsed.has(...row.patternBy);
  const operands = parsed.operands.slice(hasPattern ? 1 : 0);
  const below = row.below === true || parsed.has(...row.below);
  for (const arg of operands) if (arg.source !== "-") readOperand(call, arg, row, below);
  if (call.name === "grep" && below) call.prints = namesListed(parsed, operands);
  const here = row.here === "always" || (row.here === "below" && below);
  if (here && operands.length === 0) call.read(".", { below });
}

function readOperand(call: ProgramCall, arg: Arg, { lists, opensFolders }: Reader, below: boolean): void {
  call.read(arg, { below });
  if (lists !== undefined) {
    call.supposesNone(lists, arg);
    if (arg.texts.some((text) => lists.test(text))) call.read(anyArg(`what ${arg.source} names`));
  }
  if (!opensFolders || arg.texts.some(isStream)) return;
  const folder = literalOf(arg);
  call.read(
    { ...arg, texts: arg.texts.map(everythingBelow) },
    folder === undefined ? {} : { within: folder },
  );
}

/** Options of grep with which `-l` prints names and nothing else, each beginning with that of a folder it was given. */
const LISTS_NAMES = new Set(
  (
    "E F G P e f i l r s v w x Z extended-regexp fixed-strings basic-regexp perl-regexp regexp file ignore-case " +
    "files-with-matches recursive no-messages invert-match word-regexp line-regexp null include exclude exclude-dir"
  ).split(" "),
);

/** `grep -rl x src | xargs …` */
function namesListed(parsed: ParsedArgs, folders: readonly Arg[]): readonly Arg[] | undefined {
  const lists = parsed.has("l", "files-with-matches") && parsed.names.every((name) => LISTS_NAMES.has(name));
  if (!lists || parsed.doubt !== undefined || folders.length === 0) return undefined;
  if (folders.some(({ source }) => source === "-")) return undefined;
  return folders.map((arg) => ({
    ...arg,
    texts: arg.texts.map(everythingBelow),
    many: true,
    from: "input",
  }));
}

/** Words of ps without a dash; an `e` among them shows the environment of every program. */
const PS_WORDS = /^[auxfwljr]+$/;

/** Columns that people ask ps for. */
const PS_COLUMNS =
  /^(p?pid|pgid|user|comm|cmd|args|%cpu|%mem|pcpu|pmem|e?time|etimes|stat|start|lstart|rss|vsz|tty|nlwp|,|=)+$/;

const PS = optionList("A a d e f F l y w x u= U= p= C= o= H sort= pid= ppid= user= forest");

function processes(call: ProgramCall): void {
  const parsed = parseArgs(call.args, PS);
  const strange = [
    ...parsed.operands.filter((arg) => !PS_WORDS.test(literalOf(arg) ?? "")),
    ...parsed.values("o").filter((arg) => !PS_COLUMNS.test(literalOf(arg) ?? "")),
  ];
  if (parsed.doubt !== undefined) call.unread(parsed.doubt);
  for (const arg of strange) call.unclear(`${arg.source} may show what no other program should see`);
}

function printenv(call: ProgramCall): void {
  if (call.args.length === 0 || !call.args.every((arg) => isPublicName(literalOf(arg) ?? "")))
    call.unclear("printenv shows the environment");
}
