import { basename, dirname, join, normalize } from "node:path";
import type { Becomes, TreeChange } from "wave-shell-reader";
import { isInside } from "../../permissions/paths.ts";
import type { ChangedFile, TreeDifference } from "../../permissions/treeDifference.ts";
import { changedSince, exists, realPath } from "../files/fileFacts.ts";
import { sameOnDisk, type GitEntry } from "./gitBlob.ts";
import { GitPlumbing, Unanswered, type PlumbingPlace } from "./gitPlumbing.ts";

export interface GitPlace extends PlumbingPlace {
  /** Only these files are looked at one by one. */
  concerns: (path: string) => boolean;
}

/** Asks git which of the files that concern somebody a change of the work tree would change. Runs nothing that a repository names. */
export async function filesBrought(
  change: TreeChange,
  at: readonly string[],
  place: GitPlace,
): Promise<TreeDifference> {
  const files = await answered(() => new Tree(change, at, place).files());
  return typeof files === "string" ? { known: false, why: files } : { known: true, files };
}

/**
 * Notes where HEAD is, and says afterwards which files that concern somebody the way to the new one changed. Those that only became
 * part of a commit stayed as they were on disk and are left out. What changes files and leaves HEAD where it is, is not seen.
 */
export async function watchHead(
  { folder }: Pick<TreeChange, "folder">,
  place: GitPlace,
): Promise<() => Promise<TreeDifference>> {
  const since = Date.now() - CLOCKS_APART_MS;
  const before = await answered(() => headIn(folder, place));
  return async () => {
    const files = await answered(async () => {
      if (typeof before === "string") throw new Unanswered(before);
      const { git, head } = await headIn(folder, place);
      if (head === before.head) return [];
      const top = (await git.say("rev-parse", "--show-toplevel")).replace(/\n$/, "");
      const changed = readDifference(await git.say("diff-tree", ...DIFF, before.head, head));
      return changed
        .map(({ path }) => `${top}/${path}`)
        .filter((path) => place.concerns(path) && changedSince(path, since));
    });
    if (typeof files === "string") return { known: false, why: files };
    return { known: true, files: files.map((path) => ({ path, does: "change" })) };
  };
}

/** The times of files come from a clock that runs behind by some milliseconds. */
const CLOCKS_APART_MS = 50;

/** A tree without files, which every repository knows. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

const NO_FOLDER = "which folder git works in is not known";

async function headIn(folder: string | undefined, place: GitPlace) {
  if (folder === undefined) throw new Unanswered(NO_FOLDER);
  const git = new GitPlumbing(folder, place);
  const [head = EMPTY_TREE] = await git.resolved("HEAD");
  return { git, head };
}

/** What was asked, or why there is no answer. */
async function answered<T extends object>(ask: () => Promise<T>): Promise<T | string> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Unanswered) return error.message;
    throw error;
  }
}

/** One question, and what git has to be asked for it. */
class Tree {
  readonly #change: TreeChange;
  readonly #place: GitPlace;
  /** Where the change is bounded. */
  readonly #at: readonly string[];
  readonly #git: GitPlumbing;
  #top = "";
  #hasSubmodules = false;

  constructor(change: TreeChange, at: readonly string[], place: GitPlace) {
    this.#change = change;
    this.#at = at.flatMap(placesOf);
    this.#place = place;
    this.#git = new GitPlumbing(change.folder ?? "/", place);
  }

  async files(): Promise<ChangedFile[]> {
    const { folder, becomes } = this.#change;
    const unknown = becomes.find((one) => one.like === "unknown");
    if (unknown) throw new Unanswered(unknown.why);
    if (folder === undefined) throw new Unanswered(NO_FOLDER);
    this.#top = (await this.#git.say("rev-parse", "--show-toplevel")).replace(/\n$/, "");
    const found = new Map<string, ChangedFile>();
    for (const one of becomes) for (const file of await this.#filesOf(one)) found.set(file.path, file);
    if (this.#hasSubmodules) {
      const follow = await this.#git.mayDeny("config", "--type=bool", "--get", "submodule.recurse");
      if (follow?.trim() === "true") throw new Unanswered("submodules are set to change along with it");
    }
    return [...found.values()];
  }

  async #filesOf(becomes: Becomes): Promise<ChangedFile[]> {
    switch (becomes.like) {
      case "revision":
        return this.#likeRevision(becomes);
      case "index":
        return this.#compared(await this.#index());
      case "nothing":
        return this.#likeRevision({ like: "revision", revision: EMPTY_TREE, force: true });
      case "merged":
        return this.#merged(becomes.revision);
      case "replayed":
        return this.#replayed(becomes.revision);
      case "stash":
        return this.#fromStash(becomes.revision);
      case "unknown":
        throw new Unanswered(becomes.why);
    }
  }

