import { posix } from "node:path";
import { anyArg, inside, lastName, plainArg } from "../words/args.ts";
import type { Program, ProgramCall } from "../walk/programCall.ts";
import { literalOf, type Arg } from "../words/expand.ts";
import { GAP } from "../words/unknownText.ts";
import { editedBackup, keepsOriginal, withSuffix } from "./backups.ts";
import { optionList, parseArgs, type OptionList, type ParseOptions } from "./options.ts";
import { PACKAGE_MANAGERS } from "./packageManagers.ts";

/** Programs that change the files they name, and nothing else. */
interface Writer {
  options: OptionList;
  /** How many words before the files are something else: a mode, an owner. */
  skip: number;
  /** Everything below a folder is changed: always, or with one of these options. */
  below: true | readonly string[];
  removes: boolean;
  /** It writes text that it is given. */
  text: boolean;
}

function writer(options: string, rest: Partial<Omit<Writer, "options">> = {}): Writer {
  return { options: optionList(options), skip: 0, below: [], removes: false, text: false, ...rest };
}

const RECURSIVE = ["r", "R", "recursive"];
const OWNER =
  "c f h H L P R v changes silent quiet verbose recursive no-dereference dereference from= reference=r preserve-root no-preserve-root";

const WRITERS: Readonly<Record<string, Writer>> = {
  touch: writer("a c d= f h m r=r t= no-create date= reference=r time= no-dereference"),
  mkdir: writer("p v m= Z parents verbose mode="),
  rmdir: writer("p v parents verbose ignore-fail-on-non-empty", { removes: true }),
  rm: writer(
    "f i I r R d v force interactive? recursive dir verbose one-file-system preserve-root? no-preserve-root",
    { below: RECURSIVE, removes: true },
  ),
  unlink: writer("", { removes: true }),
  shred: writer("f n= s= u v x z force iterations= size= remove? verbose exact zero"),
  truncate: writer("c o r=r s= no-create io-blocks reference=r size="),
  tee: writer("a i p append ignore-interrupts output-error?", { text: true }),
  sponge: writer("a"),
  mkfifo: writer("m= mode="),
  chmod: writer(OWNER, { skip: 1, below: RECURSIVE }),
  chown: writer(OWNER, { skip: 1, below: RECURSIVE }),
  chgrp: writer(OWNER, { skip: 1, below: RECURSIVE }),
  chattr: writer("R V f v= p=", { skip: 1, below: RECURSIVE }),
  setfacl: writer("b k m= M=r x= X=r R P L d n", { below: RECURSIVE }),
};

/** What they change is not what is in a file. */
const KEEPING = new Set(["touch", "chmod", "chown", "chgrp", "chattr", "setfacl"]);

function writeFiles(call: ProgramCall, row: Writer): void {
  // `chmod -x file`: a mode that looks like an option.
  const args = row.skip > 0 ? call.args.map(withoutDash) : call.args;
  const parsed = parseArgs(args, row.options);
  if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  const below = row.below === true || parsed.has(...row.below) || parsed.doubt !== undefined;
  for (const arg of parsed.reads) call.read(arg);
  // `--reference=` stands in place of the mode; and where a word is not understood, the mode may be in it.
  const skip = parsed.has("reference") || parsed.doubt !== undefined ? 0 : row.skip;
  for (const arg of parsed.operands.slice(skip)) {
    const keepsContent = KEEPING.has(call.name);
    call.write(arg, { below, away: row.removes, text: row.text, keepsContent });
  }
}

function withoutDash(arg: Arg): Arg {
  const text = literalOf(arg);
  return text !== undefined && /^-[rwxXstugoa+,=]+$/.test(text) && text !== "-R"
    ? plainArg(text.slice(1))
    : arg;
}

const GZIP =
  "1 2 3 4 5 6 7 8 9 c d f k l n N q r t v S= suffix= stdout decompress force keep name no-name list quiet recursive test verbose fast best";
const XZ =
  "0 1 2 3 4 5 6 7 8 9 c d e f k l q t v z S= T= suffix= stdout decompress compress force keep list quiet test verbose extreme threads=";
/** Also `-o`, and options with a value in the same word only, which are left out. */
const ZSTD =
  "1 2 3 4 5 6 7 8 9 c d f k l q r t v z stdout decompress compress force keep list quiet test verbose";

