import { namesProgram } from "./runs.ts";
import { anyArg, inside, lastName, plainArg } from "../../words/args.ts";
import type { ProgramCall } from "../../walk/programCall.ts";
import { literalOf, type Arg } from "../../words/expand.ts";
import { GAP, placeIn } from "../../words/unknownText.ts";
import { config, homesOf } from "./config.ts";
import { CHECKS_SIGNATURES, GIT_READS } from "./reads.ts";
import { TREE_COMMANDS, unknownCommand } from "./trees.ts";
import { optionList, parseArgs, type ParsedArgs } from "../options.ts";
import { inFolders } from "../../shell/scope.ts";
import { copyTargets } from "../writers.ts";

/** What git does with files, by subcommand. `git` is the call without the options that stand before it. */
export function gitProgram(call: ProgramCall, word: Arg | undefined, rest: readonly Arg[]): void {
  const subcommand = literalOf(word);
  if (subcommand === undefined) {
    call.opaque("which subcommand of git it is, is not known");
    return word && unknownCommand(call, word.source);
  }
  const reading = Object.hasOwn(GIT_READS, subcommand) ? GIT_READS[subcommand] : undefined;
  if (reading) {
    const parsed = parseArgs(rest, reading.options);
    const [word, ...more] = parsed.operands;
    const text = literalOf(word) ?? "";
    const wordsAllow =
      word === undefined ||
      (reading.words ? reading.words.test(text) : !reading.needs || parsed.has(...reading.needs));
    // `symbolic-ref HEAD x` sets what `symbolic-ref HEAD` reads.
    const sets = subcommand === "symbolic-ref" && more.length > 0;
    // `stash` alone puts everything aside, and `stash -- list` the files of that name.
    if (sets && !/^(HEAD|refs\/.*)$/.test(text)) call.write(`.git/${text === "" ? GAP.any : text}`);
    const alone = subcommand === "stash" && (word === undefined || word !== rest[0]);
    const checks = rest.some((arg) => arg.texts.some((text) => CHECKS_SIGNATURES.test(text)));
    // With an option that is not known it shows no less.
    const isKnown = parsed.doubt === undefined;
    const shows =
      typeof reading.shows === "boolean" ? reading.shows : !isKnown || reading.shows(parsed.names);
    if (isKnown && wordsAllow && !sets && !alone && !checks)
      return onlyReads(call, parsed, { shows, opens: reading.opens, searches: subcommand === "grep" });
    if (shows && wordsAllow && !alone) showsTracked(call);
    if (!reading.needs && !reading.words && !Object.hasOwn(GIT_WRITES, subcommand)) {
      outputs(call, rest);
      if (!LEAVES_REFS.test(subcommand)) call.git.lost();
      if (parsed.more !== undefined) return call.opaque(parsed.more);
      return call.opaqueRead(parsed.doubt ?? `git ${subcommand} has another program check signatures`);
    }
  }
  if (SHOWS_TRACKED.test(subcommand)) showsTracked(call);
  const writing = Object.hasOwn(GIT_WRITES, subcommand) ? GIT_WRITES[subcommand] : undefined;
  if (writing) return writing(call, rest);
  outputs(call, rest);
  call.opaque(`git ${subcommand} may run hooks and other programs`);
  if (subcommand === "fetch") call.git.hasFetched = true;
  if (subcommand === "commit") call.git.committed();
  // `git fetch . a:b` and `git push . a:b` set a branch of this repository.
  else if (/^(fetch|push)$/.test(subcommand) && !rest.every(isPlainWord)) call.git.lost();
  else if (!LEAVES_FILES.test(subcommand) && !Object.hasOwn(GIT_READS, subcommand))
    unknownCommand(call, subcommand);
  else if (!LEAVES_REFS.test(subcommand)) call.git.lost();
}

const isPlainWord = (arg: Arg) => /^(-[\w=./-]*|[\w@][\w./@-]*)$/.test(literalOf(arg) ?? "a:b");