  async #likeRevision(becomes: Extract<Becomes, { like: "revision" }>): Promise<ChangedFile[]> {
    const { revision, force, orFile, untracked } = becomes;
    const [head, ...found] = await this.#git.resolved("HEAD^{tree}", ...spellingsOf(revision, "^{tree}"));
    const known = distinct(found);
    const trees = known.length > 0 ? known : await this.#ofRemotes(revision);
    if (trees.length === 0) {
      const file = `${this.#change.folder}/${revision}`;
      // With other words behind it the place is bounded already.
      if (orFile && this.#change.reach === "place") return this.#compared(await this.#index());
      if (orFile && exists(file)) return this.#compared(await this.#index(), placesOf(file));
      throw new Unanswered(`git does not know ${revision}, at least not yet`);
    }
    const files: ChangedFile[] = [];
    for (const tree of trees) {
      if (head !== undefined && !force) files.push(...this.#compared(await this.#between(head, tree)));
      else {
        const there = await this.#listed(tree);
        const names = new Set(there.map(({ path }) => path));
        const gone = (await this.#index()).filter(({ path }) => !names.has(path)).map(withoutContent);
        files.push(...this.#compared([...there, ...gone]));
      }
    }
    if (untracked) files.push(...(await this.#untracked(untracked === "all-taken")));
    return files;
  }

  async #merged(revision: string): Promise<ChangedFile[]> {
    const commits = distinct(await this.#git.resolved(...spellingsOf(revision, "^{commit}")));
    if (commits.length === 0) throw new Unanswered(`git does not know ${revision}, at least not yet`);
    const files: ChangedFile[] = [];
    for (const commit of commits) {
      const bases = await this.#git.mayDeny("merge-base", "--all", "HEAD", commit);
      const lists = bases?.split("\n").filter((line) => line !== "") ?? [];
      if (lists.length === 0) files.push(...this.#compared(await this.#listed(commit)));
      for (const base of lists) files.push(...this.#compared(await this.#between(base, commit)));
    }
    return files;
  }

  async #replayed(revision: string): Promise<ChangedFile[]> {
    const [from, to] = revision.split("..");
    if (to !== undefined) {
      const [start, end] = await this.#git.resolved(`${from || "HEAD"}^{commit}`, `${to || "HEAD"}^{commit}`);
      if (start === undefined || end === undefined) throw new Unanswered(`git does not know ${revision}`);
      return this.#changed(await this.#between(start, end));
    }
    const commits = distinct(await this.#git.resolved(...spellingsOf(revision, "^{commit}")));
    if (commits.length === 0) throw new Unanswered(`git does not know ${revision}`);
    const lists = await Promise.all(
      commits.map((commit) => this.#git.say("diff-tree", ...DIFF, "--root", "-m", "--no-commit-id", commit)),
    );
    return this.#changed(lists.flatMap(readDifference));
  }

  async #fromStash(revision: string): Promise<ChangedFile[]> {
    const [kept, before, untracked] = await this.#git.resolved(
      `${revision}^{commit}`,
      `${revision}^1`,
      `${revision}^3`,
    );
    // Nothing is put aside: there is nothing that could come back.
    if (kept === undefined) return [];
    if (before === undefined) throw new Unanswered("what is put aside is no commit that git made");
    return [
      ...this.#compared(await this.#between(before, kept)),
      ...(untracked === undefined ? [] : this.#compared(await this.#listed(untracked))),
    ];
  }

  async #untracked(all: boolean): Promise<ChangedFile[]> {
    const ignored = all ? [] : ["--exclude-standard"];
    const listed = await this.#git.say("ls-files", "-z", "--others", "--full-name", ...ignored, ":/");
    return this.#compared(fieldsOf(listed).map((path) => withoutContent({ path })));
  }

  /** The entries that are not already so on disk. */
  #compared(entries: readonly GitEntry[], at = this.#at): ChangedFile[] {
    return entries.flatMap((entry) => {
      const path = this.#reached(entry, at);
      if (path === undefined || sameOnDisk(path, entry)) return [];
      const does = entry.content === undefined ? "remove" : exists(path) ? "replace" : "bring";
      return [{ path, does } as const];
    });
  }

  /** All of the entries, since what becomes of them depends on what is there. */
  #changed(entries: readonly GitEntry[]): ChangedFile[] {
    return entries.flatMap((entry) => {
      const path = this.#reached(entry, this.#at);
      return path === undefined ? [] : [{ path, does: "change" } as const];
    });
  }

  /** Where an entry lies, if it concerns anybody and is within what changes. */
  #reached(entry: GitEntry, at: readonly string[]): string | undefined {
    this.#hasSubmodules ||= entry.mode === SUBMODULE;
    const path = `${this.#top}/${entry.path}`;
    const everything = at === this.#at && this.#change.reach === "everything";
    const isReached = everything || at.some((bound) => isInside(bound, path));
    return isReached && this.#place.concerns(path) ? path : undefined;
  }

  async #index(): Promise<GitEntry[]> {
    const listed = await this.#git.say("ls-files", "-z", "--stage", "--full-name", ":/");
    return fieldsOf(listed).map((line) => readEntry(line, /^(\d+) (\w+) \d\t(.*)$/s));
  }

  async #listed(tree: string): Promise<GitEntry[]> {
    const listed = await this.#git.say("ls-tree", "-r", "-z", "--full-tree", tree);
    return fieldsOf(listed).map((line) => readEntry(line, /^(\d+) \w+ (\w+)\t(.*)$/s));
  }

  async #between(from: string, to: string): Promise<GitEntry[]> {
    return readDifference(await this.#git.say("diff-tree", ...DIFF, from, to));
  }

  /** A branch that git would make of one that was fetched. */
  async #ofRemotes(word: string): Promise<string[]> {
    if (!/^\w[\w./-]*$/.test(word)) return [];
    const trees = await this.#git.say("for-each-ref", "--format=%(tree)", `refs/remotes/*/${word}`);
    return [...new Set(trees.split("\n").filter((line) => line !== ""))];
  }
}