/** Programs that change the files they name. */
export const WRITING: Readonly<Record<string, Program>> = {
  ...Object.fromEntries(
    Object.entries(WRITERS).map(([name, row]): [string, Program] => [name, (call) => writeFiles(call, row)]),
  ),
  mknod: (call) => call.write(call.args[0] ?? anyArg("mknod")),
  mktemp: (call) => {
    const parsed = parseArgs(call.args, optionList("d q u p= t suffix= dry-run quiet directory tmpdir?"));
    if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
    const [template] = parsed.operands;
    if (template)
      call.write({ ...template, texts: template.texts.map((text) => text.replace(/X+/g, GAP.name)) });
    const folders = parsed.values("p", "tmpdir").flatMap(({ texts }) => texts);
    for (const folder of [...folders, ...(call.scope.variables.get("TMPDIR") ?? ["/tmp"])])
      call.write(`${folder}/${GAP.name}`);
  },
  split: (call) =>
    split(
      call,
      optionList(
        "a= b= C= d e l= n= x t= suffix-length= bytes= lines= number= additional-suffix= numeric-suffixes? verbose",
      ),
    ),
  csplit: (call) => split(call, optionList("b= f= k n= s z prefix= suffix-format= digits= quiet")),
  uniq: (call) =>
    inAndOut(
      call,
      optionList(
        "c d D f= i s= u w= z count repeated unique ignore-case skip-fields= skip-chars= check-chars=",
      ),
    ),
  // Each word is one option: `-ps` is none with a value behind it.
  xxd: (call) =>
    inAndOut(call, optionList("a b c= cols= C d e E g= i l= len= o= p ps plain s= seek= u"), {
      oneDash: true,
      stopAtOperand: true,
    }),
  gzip: compress(GZIP),
  pigz: compress(GZIP),
  gunzip: compress(
    "c f k l n N q r t v S= suffix= stdout force keep list name no-name quiet recursive test verbose",
  ),
  bzip2: compress(
    "1 2 3 4 5 6 7 8 9 c d f k q s t v z stdout decompress compress force keep quiet test verbose fast best",
  ),
  bunzip2: compress("c f k q s t v stdout force keep quiet test verbose"),
  xz: compress(XZ),
  unxz: compress(XZ),
  lzma: compress(XZ),
  unlzma: compress(XZ),
  zstd: compress(ZSTD),
  unzstd: compress(ZSTD),
  patch,
  ...PACKAGE_MANAGERS,
  scalar: (call) => {
    for (const home of call.scope.variables.get("HOME") ?? []) call.write(`${home}/.gitconfig`);
    call.write(".git/config");
    call.opaque("scalar may run other programs");
  },
  perl: inPlace,
  ruby: inPlace,
  crontab: (call) => {
    if (call.args.length !== 1 || literalOf(call.args[0]) !== "-l") call.write("/var/spool/cron/crontab");
    call.unclear("crontab keeps its file elsewhere");
  },
};

/** The second file is written. */
function inAndOut(call: ProgramCall, options: OptionList, ways: ParseOptions = {}): void {
  const parsed = parseArgs(call.args, options, ways);
  if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  const [from, ...to] = parsed.operands;
  if (from && from.source !== "-") call.read(from);
  if (from?.many) call.write(from);
  for (const arg of to) call.write(arg);
}

function split(call: ProgramCall, options: OptionList): void {
  const parsed = parseArgs(call.args, options);
  if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  const [from] = parsed.operands;
  if (from) call.read(from);
  const prefixes = call.name === "csplit" ? parsed.values("f", "prefix") : parsed.operands.slice(1, 2);
  const [prefix = plainArg(call.name === "csplit" ? "xx" : "x")] = prefixes;
  call.write({ ...prefix, texts: prefix.texts.map((text) => text + GAP.hidden) });
  // Of hundreds of parts one may have the name of a file that is protected: `.npm` and `rc`.
  for (const suffix of HIDDEN_ENDS)
    if (prefix.texts.some((text) => /(^|\/)\.[^/]*$/.test(text)))
      call.write(withSuffix(prefix, plainArg(suffix)));
  // `.npmr` and one letter, or a format of one's own, may be a name that somebody chose.
  if (
    parsed.values("a", "suffix-length").some((arg) => literalOf(arg) !== "2") ||
    parsed.has("b", "suffix-format")
  )
    for (const letter of LETTERS) call.write(withSuffix(prefix, plainArg(letter)));
}

/** The last two letters of names that programs look for in a project or a home. */
const HIDDEN_ENDS = ["rc", "le", "ig", "es", "on", "ml", "nv", "in", "gn", "ut"];

const folderOf = (file: Arg): Arg => ({ ...file, texts: file.texts.map((text) => posix.dirname(text)) });

const LETTERS = "abcdefghijklmnopqrstuvwxyz".split("");

/** On some machines they are scripts. */
const SCRIPTS = new Set(["gunzip"]);
const PACKED = /\.(gz|tgz|z|Z|taz|bz2?|tbz2?|xz|txz|lzma|zst|tzst)$/;

