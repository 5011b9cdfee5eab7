import { isPublicName } from "../ownVariables.ts";
import { anyArg, type Program, type ProgramCall } from "./call.ts";
import { literalOf } from "./expand.ts";
import { everythingBelow } from "./gaps.ts";
import { optionList, parseArgs, type OptionList } from "./options.ts";
import { PRINTERS } from "./printed.ts";

/**
 * Programs that only read, each with the options of which that is known. An option that is missing here makes the command
 * unclear, which costs a question; an option that should not be here would cost more. So nothing that writes, runs a program,
 * follows a file for ever or talks to the network belongs into this table.
 */
interface Reader {
  options: OptionList;
  /** What stands behind the options. */
  operands: "files" | "text" | "pattern and files" | "nothing";
  /** Options that stand in place of the pattern. */
  patternBy?: readonly string[];
  /** Everything below a folder is read: always, or with one of these options. */
  below?: true | readonly string[];
  /** Options with which it goes on where links lead. */
  follows?: readonly string[];
  /** Without files it reads the working folder: always, or only when it reads what is below. */
  here?: "always" | "below";
  /** None of its options can do harm, so a file that is named like an option cannot either. */
  harmless: boolean;
}

type Given = Omit<Reader, "options" | "harmless"> & { harmful?: true };

function reader(options: string, given: Given): Reader {
  const { harmful, ...rest } = given;
  return { ...rest, options: optionList(options), harmless: harmful === undefined };
}

const files = (options: string) => reader(options, { operands: "files" });
const text = (options: string) => reader(options, { operands: "text" });
const SUMS = "b t z w binary text tag zero quiet status strict warn";

/** Words of ps without a dash; an `e` among them shows the environment of every program. */
const PS_WORDS = /^[auxfwljr]+$/;

/** Columns that people ask ps for. */
const PS_COLUMNS =
  /^(p?pid|pgid|user|comm|cmd|args|%cpu|%mem|pcpu|pmem|e?time|etimes|stat|start|lstart|rss|vsz|tty|nlwp|,|=)+$/;

function processes(call: ProgramCall): void {
  const parsed = parseArgs(
    call.args,
    optionList("A a d e f F l y w x u= U= p= C= o= H sort= pid= ppid= user= forest"),
  );
  const strange = [
    ...parsed.operands.filter((arg) => !PS_WORDS.test(literalOf(arg) ?? "")),
    ...parsed.values("o").filter((arg) => !PS_COLUMNS.test(literalOf(arg) ?? "")),
  ];
  if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  for (const arg of strange) call.unclear(`${arg.source} may show what no other program should see`);
}

/** A word behind it would be the machine's new name. */
function hostname(call: ProgramCall): void {
  const parsed = parseArgs(call.args, optionList("A d f i I s domain fqdn long short ip-address"));
  const sets = parsed.operands.length > 0 ? "hostname may name the machine" : undefined;
  const why = parsed.doubt ?? sets;
  if (why !== undefined) call.unclear(why);
}

function printenv(call: ProgramCall): void {
  if (call.args.length === 0 || !call.args.every((arg) => isPublicName(literalOf(arg) ?? "")))
    call.unclear("printenv shows the environment");
}

const SPECIAL: Readonly<Record<string, Program>> = { ...PRINTERS, ps: processes, hostname, printenv };

