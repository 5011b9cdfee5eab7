import { optionList, type OptionList } from "./options.ts";

/**
 * A program that only reads, with the options of which that is known. An option that is missing here makes the command unclear,
 * which costs a question or a sandbox; an option that should not be here would cost more. So what writes, runs a program, follows
 * links or a file for ever, or talks to the network is left out or has a `!`.
 */
export interface Reader {
  options: OptionList;
  /** What stands behind the options. */
  operands: "files" | "text" | "pattern and files" | "nothing";
  /** Options that stand in place of the pattern. */
  patternBy: readonly string[];
  /** Everything below a folder is read: always, or with one of these options. */
  below: true | readonly string[];
  /** What a folder holds is read as well, also through links. */
  opensFolders: boolean;
  /** Without files it reads the working folder: always, or only when it reads what is below. */
  here: "always" | "below" | undefined;
  /** An operand like this is a file with more operands. */
  lists: RegExp | undefined;
  /** A variable that names a file with more options. */
  settings: string | undefined;
}

function reader(options: string, given: Partial<Omit<Reader, "options">> = {}): Reader {
  return {
    options: optionList(options),
    operands: "files",
    patternBy: [],
    below: [],
    opensFolders: false,
    here: undefined,
    lists: undefined,
    settings: undefined,
    ...given,
  };
}

const text = (options: string) => reader(options, { operands: "text" });
const SUMS = "b t z w binary text tag zero quiet status strict warn";
const FD = reader(
  "x! X! exec! exec-batch! l! list-details! 0 a A c= d= e= E= F g H i I p q s S= t= u 1 absolute-path case-sensitive changed-before= changed-within= color= " +
    "exact-depth= exclude= extension= fixed-strings full-path glob hidden ignore-case max-depth= max-results= min-depth= " +
    "no-ignore no-ignore-vcs one-file-system print0 quiet regex size= strip-cwd-prefix? type= unrestricted",
  { operands: "pattern and files", below: true, here: "always" },
);