/** Commands beside those of the tables that change no file of the work tree. */
const LEAVES_FILES =
  /^(fetch|push|tag|notes|gc|prune|prune-packed|repack|pack-refs|pack-objects|maintenance|fsck|update-ref|update-index|update-server-info|reflog|replace|commit-tree|write-tree|hash-object|mktree|mktag|ls-remote|remote|range-diff|request-pull|send-email|format-patch|verify-commit|verify-tag|verify-pack|help|credential|daemon|var|check-attr|check-mailmap|check-ref-format|column|interpret-trailers|stripspace|mailinfo|mailsplit|merge-tree|diagnose|bugreport|instaweb|fast-export|fast-import|index-pack|unpack-objects|cat-file|show-branch|show-index|patch-id|fmt-merge-msg|get-tar-commit-id|shell|http-backend|send-pack|receive-pack|upload-pack|upload-archive|fetch-pack|symbolic-ref|multi-pack-index|commit-graph|for-each-repo)$/;
/** Beside those that only read: what they print or write to another place is in files that git knows. */
const SHOWS_TRACKED =
  /^(annotate|archive|bundle|checkout-index|daemon|difftool|fast-export|format-patch|instaweb|merge-file|merge-tree|pack-objects|range-diff|request-pull|send-email|unpack-file|upload-archive|upload-pack|whatchanged)$/;
/** And none of these changes what a branch or the index is, of which a later command of the line may speak. */
const LEAVES_REFS =
  /^(fetch|push|notes|gc|repack|maintenance|fsck|ls-remote|format-patch|help|var|check-\w+|request-pull|send-email|range-diff|verify-\w+|merge-tree|show-branch|cat-file)$/;

/** Which of the files is not to be seen in the words, so it may be each of them. */
function showsTracked(call: ProgramCall): void {
  call.readsWithGit({ shows: true });
  call.read(".", { below: true });
}

interface Opening {
  shows: boolean;
  opens: boolean;
  searches: boolean;
}

function onlyReads(call: ProgramCall, parsed: ParsedArgs, { shows, opens, searches }: Opening): void {
  call.readsWithGit({ shows, searches });
  call.read(".", { below: shows });
  for (const arg of parsed.reads) call.read(arg);
  const words = searches && !parsed.has("e", "f") ? parsed.operands.slice(1) : parsed.operands;
  // It brings the index up to date, also where git is told to do without.
  if (parsed.has("dirty", "broken")) call.unproven("git describe may write the index");
  const odd = words.find((arg) => arg.texts.some((text) => PATHSPEC_MAGIC.test(text)));
  if (odd) call.unproven(`${odd.source} says in git's own way which files are meant`);
  // Whether a word is a revision or a file, also one outside, only git knows.
  for (const arg of words)
    if (opens || parsed.afterDashes.includes(arg) || arg.texts.some((text) => LEADS_OUT.test(text)))
      call.read(arg, { below: shows });
}

/** `:(attr:x)`, `:!x`, `:/x`; not the `:1:x` of the index. */
const PATHSPEC_MAGIC = /^:(?!\d?:?[\w.])/;
const LEADS_OUT = /^[/~]|(^|\/)\.\.(\/|$)/;

/** `--output=x`, which many subcommands take, and every beginning of it. */
function outputs(call: ProgramCall, rest: readonly Arg[]): void {
  const parsed = parseArgs(rest, optionList("output=w o=w output-directory=w"));
  for (const arg of parsed.writes) call.write(arg, { below: true });
  rest.forEach((arg, at) => {
    const [, name, value] = /^--(\w[\w-]*)(?:=(.*))?$/s.exec(literalOf(arg) ?? "") ?? [];
    if (name === undefined || !OUTPUTS.some((option) => option.startsWith(name))) return;
    const file = value === undefined ? rest[at + 1] : plainArg(value);
    if (file) call.write(file, { below: true });
  });
}

const OUTPUTS = ["output", "output-directory"];

type Writing = (call: ProgramCall, rest: readonly Arg[]) => void;

