import type { Becomes } from "./treeChange.ts";
import { plainArg } from "../../words/args.ts";
import type { ProgramCall } from "../../walk/programCall.ts";
import { literalOf, type Arg } from "../../words/expand.ts";
import {
  CHECKOUT,
  CHECKOUT_INDEX,
  MERGE,
  PICK,
  PULL,
  READ_TREE,
  REBASE,
  RESET,
  RESTORE,
  STASH,
  SWITCH,
} from "./treeOptions.ts";
import { optionList, parseArgs, type OptionList, type ParsedArgs } from "../options.ts";

type Tree = (call: ProgramCall, rest: readonly Arg[]) => void;

/** What changes files that git has. */
interface Change {
  becomes: Becomes[];
  /** Only these; otherwise everything. */
  paths?: readonly Arg[];
}

const HEAD = { like: "revision", revision: "HEAD", force: true } as const satisfies Becomes;
const UPSTREAM = "@{upstream}";

/** Commands that bring files of the work tree into another state, and which. An option that is not listed makes it unknown. */
export const TREE_COMMANDS: Readonly<Record<string, Tree>> = {
  checkout(call, rest) {
    const parsed = readArgs(call, rest, CHECKOUT);
    const words = beforeDashes(parsed);
    const paths = parsed.afterDashes;
    const force = parsed.has("f", "force");
    // Both sides of a conflict are in the index, and nowhere else.
    if (parsed.has("2", "3", "ours", "theirs", "conflict"))
      return changes(call, unknown("one side of a conflict is taken"));
    const [word, ...more] = words;
    if (!word && paths.length === 0) return makesBranch(call, parsed);
    if (paths.length > 0 && more.length === 0)
      return changes(
        call,
        { becomes: [word ? revision(word, { force: true }) : { like: "index" }], paths },
        parsed,
      );
    if (word && more.length === 0) {
      call.mention(word);
      const isBranch = parsed.has("b", "B", "t", "track", "d", "detach", "orphan");
      const becomes = revision(word, { force, ...(isBranch ? {} : { orFile: true }) });
      changes(call, { becomes: [becomes] }, parsed);
      return call.git.movedTo(isBranch ? undefined : literalOf(word));
    }
    // `git checkout main a b`: the first may be a file as well.
    if (paths.length === 0 && word)
      return changes(
        call,
        { becomes: [revision(word, { force: true, orFile: true })], paths: words },
        parsed,
      );
    changes(call, unknown("git checkout has more words than it takes"));
  },
  switch(call, rest) {
    const parsed = readArgs(call, rest, SWITCH);
    const [word] = parsed.operands;
    const force = parsed.has("f", "force", "discard-changes");
    if (parsed.has("orphan")) changes(call, { becomes: [{ like: "nothing" }] }, parsed);
    else if (word) changes(call, { becomes: [revision(word, { force })] }, parsed);
    else return makesBranch(call, parsed);
    const isNamed = !parsed.has("c", "C", "create", "force-create", "t", "track", "d", "detach", "orphan");
    call.git.movedTo(isNamed ? literalOf(word) : undefined);
  },
  restore(call, rest) {
    const parsed = readArgs(call, rest, RESTORE);
    if (parsed.doubt === undefined && parsed.has("S", "staged") && !parsed.has("W", "worktree"))
      return changesIndex(call, "git restore --staged");
    const [source] = parsed.values("s", "source");
    const becomes: Becomes = source ? revision(source, { force: true }) : { like: "index" };
    changes(call, { becomes: [becomes], paths: parsed.operands }, parsed);
  },
  reset(call, rest) {
    const moves = parseArgs(rest, RESET);
    if (moves.doubt === undefined && !moves.has("hard", "merge", "keep"))
      return changesIndex(call, "git reset");
    const parsed = readArgs(call, rest, RESET);
    const [word] = parsed.operands;
    changes(call, { becomes: [word ? revision(word, { force: true }) : HEAD] }, parsed);
    call.git.moved();
  },
  stash(call, rest) {
    const [word] = rest.map(literalOf);
    const known = /^(push|save|pop|apply|branch|drop|clear|create|store)$/.exec(word ?? "")?.[0];
    if (known === "drop" || known === "clear" || known === "create" || known === "store") {
      call.git.lost();
      return call.changes(`git stash ${known} changes what is put aside`);
    }
    const parsed = readArgs(call, known === undefined ? rest : rest.slice(1), STASH);
    if (known === "pop" || known === "apply" || known === "branch") {
      const [entry] = parsed.operands.slice(known === "branch" ? 1 : 0);
      const text = entry ? literalOf(entry) : "0";
      const number = /^(?:stash@\{)?(\d+)\}?$/.exec(text ?? "")?.[1];
      const becomes: Becomes =
        number === undefined
          ? { like: "unknown", why: `${entry?.source} is no plain entry of the stash` }
          : { like: "stash", revision: `refs/stash@{${number}}` };
      changes(call, { becomes: [becomes] }, parsed);
      // The next entry has another number from here on, and its branch is another one.
      return call.git.lost();
    }
    const all = parsed.has("a", "all");
    const taken = all ? "all-taken" : parsed.has("u", "include-untracked") ? "taken" : undefined;
    const put: Becomes = { ...HEAD, ...(taken ? { untracked: taken } : {}) };
    const paths = known === "push" && parsed.operands.length > 0 ? { paths: parsed.operands } : {};
    changes(call, { becomes: [put], ...paths }, parsed);
  },
  merge(call, rest) {
    const parsed = readArgs(call, rest, MERGE);
    if (parsed.has("continue", "quit")) return call.changes("git merge ends a merge that is under way");
    if (parsed.has("abort")) return changes(call, { becomes: [HEAD] }, parsed);
    const revisions = parsed.operands.length > 0 ? parsed.operands : [plainArg(UPSTREAM)];
    changes(call, strange(parsed) ?? { becomes: revisions.map(merged) }, parsed);
    call.git.moved();
  },
  pull(call, rest) {
    const parsed = readArgs(call, rest, PULL);
    const [remote, ...branches] = parsed.operands.map(literalOf);
    const plain = (text: string | undefined) => text !== undefined && /^[\w.][\w./-]*$/.test(text);
    const from =
      parsed.operands.length === 0
        ? [UPSTREAM]
        : plain(remote) && branches.length > 0 && branches.every(plain)
          ? branches.map((branch) => `refs/remotes/${remote}/${branch}`)
          : undefined;
    // What the pull itself fetches cannot be known before; what was fetched last is the best there is.
    call.git.hasFetched = true;
    const change = from
      ? { becomes: from.map((one) => merged(plainArg(one))) }
      : unknown("what would be pulled is not a branch that was fetched before");
    changes(call, strange(parsed) ?? change, parsed);
    call.git.moved();
  },
  rebase(call, rest) {
    const parsed = readArgs(call, rest, REBASE);
    if (parsed.has("quit", "show-current-patch")) return call.changes("git rebase ends what is under way");
    if (parsed.has("abort", "continue", "skip"))
      changes(call, unknown("which commits are left is written down in the repository"), parsed);
    else {
      const [upstream = plainArg(UPSTREAM), branch] = parsed.operands;
      const onto = parsed.values("onto");
      const sides: Becomes[] =
        onto.length > 0 ? onto.map((one) => revision(one, { force: true })) : [merged(upstream)];
      const start = branch ? [revision(branch, { force: true })] : [];
      changes(call, strange(parsed) ?? { becomes: [...start, ...sides] }, parsed);
    }
    call.git.movedTo(undefined);
  },
  "cherry-pick": replays,
  revert: replays,
  bisect(call, rest) {
    readArgs(call, rest, optionList(""));
    if (/^(log|terms|view|visualize)$/.test(literalOf(rest[0]) ?? "")) return;
    changes(call, unknown("git chooses the commit itself"));
    call.git.lost();
  },
  "read-tree"(call, rest) {
    const parsed = readArgs(call, rest, READ_TREE);
    const last = parsed.operands.at(-1);
    if (parsed.doubt === undefined && (!parsed.has("u") || parsed.has("n", "dry-run")))
      return changesIndex(call, "git read-tree");
    const change =
      last && parsed.operands.length < 3
        ? { becomes: [revision(last, { force: true })] }
        : unknown("it takes several trees together");
    changes(call, change, parsed);
    call.git.lost();
  },
  "checkout-index"(call, rest) {
    const parsed = readArgs(call, rest, CHECKOUT_INDEX);
    const paths = parsed.operands.length > 0 ? { paths: parsed.operands } : {};
    changes(call, { becomes: [{ like: "index" }], ...paths }, parsed);
  },
  "sparse-checkout"(call, rest) {
    if (literalOf(rest[0]) !== "list") call.write(".git/config");
    call.unclear("git sparse-checkout changes which files are there");
    changes(call, unknown("which files are there is written down in the repository"));
  },
  submodule(call, rest) {
    const word = literalOf(rest[0]);
    if (/^(add|set-url|set-branch)$/.test(word ?? "add")) call.write(".gitmodules");
    call.unclear("git submodule works in other repositories");
    if (/^(status|summary|init)$/.test(word ?? "status")) return;
    changes(call, unknown("what is in other repositories is not known"));
  },
};