/**
 * A word may be a branch and a tag at once, and not every command takes the same of the two. `-` is the branch before this one.
 */
function spellingsOf(word: string, kind: "^{tree}" | "^{commit}"): string[] {
  const spelled = word === "-" ? "@{-1}" : word;
  return [`refs/heads/${spelled}${kind}`, `refs/tags/${spelled}${kind}`, `${spelled}${kind}`];
}

const distinct = (ids: readonly (string | undefined)[]) => [...new Set(ids.filter((id) => id !== undefined))];

/** The mode of a submodule's entry. */
const SUBMODULE = "160000";

const DIFF = ["-r", "-z", "--raw", "--no-renames", "--no-ext-diff", "--no-textconv", "--full-index"];

const fieldsOf = (text: string) => text.split("\0").filter((field) => field !== "");

const withoutContent = ({ path }: Pick<GitEntry, "path">): GitEntry => ({
  path,
  mode: "0",
  content: undefined,
});

/** A path as git knows it: with the links before its last name followed, and not that one. */
function placesOf(path: string): string[] {
  return [path, join(realPath(dirname(path)), basename(path)), realPath(path)].map(normalize);
}

function readEntry(line: string, form: RegExp): GitEntry {
  const [, mode, content, path] = form.exec(line) ?? [];
  if (mode === undefined || content === undefined || path === undefined)
    throw new Unanswered("git lists its files in a way that Wave does not read");
  return { path, mode, content };
}

/** `:100644 100755 a b M` and the path, in turns. */
function readDifference(text: string): GitEntry[] {
  const fields = fieldsOf(text);
  return fields.flatMap((field, at): GitEntry[] => {
    if (at % 2 === 1) return [];
    const entry = readEntry(`${field}\t${fields[at + 1] ?? ""}`, /^:\d+ (\d+) \w+ (\w+) [A-Z]\d*\t(.+)$/s);
    return [entry.mode === "000000" ? withoutContent(entry) : entry];
  });
}
