import { anyArg, inside, plainArg } from "../words/args.ts";
import type { ProgramCall } from "../walk/programCall.ts";
import { literalOf } from "../words/expand.ts";
import { optionList, parseArgs } from "./options.ts";

export function zip(call: ProgramCall): void {
  const [target, ...rest] = operandsOf(call);
  if (target && literalOf(target) !== "-") call.write(target);
  for (const arg of rest) call.read(arg, { below: true });
  // `zip x -@` is told the names.
  if (call.args.some((arg) => /^-\w*@/.test(literalOf(arg) ?? ""))) call.read(anyArg("what zip is told"));
  call.unclear("zip takes options that are not read");
}

const TAR = optionList(
  "A c d r t u x f= C= z j J Z a v p m k O P h l w W S T=r X=r g=w N= G b= B i s n create extract get list append update " +
    "concatenate diff delete file= listed-incremental=w directory= gzip bzip2 xz zstd verbose preserve-permissions same-permissions keep-old-files " +
    "to-stdout absolute-names dereference exclude= exclude-from=r files-from=r strip-components= wildcards no-same-owner " +
    "numeric-owner overwrite remove-files transform= show-transformed-names anchored one-file-system auto-compress totals? " +
    "no-recursion owner= group= mtime= sort= exclude-vcs",
);

export function tar(call: ProgramCall): void {
  const [first, ...rest] = call.args;
  const old = literalOf(first);
  // `tar xzf a.tgz`: letters without a dash, and their values behind them.
  const bundled = old !== undefined && /^[A-Za-z]+$/.test(old);
  const parsed = parseArgs(bundled ? [plainArg(`-${old}`), ...rest] : call.args, TAR);
  if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  const lists = parsed.has("t", "list", "d", "diff");
  if (lists) call.needsBounds("tar may start a program that unpacks");
  else call.changes("tar may start a program that unpacks");
  const archive = parsed.values("f", "file");
  for (const arg of parsed.reads) call.read(arg);
  for (const list of parsed.values("T", "files-from")) call.read(anyArg(`what ${list.source} names`));
  for (const arg of parsed.writes) call.write(arg);
  const folders = parsed.values("C", "directory");
  const extracts = parsed.has("x", "extract", "get");
  if (extracts || parsed.doubt !== undefined) {
    for (const arg of archive) call.read(arg);
    if (parsed.has("O", "to-stdout") && parsed.doubt === undefined) return;
    if (parsed.has("P", "absolute-names", "transform")) call.write("/", { below: true, through: "archive" });
    for (const folder of folders.length > 0 ? folders : [plainArg(".")])
      call.write(folder, { below: true, through: "archive" });
  } else if (lists) {
    for (const arg of archive) call.read(arg);
  }
  if (!extracts && !lists) {
    for (const arg of archive) call.write(arg);
    for (const arg of parsed.operands) {
      const placed = folders.length === 1 && folders[0] ? inside(folders[0], arg) : arg;
      if (parsed.has("remove-files")) call.write(placed, { below: true });
      else call.read(placed, { below: true });
    }
  }
}

/** Options of unzip with which it lists, tests or prints, and of those nothing else comes. */
const UNZIP = optionList("a b c d= f j l L n o p P= q t T u v x= z Z C D M : ^");
const UNZIP_LISTS = new Set("a c l p q t v z C".split(" "));

export function unzip(call: ProgramCall): void {
  const parsed = parseArgs(call.args, UNZIP);
  if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  const [archive] = parsed.operands;
  // It looks for files itself, by stars and by a name without its end.
  if (archive)
    call.read({ ...archive, texts: archive.texts.flatMap((text) => [text, `${text}.zip`, `${text}.ZIP`]) });
  if (archive?.texts.some((text) => /[*?[]/.test(text))) call.unclear("unzip looks for archives itself");
  const lists =
    parsed.has("c", "l", "p", "t", "v", "z") && parsed.names.every((name) => UNZIP_LISTS.has(name));
  if (lists && parsed.doubt === undefined) return;
  const [folder = plainArg(".")] = parsed.values("d");
  call.write(folder, { below: true, through: "archive" });
}

/** The words that are no options: a dash alone stands for the input or the output. */
export const operandsOf = ({ args }: ProgramCall) =>
  args.filter((arg) => literalOf(arg) === "-" || !literalOf(arg)?.startsWith("-"));

/** They pack what they are given, a folder with all that is in it; `7z a x.7z` packs the folder it works in. */
export function unpacksHere(call: ProgramCall): void {
  call.opaque(`${call.name} takes options that are not read`);
  const operands = operandsOf(call);
  const packed = operands.length > 2 ? operands.slice(1) : [plainArg("."), ...operands.slice(1)];
  if (!call.args.slice(0, 1).some((arg) => /^-{0,2}[xelt]/.test(literalOf(arg) ?? "")))
    for (const arg of packed) call.read(arg, { below: true });
  if (call.args.some((arg) => /^-?-?[a-z]*[xie]/.test(literalOf(arg) ?? "x")))
    call.write(".", { below: true, through: "archive" });
  for (const arg of call.args) {
    const folder = /^-o(.+)$/.exec(literalOf(arg) ?? "")?.[1];
    if (folder !== undefined) call.write(folder, { below: true, through: "archive" });
  }
}