/** A command of git of which nothing is known: an alias may be any other one. */
export function unknownCommand(call: ProgramCall, subcommand: string): void {
  changes(call, unknown(`git ${subcommand} is no known command, and may be another name of any`));
  call.git.lost();
}

function replays(call: ProgramCall, rest: readonly Arg[]): void {
  const parsed = readArgs(call, rest, PICK);
  if (parsed.has("quit")) return call.changes("git forgets what is under way");
  const becomes = parsed.operands.map((arg): Becomes => {
    const text = literalOf(arg);
    // `a...b`, `^a`, `--all`: sets of commits that only git can tell.
    if (text === undefined || /^\^|\.\.\./.test(text)) return notPlain(arg);
    return { like: "replayed", revision: text };
  });
  const change =
    becomes.length === 0 || parsed.has("abort", "continue", "skip")
      ? unknown("which commits are left is written down in the repository")
      : { becomes };
  changes(call, strange(parsed) ?? change, parsed);
  call.git.moved();
}

function readArgs(call: ProgramCall, rest: readonly Arg[], options: OptionList): ParsedArgs {
  const parsed = parseArgs(rest, options);
  call.unclear(parsed.doubt ?? "git may run hooks and filters");
  for (const arg of parsed.writes) call.write(arg);
  return parsed;
}