export const READERS: Readonly<Record<string, Reader>> = {
  cat: reader("A b e E n s t T u v show-all number-nonblank show-ends number squeeze-blank show-tabs"),
  tac: reader("b r s= before regex separator="),
  head: reader("c= n= q v z # bytes= lines= quiet silent verbose zero-terminated"),
  tail: reader("f! F! follow! pid! retry! c= n= q v z # bytes= lines= quiet silent verbose zero-terminated"),
  wc: reader("c m l L w bytes chars lines max-line-length words total= files0-from=r"),
  nl: reader(
    "b= d= f= h= i= l= n= p s= v= w= body-numbering= number-width= number-separator= number-format=",
  ),
  cut: reader(
    "b= c= d= f= s z n complement bytes= characters= delimiter= fields= only-delimited output-delimiter=",
  ),
  paste: reader("d= s z delimiters= serial zero-terminated"),
  rev: reader("0 zero"),
  fold: reader("b s w= bytes spaces width="),
  expand: reader("i t= initial tabs="),
  column: reader("t s= o= n c= x N= R= J table separator= output-separator= columns= table-columns="),
  comm: reader("1 2 3 z check-order nocheck-order output-delimiter= total zero-terminated"),
  join: reader("a= e= i j= o= t= v= 1= 2= ignore-case header check-order nocheck-order"),
  cmp: reader("b i= l n= s print-bytes verbose bytes= quiet silent ignore-initial="),
  stat: reader("c= f L t format= printf= dereference file-system terse"),
  md5sum: reader(SUMS),
  sha1sum: reader(SUMS),
  sha224sum: reader(SUMS),
  sha256sum: reader(SUMS),
  sha384sum: reader(SUMS),
  sha512sum: reader(SUMS),
  b2sum: reader(`${SUMS} l= length=`),
  cksum: reader("a= algorithm= untagged raw base64 z"),
  od: reader(
    "A= t= N= j= w? v a b c d f i l o s x address-radix= format= read-bytes= skip-bytes= output-duplicates width?",
  ),
  hexdump: reader("b c C d e= n= o s= v x length= skip= canonical no-squeezing"),
  strings: reader("a n= t= e= f w o bytes= radix= encoding= all print-file-name", { lists: /^@/ }),
  base64: reader("d i w= decode ignore-garbage wrap="),
  df: reader(
    "a B= h H i k l P t= T x= all block-size= human-readable si inodes local portability type= print-type exclude-type= total",
  ),
  readlink: reader("f e m n q s v z canonicalize canonicalize-existing canonicalize-missing no-newline zero"),
  realpath: reader(
    "e m L P q s z canonicalize-existing canonicalize-missing logical physical quiet relative-to=r relative-base=r no-symlinks zero",
  ),
  file: reader(
    "C! compile! b h i k L N n r brief mime mime-type mime-encoding dereference no-dereference keep-going no-buffer",
  ),
  // Some take `-I`, `-T` and `-w` for switches, and the word behind for a file.
  ls: reader(
    "a A b B c C d f F g G h H i I=o k l m n N o p q Q r R s S t T=o u U v w=o x X Z 1 all almost-all author escape block-size= " +
      "ignore-backups color? directory classify? file-type format= full-time group-directories-first no-group human-readable si " +
      "hide= hyperlink? indicator-style= inode ignore= kibibytes dereference-command-line numeric-uid-gid literal " +
      "quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= context zero",
    { below: ["R", "recursive"], here: "always" },
  ),
  // `-R` writes a page into every folder, and where a long option has its value differs.
  tree: reader(
    "o! R! a d f x L= P= I= p u g s h D q N Q A S n C J X F i v t c U r gitignore matchdirs ignore-case noreport charset? " +
      "filelimit? dirsfirst filesfirst sort? du si prune inodes device timefmt?",
    { below: true, here: "always" },
  ),
  du: reader(
    "0 a B= b c d= h k l m P s S t= x all apparent-size block-size= bytes total max-depth= human-readable si summarize " +
      "separate-dirs threshold= exclude= one-file-system time? time-style= null inodes files0-from=r",
    { below: true, here: "always" },
  ),
  diff: reader(
    "l! paginate! a b B c C= d e E i N n p q r s t T u U= w W= x= y Z brief color? context? ed exclude= expand-tabs ignore-all-space " +
      "ignore-blank-lines ignore-case ignore-space-change ignore-trailing-space label= L= left-column minimal new-file normal " +
      "report-identical-files show-c-function side-by-side suppress-common-lines text unified? unidirectional-new-file " +
      "width= recursive strip-trailing-cr #",
    { opensFolders: true },
  ),
  grep: reader(
    "a A= b B= c C= E e= F f=r G h H i I l L m= n o P q r s T u U v w x y z Z # after-context= basic-regexp before-context= " +
      "binary binary-files= byte-offset color? colour? context= count exclude= " +
      "exclude-dir= exclude-from=r extended-regexp file=r files-with-matches files-without-match fixed-strings ignore-case include= " +
      "initial-tab invert-match line-buffered line-number line-regexp max-count= no-filename no-ignore-case no-messages null " +
      "null-data only-matching perl-regexp quiet recursive regexp= silent text with-filename word-regexp",
    {
      operands: "pattern and files",
      patternBy: ["e", "f", "regexp", "file"],
      below: ["r", "recursive"],
      here: "below",
    },
  ),
  rg: reader(
    "pre! pre-glob! hostname-bin! a A= B= b c C= E= e= f=r F g= h H i I j= l m= M= n N o p P q r= s S t= T= u U v V w x . 0 # after-context= before-context= " +
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
      settings: "RIPGREP_CONFIG_PATH",
    },
  ),
  fd: FD,
  fdfind: FD,
  sort: reader(
    "T! temporary-directory! compress-program! b d f g h i k= m M n r R s S= t= u V z batch-size= buffer-size= check? C c debug dictionary-order field-separator= files0-from=r " +
      "general-numeric-sort human-numeric-sort ignore-case ignore-leading-blanks ignore-nonprinting key= merge month-sort " +
      "numeric-sort o=w output=w parallel= random-sort reverse sort= stable unique version-sort zero-terminated",
  ),
  // A name with a slash in it is that of a file.
  iconv: reader("f=r t=r l c s o=w output=w from-code=r to-code=r list silent"),
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
  // A word behind it would be the machine's new name; whoever asks for more of it asks the network.
  hostname: reader("F! file! b! boot! I s short all-ip-addresses", { operands: "nothing" }),
};

/** A variable that names a file with more options for a program. */
export const optionsVariable = (program: string) =>
  Object.hasOwn(READERS, program) ? READERS[program]?.settings : undefined;