function compress(options: string): Program {
  const list = optionList(options);
  return (call) => {
    const parsed = parseArgs(call.args, list);
    if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
    // Of these the last counts, unless everything goes to the output.
    const packs = parsed.has("d", "z", "decompress", "compress");
    const only =
      parsed.doubt === undefined &&
      (parsed.has("c", "stdout") || (parsed.has("l", "list", "t", "test") && !packs));
    if (SCRIPTS.has(call.name)) call.changes(`${call.name} may be a script that starts another program`);
    const below = parsed.has("r", "recursive");
    for (const arg of parsed.operands) {
      const longer = (texts: readonly string[]) => texts.map((text) => text + GAP.hidden);
      // Where there is no file of that name, one with a suffix is taken.
      const short = arg.texts.filter((text) => !PACKED.test(text));
      if (only) call.read({ ...arg, texts: [...arg.texts, ...longer(short)] }, { below });
      else {
        // Beside the file, with a suffix more or less.
        const bare = arg.texts.map((text) => text.replace(/\.\w+$/, ""));
        call.write({ ...arg, texts: [...arg.texts, ...bare, ...longer(arg.texts)] }, { below });
        for (const suffix of parsed.values("S", "suffix")) call.write(withSuffix(arg, suffix));
        // The name that stands in the archive.
        if (parsed.has("N", "name")) call.write(folderOf(arg), { below: true, through: "archive" });
      }
    }
  };
}

const PATCH = optionList(
  "b B= d= D= e E F= f g= i=r l n N o=w p= r=w R s t T u v V= x= Y= z= Z backup basename-prefix= prefix= suffix= directory= dry-run force forward fuzz= input=r " +
    "merge? output=w quiet silent reject-file=w reverse strip= unified verbose",
);

/** What it writes stands in the patch, unless a file is named; and the patch may have it run an editor. */
function patch(call: ProgramCall): void {
  const parsed = parseArgs(call.args, PATCH);
  if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  for (const arg of parsed.reads) call.read(arg);
  for (const arg of parsed.writes) call.write(arg);
  call.changes("patch does what stands in a patch");
  if (parsed.has("dry-run") && parsed.doubt === undefined) return;
  const [named] = parsed.operands;
  const [folder = plainArg(".")] = parsed.values("d", "directory");
  const file = named && (parsed.has("d", "directory") ? inside(folder, named) : named);
  if (file) call.write(file);
  if (file) keepsOriginal(call, parsed, file);
  else if (!parsed.has("o", "output")) call.write(folder, { below: true, through: "archive" });
}

/** `perl -pi -e s/a/b/ file`: what the code does is not read, but the files are named. */
function inPlace(call: ProgramCall): void {
  const words = call.args.map((arg) => literalOf(arg) ?? "");
  // Behind the letter stands the suffix for what was in the file; which letter it is, is not known of a bundle (`-Fii`).
  const suffixes = words.flatMap((word) =>
    /^-[^-]/.test(word) ? [...word.matchAll(/i/g)].map(({ index }) => plainArg(word.slice(index + 1))) : [],
  );
  const isWritten = words.some((word) => /^-[a-zA-Z0-9]*i/.test(word));
  call.args.forEach((arg, at) => {
    const isCode = /^-\w*[eE]$/.test(words[at - 1] ?? "");
    if (!isWritten || isCode || words[at]?.startsWith("-")) return;
    for (const file of [arg, ...suffixes.flatMap((suffix) => editedBackup(arg, suffix))]) call.write(file);
  });
  call.unknown(`${call.name} runs code that is not read`);
}

/** Variables that name a file to which a program then writes. Of git's only a whole path is one. */
const FILE_VARIABLE =
  /^(GIT_TRACE\w*|GIT_INDEX_FILE|GIT_OBJECT_DIRECTORY|TMPDIR|HISTFILE|LESSHISTFILE)=(.*)$/s;

/** `GIT_TRACE=/x git status`: a word that sets a variable, and what is written because of it. */
export function assignedFile(call: ProgramCall, { source, texts, many }: Arg): void {
  const files = texts.flatMap((text) => {
    const [, name = "", value = ""] = FILE_VARIABLE.exec(text) ?? [];
    return name.startsWith("GIT_TRACE") && /^\w*$/.test(value) ? [] : [value];
  });
  call.write({ source, texts: files, many });
}

/** They name where git works and where keys and settings are read, which is looked at elsewhere or harms nobody. */
const ONLY_READ =
  /^(GIT_\w+|\w*PATH|HOME|KUBECONFIG|AWS_\w+|DOCKER_CONFIG|SSH_\w+|GNUPGHOME|CARGO_HOME|RUSTUP_HOME|GRADLE_USER_HOME|npm_config_userconfig)$/i;

/** `NODE_V8_COVERAGE=.vscode node x`: a program may write to a place that its environment names, or load from it. */
export function givenFile(call: ProgramCall, arg: Arg): void {
  for (const text of arg.texts) {
    const [, variable = "", value = ""] = /^(\w+)=(.*)$/s.exec(text) ?? [];
    call.isTold(variable, value);
  }
  const values = arg.texts.flatMap((text) => {
    const [, name = "", value = ""] = /^(\w+)=([^:]*)$/s.exec(text) ?? [];
    return ONLY_READ.test(name) ? [] : [value];
  });
  call.mention({ ...arg, texts: values });
}

/** Where a copy ends up: at the name itself, or under its old name in a folder of that name. */
export function copyTargets(target: Arg, source: Arg): Arg[] {
  const name = lastName(source);
  return name ? [target, inside(target, name)] : [target];
}
