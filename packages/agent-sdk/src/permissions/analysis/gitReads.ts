import { optionList, type OptionList } from "./options.ts";

/** Options with which git shows commits and differences and does nothing else. */
const SHOWING =
  "# a b c i l= L= m n= p q r s t u U= v w z G= M? C? B? D R S= 0 abbrev? abbrev-commit all after= author= before= branches? cc cherry cherry-mark " +
  "cherry-pick color? color-moved? color-words? combined-all-paths committer= compact-summary cumulative date= date-order decorate? " +
  "decorate-refs= diff-algorithm= diff-filter= diff-merges= dirstat? encoding= exclude= exit-code expand-tabs? extended-regexp " +
  "find-copies? find-copies-harder find-object= find-renames? first-parent fixed-strings follow format= full-diff full-history " +
  "full-index function-context glob= graph grep= grep-reflog= histogram ignore-all-space ignore-blank-lines ignore-case " +
  "ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-submodules? indent-heuristic inter-hunk-context= invert-grep " +
  "left-only left-right line-prefix= max-count= max-parents= merge-base merges min-parents= minimal name-only name-status " +
  "no-abbrev no-abbrev-commit no-color no-decorate no-expand-tabs no-ext-diff no-merges no-notes no-patch no-prefix no-renames no-textconv " +
  "no-walk? not notes? numstat oneline ordering parents patch patch-with-raw patch-with-stat patience perl-regexp pickaxe-all " +
  "pickaxe-regex pretty? quiet raw reflog relative? relative-date remotes? remove-empty reverse right-only shortstat show-pulls " +
  "simplify-by-decoration simplify-merges since= skip= source sparse src-prefix= dst-prefix= staged cached stat? submodule? " +
  "summary tags? text topo-order unified= until= walk-reflogs word-diff? word-diff-regex= ws-error-highlight= min-age= max-age= count";

interface GitReading {
  options: OptionList;
  /** Without one of these, words behind the subcommand would create or change something. */
  needs?: readonly string[];
  /** First words with which it only reads; undefined: any words. */
  words?: RegExp;
  /** It shows the contents of files. */
  shows: boolean;
}

const reads = (options: string, rest: Partial<Omit<GitReading, "options">> = {}): GitReading => ({
  options: optionList(options),
  shows: false,
  ...rest,
});

/** Subcommands that only read. `branch x` makes a branch, so some of them only without words or with certain options. */
export const GIT_READS: Readonly<Record<string, GitReading>> = {
  status: reads(
    "b s u? v z ahead-behind branch column? find-renames? ignored? ignore-submodules? long no-ahead-behind no-column no-renames porcelain? renames short show-stash untracked-files? verbose",
  ),
  log: reads(SHOWING, { shows: true }),
  diff: reads(SHOWING, { shows: true }),
  show: reads(SHOWING, { shows: true }),
  whatchanged: reads(SHOWING, { shows: true }),
  "diff-tree": reads(`${SHOWING} root stdin always no-commit-id`, { shows: true }),
  "diff-index": reads(SHOWING, { shows: true }),
  "diff-files": reads(SHOWING, { shows: true }),
  shortlog: reads(`${SHOWING} e n s numbered email group=`),
  "rev-list": reads(`${SHOWING} objects boundary timestamp bisect`),
  reflog: reads(SHOWING, { words: /^(show|HEAD.*|exists)$/, shows: true }),
  blame: reads(
    "b c C e f= l L= M n p s t w S=r abbrev= color-by-age color-lines date= first-parent ignore-rev= incremental line-porcelain minimal porcelain reverse root score-debug show-email show-name show-number show-stats since=",
    { shows: true },
  ),
  grep: reads(
    "# a A= B= b c C= E e= F f=r G h H i I l L m= n o P p q r v w W z after-context= all-match and before-context= break cached color? column context= count exclude-standard extended-regexp files-with-matches files-without-match fixed-strings full-name function-context heading ignore-case invert-match line-number max-count= max-depth= name-only no-color no-index not null only-matching or perl-regexp quiet recurse-submodules recursive show-function text threads= untracked word-regexp",
    { shows: true },
  ),
  "ls-files": reads(
    "c d f i k m o s t u v x= X=r z cached deleted directory eol error-unmatch exclude= exclude-from=r exclude-per-directory= exclude-standard full-name ignored killed modified others recurse-submodules stage unmerged with-tree= format= deduplicate",
  ),
  "ls-tree": reads("d l r t z abbrev? format= full-name full-tree long name-only name-status object-only"),
  "cat-file": reads("e p s t buffer batch-all-objects", { shows: true }),
  "rev-parse": reads(
    "q abbrev-ref? absolute-git-dir all branches? default= git-common-dir git-dir git-path= is-bare-repository is-inside-git-dir is-inside-work-tree is-shallow-repository local-env-vars path-format= prefix= quiet remotes? short? show-cdup show-object-format? show-prefix show-superproject-working-tree show-toplevel symbolic symbolic-full-name tags? verify",
  ),
  describe: reads(
    "abbrev= all always broken? candidates= contains debug dirty? exact-match exclude= first-parent long match= tags",
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
  stash: reads(SHOWING, { words: /^(list|show)$/, shows: true }),
  worktree: reads("v z porcelain verbose", { words: /^list$/ }),
  "symbolic-ref": reads("q short quiet recurse", { words: /^(HEAD|refs\/.*)$/ }),
};
