import { optionList, type OptionList } from "../options.ts";

/**
 * Options with which git shows differences and does nothing else. Not among them are those with which it runs other programs
 * (`--ext-diff`, `--show-signature`, `--submodule`, which starts git in other repositories) or opens files (`-O`, `--no-index`).
 */
const DIFFERENCES =
  "ext-diff! show-signature! output! # a b l= p r s t u w z G= I= M? C? B? D R S= U? W 0 abbrev? binary color? color-moved? color-moved-ws= color-words? " +
  "compact-summary cumulative diff-algorithm= diff-filter= dirstat? dst-prefix= exit-code find-copies? find-copies-harder " +
  "find-object= find-renames? full-index function-context histogram ignore-all-space ignore-blank-lines ignore-cr-at-eol " +
  "ignore-matching-lines= ignore-space-at-eol ignore-space-change ignore-submodules? indent-heuristic inter-hunk-context= " +
  "line-prefix= minimal name-only name-status no-abbrev no-color no-ext-diff no-patch no-prefix no-renames no-textconv numstat " +
  "patch patch-with-raw patch-with-stat patience pickaxe-all pickaxe-regex quiet raw relative? shortstat src-prefix= stat? summary " +
  "text unified? word-diff? word-diff-regex= ws-error-highlight=";

/** And with which it goes through commits. */
const COMMITS =
  "c g i m n= q v E F P abbrev-commit after= all author= before= branches? cc cherry cherry-mark cherry-pick combined-all-paths " +
  "committer= count date= date-order diff-merges= encoding= exclude= expand-tabs? extended-regexp first-parent fixed-strings format? " +
  "full-diff full-history glob= graph grep= grep-reflog= invert-grep left-only left-right max-age= max-count= max-parents? merges " +
  "min-age= min-parents? no-abbrev-commit no-expand-tabs no-merges no-notes no-walk? not notes? oneline parents perl-regexp pretty? " +
  "reflog regexp-ignore-case relative-date remotes? remove-empty reverse right-only show-pulls simplify-by-decoration " +
  "simplify-merges since= skip= sparse tags? topo-order until= walk-reflogs";

const LOG = `${DIFFERENCES} ${COMMITS} L= decorate? decorate-refs= decorate-refs-exclude= follow no-decorate source`;

/** Of all those the ones that say which commits and files there are and how much changed, and nothing of what is in a file. */
const COUNTING: readonly string[] =
  "stat shortstat numstat name-only name-status summary dirstat compact-summary no-patch s quiet".split(" ");
const NAMING: ReadonlySet<string> = new Set([
  ...COUNTING,
  ...(
    "abbrev abbrev-commit after all author before branches cached cherry-mark cherry-pick color committer count date date-order decorate " +
    "decorate-refs decorate-refs-exclude diff-filter exclude exit-code extended-regexp find-renames first-parent fixed-strings follow " +
    "format full-history g glob graph grep i invert-grep left-only left-right M max-count max-parents merge-base merges min-parents n " +
    "no-abbrev no-abbrev-commit no-color no-decorate no-ext-diff no-merges no-notes no-renames no-textconv not oneline parents " +
    "perl-regexp pretty regexp-ignore-case relative-date remotes reverse right-only simplify-by-decoration since skip source staged " +
    "tags topo-order until w walk-reflogs z E F"
  ).split(" "),
]);

interface GitReading {
  options: OptionList;
  /** Without one of these, words behind the subcommand would create or change something. */
  needs?: readonly string[];
  /** First words with which it only reads; undefined: any words. */
  words?: RegExp;
  /** It shows the contents of files; with certain options only names and counts. */
  shows: boolean | ((options: readonly string[]) => boolean);
  /** It opens files by the names it is given, wherever they lie, and not only what it has of them itself. */
  opens: boolean;
}

const reads = (options: string, rest: Partial<Omit<GitReading, "options">> = {}): GitReading => ({
  options: optionList(options),
  shows: false,
  opens: false,
  ...rest,
});