const GIT_WRITES: Readonly<Record<string, Writing>> = {
  ...TREE_COMMANDS,
  // Listing is among what only reads.
  remote: (call, rest) => {
    const [word] = parseArgs(rest, optionList("v verbose")).operands.map(literalOf);
    if (!/^(show|update|prune)$/.test(word ?? "")) call.write(".git/config");
    call.git.hasFetched = true;
    call.opaque("git remote may talk to the network");
  },
  // Renaming and deleting move or drop a section `branch.x`, as `push -u` and `--track` write one: it names a remote and a
  // branch, never a program, and git quotes the name in it. Those alone are no reason to ask.
  branch: (call, rest) => {
    const upstream = /^(-[a-zA-Z]*u|--(set-up|unset-up|edit-d))/;
    const has = (option: RegExp) => rest.some(({ texts }) => texts.some((text) => option.test(text)));
    if (has(upstream)) call.write(".git/config");
    if (!has(/^(-[dD]|--delete)$/)) call.git.lost();
    call.opaque("git branch may run hooks");
  },
  maintenance: (call, rest) => {
    if (rest.some((arg) => /^(register|unregister|start|stop)$/.test(literalOf(arg) ?? "start")))
      for (const file of [".git/config", ...homesOf(call, ".gitconfig")]) call.write(file);
    call.opaque("git maintenance may run other programs");
  },
  apply: patches,
  am: patches,
  clean: (call, rest) => {
    const parsed = parseArgs(rest, optionList("d e= f i n q x X dry-run force quiet exclude= interactive"));
    if (parsed.has("n", "dry-run") && parsed.doubt === undefined) {
      call.readsWithGit({ shows: false });
      return call.read(".");
    }
    const paths = parsed.operands.length > 0 ? parsed.operands : [plainArg(".")];
    for (const arg of paths) call.write(arg, { below: true });
    if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  },
  mv: (call, rest) => {
    const { operands } = parseArgs(rest, optionList("f k n v force dry-run verbose"));
    const target = operands.at(-1);
    for (const arg of operands.slice(0, -1)) {
      call.write(arg, { below: true, away: true });
      const name = lastName(arg);
      if (target && name) call.write(inside(target, name), { below: true });
      if (target) for (const at of copyTargets(target, arg)) call.redirects(at, arg, "copy");
    }
    if (target) call.write(target, { below: lastName(target) !== undefined });
    else call.unclear("git mv has no target");
  },
  rm: (call, rest) => {
    const parsed = parseArgs(rest, optionList("f n q r cached dry-run force ignore-unmatch quiet sparse"));
    if (parsed.has("cached", "n", "dry-run")) return call.changes("git rm changes the index");
    for (const arg of parsed.operands) call.write(arg, { below: true, away: true });
    if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  },
  add: (call) => {
    call.changes("git add changes the index");
    call.mayOpenWords();
  },
  config,
  init: (call, rest) => {
    const parsed = parseArgs(
      rest,
      optionList("b= q bare initial-branch= object-format= quiet shared? template= separate-git-dir="),
    );
    const [folder = plainArg(".")] = parsed.operands;
    // With its settings and the hooks of a template.
    if (parsed.has("bare")) call.write(folder, { below: true });
    else call.write(inside(folder, plainArg(".git")), { below: true });
    for (const arg of parsed.values("separate-git-dir")) call.write(arg, { below: true });
    call.changes("git init makes a repository");
  },
  clone: (call, rest) => {
    const parsed = parseArgs(rest, CLONE);
    if (parsed.doubt !== undefined) call.opaque(parsed.doubt);
    for (const arg of parsed.writes) call.write(arg, { below: true });
    for (const arg of parsed.reads) call.read(arg, { below: true });
    if (parsed.values("u", "upload-pack").some((arg) => literalOf(arg) === undefined))
      call.beyondReach("git clone runs what is not known yet");
    const [from, to] = parsed.operands;
    const name =
      from && lastName({ ...from, texts: from.texts.map((text) => text.replace(/\.git\/?$/, "")) });
    // From a folder of this machine it copies what a rule may keep back there.
    const local = from?.texts.flatMap(localRepository) ?? [];
    const folders = call.scope.folders.flatMap((folder) => local.map((text) => placeIn(folder, text)));
    if (folders.length > 0) showsTracked(call.in(inFolders(call.scope, folders)));
    call.write(to ?? name ?? anyArg("git clone"), { below: true });
    if (parsed.has("template") || parsed.values("c", "config").some(({ texts }) => texts.some(namesProgram)))
      call.beyondReach("git clone is given hooks or programs to run");
    call.unclear("git clone talks to the network");
  },
  worktree: (call, rest) => {
    const [verb, ...words] = parseArgs(
      rest,
      optionList(
        "b= B= d f q lock reason= detach force checkout no-checkout track guess-remote orphan quiet",
      ),
    ).operands;
    // Everything is there a second time, under names that no rule knows.
    if (literalOf(verb) === "add" || verb?.many) showsTracked(call);
    for (const arg of words) call.write(arg, { below: true });
    call.git.lost();
    call.unclear("git worktree may run hooks");
  },
  archive: (call, rest) => {
    outputs(call, rest);
    call.opaque("git archive takes options that are not read");
  },
  "interpret-trailers": (call, rest) => {
    const parsed = parseArgs(rest, TRAILERS);
    const inPlace = rest.some(({ texts }) => texts.some((text) => text.startsWith("--in")));
    for (const arg of parsed.operands)
      if (inPlace || parsed.doubt !== undefined) call.write(arg);
      else call.read(arg);
    call.opaque("git interpret-trailers may run programs that settings name");
  },
  bundle: (call, rest) => {
    for (const arg of rest.slice(1, 2)) call.write(arg);
    call.unclear("git bundle takes options that are not read");
  },
  lfs: (call) => {
    call.write(".git/hooks", { below: true });
    call.opaque("git lfs is another program");
  },
};