const READERS: Readonly<Record<string, Reader>> = {
  cat: files("A b e E n s t T u v show-all number-nonblank show-ends number squeeze-blank show-tabs"),
  tac: files("b r s= before regex separator="),
  head: files("c= n= q v z # bytes= lines= quiet silent verbose zero-terminated"),
  tail: files("c= n= q v z # bytes= lines= quiet silent verbose zero-terminated"),
  wc: files("c m l L w bytes chars lines max-line-length words total= files0-from=r"),
  nl: files("b= d= f= h= i= l= n= p s= v= w= body-numbering= number-width= number-separator= number-format="),
  cut: files(
    "b= c= d= f= s z n complement bytes= characters= delimiter= fields= only-delimited output-delimiter=",
  ),
  paste: files("d= s z delimiters= serial zero-terminated"),
  rev: files("0 zero"),
  fold: files("b s w= bytes spaces width="),
  expand: files("i t= initial tabs="),
  column: files("t s= o= n c= x N= R= J table separator= output-separator= columns= table-columns="),
  comm: files("1 2 3 z check-order nocheck-order output-delimiter= total zero-terminated"),
  join: files("a= e= i j= o= t= v= 1= 2= ignore-case header check-order nocheck-order"),
  cmp: files("b i= l n= s print-bytes verbose bytes= quiet silent ignore-initial="),
  stat: files("c= f L t format= printf= dereference file-system terse"),
  md5sum: files(SUMS),
  sha1sum: files(SUMS),
  sha224sum: files(SUMS),
  sha256sum: files(SUMS),
  sha384sum: files(SUMS),
  sha512sum: files(SUMS),
  b2sum: files(`${SUMS} l= length=`),
  cksum: files("a= algorithm= untagged raw base64 z"),
  od: files(
    "A= t= N= j= w= v a b c d f i l o s x address-radix= format= read-bytes= skip-bytes= output-duplicates width?",
  ),
  hexdump: files("b c C d e= n= o s= v x length= skip= canonical no-squeezing"),
  strings: files("a n= t= e= f w o bytes= radix= encoding= all print-file-name"),
  base64: files("d i w= decode ignore-garbage wrap="),
  df: files(
    "a B= h H i k l P t= T x= all block-size= human-readable si inodes local portability type= print-type exclude-type= total",
  ),
  readlink: files("f e m n q s v z canonicalize canonicalize-existing canonicalize-missing no-newline zero"),
  realpath: files(
    "e m L P q s z canonicalize-existing canonicalize-missing logical physical quiet relative-to= relative-base= no-symlinks zero",
  ),
  file: reader(
    "b h i k L N n p r brief mime mime-type mime-encoding dereference no-dereference keep-going no-buffer",
    {
      operands: "files",
      harmful: true,
    },
  ),
  ls: reader(
    "a A b B c C d f F g G h H i I= k l L m n N o p q Q r R s S t T= u U v w= x X Z 1 all almost-all author escape block-size= " +
      "ignore-backups color? directory classify? file-type format= full-time group-directories-first no-group human-readable si " +
      "dereference hide= hyperlink? indicator-style= inode ignore= kibibytes dereference-command-line numeric-uid-gid literal " +
      "quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= context zero",
    { operands: "files", below: ["R", "recursive"], follows: ["L", "dereference"], here: "always" },
  ),
  tree: reader(
    "a d f x L= R P= I= p u g s h D q N Q A S n C J X F i v t c U r gitignore matchdirs ignore-case noreport charset= " +
      "filelimit= dirsfirst filesfirst sort= du si prune inodes device timefmt=",
    { operands: "files", below: true, here: "always", harmful: true },
  ),
  du: reader(
    "0 a B= b c d= h k l m P s S t= x all apparent-size block-size= bytes total max-depth= human-readable si summarize " +
      "separate-dirs threshold= exclude= one-file-system time? time-style= null inodes files0-from=r",
    { operands: "files", below: true, here: "always" },
  ),
  diff: reader(
    "a b B c C= d e E i N n p q r s t T u U= w W= x= y Z brief color? context? ed exclude= expand-tabs ignore-all-space " +
      "ignore-blank-lines ignore-case ignore-space-change ignore-trailing-space label= L= left-column minimal new-file normal " +
      "report-identical-files show-c-function side-by-side suppress-common-lines text unified? unidirectional-new-file " +
      "width= recursive strip-trailing-cr #",
    { operands: "files", below: ["r", "recursive"] },
  ),
  grep: reader(
    "a A= b B= c C= d= D= E e= F f=r G h H i I l L m= n o P q r s T u U v w x y z Z # after-context= basic-regexp before-context= " +
      "binary binary-files= byte-offset color? colour? context= count devices= directories= exclude= " +
      "exclude-dir= exclude-from=r extended-regexp file=r files-with-matches files-without-match fixed-strings ignore-case include= " +
      "initial-tab invert-match label= line-buffered line-number line-regexp max-count= no-filename no-ignore-case no-messages null " +
      "null-data only-matching perl-regexp quiet recursive regexp= silent text with-filename word-regexp",
    {
      operands: "pattern and files",
      patternBy: ["e", "f", "regexp", "file"],
      below: ["r", "recursive"],
      here: "below",
    },
  ),
  rg: reader(
    "a A= B= b c C= E= e= f=r F g= h H i I j= l m= M= n N o p P q r= s S t= T= u U v V w x . 0 # after-context= before-context= " +
      "byte-offset binary case-sensitive color= colors= column context= context-separator= count count-matches crlf debug " +
      "dfa-size-limit= encoding= engine= field-context-separator= field-match-separator= file=r files files-with-matches " +
      "files-without-match fixed-strings glob= glob-case-insensitive heading hidden iglob= ignore-case ignore-file=r " +
      "ignore-file-case-insensitive include-zero invert-match json line-buffered line-number line-regexp max-columns= " +
      "max-columns-preview max-count= max-depth= max-filesize= mmap multiline multiline-dotall no-config no-filename no-heading " +
      "no-ignore no-ignore-dot no-ignore-files no-ignore-global no-ignore-parent no-ignore-vcs no-line-number no-messages no-mmap " +
      "no-require-git null null-data one-file-system only-matching passthru path-separator= pcre2 pretty quiet regexp= replace= " +
      "smart-case sort= sortr= stats text threads= trim type= type-add= type-list type-not= unicode unrestricted version vimgrep " +
      "with-filename word-regexp",
    {
      operands: "pattern and files",
      patternBy: ["e", "f", "regexp", "file", "files", "type-list", "version", "V"],
      below: true,
      here: "always",
      harmful: true,
    },
  ),
  fd: reader(
    "0 a A c= d= e= E= F g H i I l p q s S= t= u 1 absolute-path base-directory= case-sensitive changed-before= changed-within= color= " +
      "exact-depth= exclude= extension= fixed-strings full-path glob hidden ignore-case list-details max-depth= " +
      "max-results= min-depth= no-ignore no-ignore-vcs one-file-system print0 quiet regex size= strip-cwd-prefix? type= unrestricted",
    { operands: "pattern and files", below: true, here: "always", harmful: true },
  ),
  sort: reader(
    "b d f g h i k= m M n r R s S= t= u V z batch-size= buffer-size= check? C c debug dictionary-order field-separator= files0-from=r " +
      "general-numeric-sort human-numeric-sort ignore-case ignore-leading-blanks ignore-nonprinting key= merge month-sort " +
      "numeric-sort o=w output=w parallel= random-sort reverse sort= stable unique version-sort zero-terminated",
    { operands: "files", harmful: true },
  ),
  tr: text("c C d s t complement delete squeeze-repeats truncate-set1"),
  basename: text("a s= z multiple suffix= zero"),
  dirname: text("z zero"),
  seq: text("f= s= w format= separator= equal-width"),
  expr: text(""),
  sleep: text(""),
  which: text("a"),
  type: text("a f p P t"),
  true: text(""),
  false: text(""),
  ":": text(""),
  uname: text(
    "a s n r v m p i o all kernel-name nodename kernel-release kernel-version machine operating-system",
  ),
  id: text("u g G n r user group groups name real"),
  whoami: text(""),
  nproc: text("all ignore="),
  uptime: text("p s pretty since"),
  free: text("b k m g h l t w v bytes kibi mebi gibi human lohi total wide si"),
  pwd: text("L P"),
  wait: text(""),
  exit: text(""),
  break: text(""),
  continue: text(""),
};