/** With a format that has one of these, git has another program check signatures. */
export const CHECKS_SIGNATURES = /%[ +-]?G|%\(signature|^--sort=.*signature/;

/** Subcommands that only read. `branch x` makes a branch, so some of them only without words or with certain options. */
export const GIT_READS: Readonly<Record<string, GitReading>> = {
  status: reads(
    "b s u? v z ahead-behind branch column? find-renames? ignored? ignore-submodules? long no-ahead-behind no-column no-renames porcelain? renames short show-stash untracked-files? verbose",
  ),
  log: reads(LOG, { shows: (options) => !options.every((name) => NAMING.has(name)) }),
  diff: reads(`${DIFFERENCES} c q cached cc merge-base staged`, {
    shows: (options) =>
      !options.every((name) => NAMING.has(name)) || !options.some((name) => COUNTING.includes(name)),
    opens: true,
  }),
  show: reads(LOG, { shows: true }),
  "diff-tree": reads(`${DIFFERENCES} c m v always cc merge-base no-commit-id pretty? root`, { shows: true }),
  "diff-index": reads(`${DIFFERENCES} m cached merge-base`, { shows: true }),
  "diff-files": reads(`${DIFFERENCES} c q cc`, { shows: true }),
  shortlog: reads(`${COMMITS} e n s committer numbered email group= summary`),
  "rev-list": reads(`${COMMITS} abbrev? bisect boundary objects timestamp`),
  reflog: reads(LOG, { words: /^(show|HEAD.*|exists)$/, shows: true }),
  blame: reads(
    "b c C? e f l L= M? n p s t w S=r abbrev? color-by-age color-lines date= first-parent ignore-rev= incremental line-porcelain minimal porcelain reverse root score-debug show-email show-name show-number show-stats since=",
    { shows: true, opens: true },
  ),
  grep: reads(
    "O! open-files-in-pager! # a A= B= c C= E e= F f=r G h H i I l L m= n o P p q r v w W z after-context= all-match and before-context= break cached color? column context= count exclude-standard extended-regexp files-with-matches files-without-match fixed-strings full-name function-context heading ignore-case invert-match line-number max-count= max-depth= name-only no-color not null only-matching or perl-regexp quiet recursive show-function text threads= untracked word-regexp",
    { shows: true, opens: true },
  ),
  "ls-files": reads(
    "c d f i k m o s t u v x= X=r z abbrev? cached deduplicate deleted directory eol error-unmatch exclude= exclude-from=r exclude-standard format= full-name ignored killed modified others stage unmerged with-tree=",
  ),
  "ls-tree": reads("d l r t z abbrev? format= full-name full-tree long name-only name-status object-only"),
  "cat-file": reads("e p s t", { shows: true }),
  "rev-parse": reads(
    "q abbrev-ref? absolute-git-dir all branches? default= git-common-dir git-dir git-path= is-bare-repository is-inside-git-dir is-inside-work-tree is-shallow-repository local-env-vars path-format= prefix= quiet remotes? short? show-cdup show-object-format? show-prefix show-superproject-working-tree show-toplevel symbolic symbolic-full-name tags? verify",
  ),
  describe: reads(
    "abbrev? all always broken? candidates= contains debug dirty? exact-match exclude= first-parent long match= tags",
  ),
  "merge-base": reads("a all fork-point independent is-ancestor octopus"),
  "name-rev": reads("all always exclude= name-only no-undefined refs= tags"),
  "show-ref": reads("d s abbrev? branches dereference exists hash? head heads quiet q tags verify"),
  "for-each-ref": reads(
    "color? contains? count= format= ignore-case merged? no-contains? no-merged? omit-empty points-at= sort= exclude=",
  ),
  "count-objects": reads("v H verbose human-readable"),
  "check-ignore": reads("n q v z no-index non-matching quiet stdin verbose"),
  cherry: reads("v abbrev?"),
  version: reads("build-options"),
  branch: reads(
    "a i l r v all color? column? contains= format= ignore-case list merged= no-color no-column no-contains= no-merged= points-at= remotes show-current sort= verbose abbrev?",
    {
      needs: ["l", "list", "contains", "no-contains", "merged", "no-merged", "points-at"],
    },
  ),
  tag: reads(
    "i l n? color? column? contains= format= ignore-case list merged= no-contains= no-merged= points-at= sort=",
    {
      needs: ["l", "list", "contains", "no-contains", "merged", "no-merged", "points-at"],
    },
  ),
  remote: reads("v verbose", { words: /^get-url$/ }),
  stash: reads(LOG, { words: /^(list|show)$/, shows: true }),
  worktree: reads("v z porcelain verbose", { words: /^list$/ }),
  "symbolic-ref": reads("q short quiet recurse", { words: /^(HEAD|refs\/.*)$/ }),
};