const CLONE = optionList(
  "4 6 b= c= j= l n o= q s u= v bare branch= config= depth= dissociate filter= ipv4 ipv6 jobs= local mirror no-checkout no-hardlinks " +
    "no-local no-shallow-submodules no-single-branch no-tags origin= progress quiet recurse-submodules? reference=r " +
    "reference-if-able=r reject-shallow remote-submodules separate-git-dir=w server-option= shallow-exclude= shallow-since= " +
    "shallow-submodules shared single-branch sparse tags template= upload-pack= verbose",
);

const TRAILERS = optionList(
  "if-exists= if-missing= in-place no-divider only-input only-trailers parse trailer= trim-empty unfold where=",
);

/** Where a repository to be cloned lies, if not on another machine. */
function localRepository(text: string): string[] {
  const path = /^file:\/\/(.*)$/s.exec(text)?.[1] ?? text;
  if (path === text && /^[^/]+:/.test(text)) return [];
  return [path.replace(/(^|\/)\.git\/*$/, "$1.")];
}

function patches(call: ProgramCall, rest: readonly Arg[]): void {
  const parsed = parseArgs(
    rest,
    optionList(
      "3 C= p= q R v z 3way allow-empty cached check directory= exclude= ignore-whitespace include= index inaccurate-eof intent-to-add no-add numstat recount reject reverse stat summary unidiff-zero unsafe-paths verbose whitespace= abort continue skip quit",
    ),
  );
  for (const arg of parsed.operands) call.read(arg);
  if (parsed.doubt !== undefined) call.unclear(parsed.doubt);
  call.git.lost();
  const onlyLooks = parsed.has("check", "stat", "numstat", "summary") && !parsed.has("apply");
  if (parsed.doubt === undefined && (onlyLooks || parsed.has("cached")))
    return call.changes("git apply may change the index");
  if (parsed.has("unsafe-paths")) call.write("/", { below: true, through: "archive" });
  const [folder = plainArg(".")] = parsed.values("directory");
  call.write(folder, { below: true, through: "archive" });
}