function changes(call: ProgramCall, change: Change, parsed?: ParsedArgs): void {
  const doubtful = parsed?.doubt === undefined ? change : { ...change, ...unknown(parsed.doubt) };
  const { paths, becomes } = doubtful;
  const command = ["git", ...call.args.map(({ source }) => source)].join(" ");
  const fetches = call.git.hasFetched ? { fetches: true as const } : {};
  const through = { command, becomes: call.git.allFromHere(becomes), ...fetches };
  // git has stars and signs of its own in the names it is given; they reach any folder.
  const isPlain = ({ texts }: Arg) => texts.every((text) => !/^:|[*?[\\]/.test(text));
  if (paths?.every(isPlain))
    for (const path of paths) call.write(path, { below: true, through: { ...through, reach: "place" } });
  else call.write(".", { below: true, through: { ...through, reach: "everything" } });
  // What is named is also shown by its name.
  if (paths && !paths.every(isPlain)) for (const path of paths) call.mention(path);
}

/** A new branch at the place where one is: no file changes. */
function makesBranch(call: ProgramCall, parsed: ParsedArgs): void {
  if (parsed.doubt !== undefined) return changes(call, unknown(parsed.doubt));
  call.git.movedTo(undefined);
  call.changes("git makes a branch");
}

/** What the index holds is then not what a later command of the line would be asked about. */
function changesIndex(call: ProgramCall, command: string): void {
  call.git.lost();
  call.changes(`${command} changes the index`);
}

const unknown = (why: string): Change => ({ becomes: [{ like: "unknown", why }] });

const notPlain = ({ source }: Arg): Becomes => ({
  like: "unknown",
  why: `which revision ${source} is, is not known before`,
});

function revision(arg: Arg, rest: { force: boolean; orFile?: true }): Becomes {
  const text = literalOf(arg);
  return text === undefined ? notPlain(arg) : { like: "revision", revision: text, ...rest };
}

function merged(arg: Arg): Becomes {
  const text = literalOf(arg);
  return text === undefined ? notPlain(arg) : { like: "merged", revision: text };
}

/** A way to merge that puts files elsewhere than they were, or is a program of its own. */
function strange(parsed: ParsedArgs): Change | undefined {
  const usual =
    /^(ort|recursive|resolve|octopus|ours|theirs|ignore-.*|renormalize|no-renormalize|patience|diff-algorithm=.*)$/;
  const odd = parsed
    .values("s", "strategy", "X", "strategy-option")
    .find((arg) => !usual.test(literalOf(arg) ?? ""));
  return odd && unknown(`${odd.source} may put files elsewhere`);
}

function beforeDashes({ operands, afterDashes }: ParsedArgs): Arg[] {
  return operands.slice(0, operands.length - afterDashes.length);
}