/** It makes no difference where they run. */
export const onlyPrints = (name: string) =>
  Object.hasOwn(PRINTERS, name) || (Object.hasOwn(READERS, name) && READERS[name]?.operands === "text");

export function readerFor(name: string): Program | undefined {
  if (Object.hasOwn(SPECIAL, name)) return SPECIAL[name];
  const row = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  return row && ((call) => readFiles(call, row));
}

function readFiles(call: ProgramCall, row: Reader): void {
  const parsed = parseArgs(call.args, row.options, { harmless: row.harmless });
  for (const arg of parsed.reads) call.read(arg);
  for (const arg of parsed.writes) call.write(arg);
  if (parsed.doubt !== undefined) {
    call.unclear(parsed.doubt);
    for (const arg of call.args) call.mention(arg);
  }
  for (const list of parsed.values("files0-from")) call.read(anyArg(`what ${list.source} names`));
  if (row.operands === "text") {
    for (const arg of call.args) call.lists(arg);
    return;
  }
  const hasPattern = row.operands === "pattern and files" && !parsed.has(...(row.patternBy ?? []));
  const operands = parsed.operands.slice(hasPattern ? 1 : 0);
  const below = row.below === true || parsed.has(...(row.below ?? []));
  if (below && parsed.has(...(row.follows ?? [])))
    call.unclear(`${call.name} follows links that lead anywhere`);
  for (const arg of operands) if (arg.source !== "-") call.read(arg, { below });
  // `grep -rl x src | xargs …`: each name begins with that of the folder.
  const lists = call.name === "grep" && below && parsed.has("l", "files-with-matches");
  if (lists && parsed.doubt === undefined && operands.length > 0)
    call.prints = operands.map((arg) => ({
      ...arg,
      texts: arg.texts.map(everythingBelow),
      many: true,
      from: "input",
    }));
  const here = row.here === "always" || (row.here === "below" && below);
  if (here && operands.length === 0) call.read(".", { below });
}
