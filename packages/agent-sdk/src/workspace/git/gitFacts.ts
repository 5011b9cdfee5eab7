import { basename, dirname, join, resolve } from "node:path";
import { hookFolders, settingsRunNothing } from "../../permissions/gitSettings.ts";
import { exists, mayExecute, namesIn, realPath, statOf } from "../files/fileFacts.ts";
import { plainFileAt } from "../files/plainFile.ts";

/** A git repository as git would find it from a folder, without asking git: its settings can name programs that git runs. */
export interface Repository {
  /** The folder that holds `.git`, or a bare repository itself. */
  top: string;
  /** Where its settings and hooks are. */
  gitDir: string;
}

/** The repository that git would find first. */
export const repositoryAt = (folder: string): Repository | undefined => repositoriesAt(folder)[0];

/**
 * Every repository that git may take from a folder. What only looks like one git passes over for the next above it: an empty
 * `.git` in a folder of the project must not hide the settings that count there.
 */
export function repositoriesAt(folder: string): Repository[] {
  const found: Repository[] = [];
  for (let at = resolve(folder); ; at = dirname(at)) {
    const here = repositoryIn(at);
    if (here) found.push(here);
    if (at === dirname(at) || (here && isTaken(here))) return found;
  }
}

function repositoryIn(at: string): Repository | undefined {
  const inside = join(at, ".git");
  const stats = statOf(inside);
  if (stats?.isDirectory()) return { top: at, gitDir: inside };
  if (stats?.isFile()) {
    const [, target] = /^gitdir: ([^]+)$/.exec(textOf(inside) ?? "") ?? [];
    return { top: at, gitDir: target === undefined ? inside : resolve(at, pathIn(target)) };
  }
  // A folder that looks like a repository is one to git, also in the middle of somebody's project.
  const looksLikeOne = ["HEAD", "objects", "refs"].every((name) => exists(join(at, name)));
  return looksLikeOne ? { top: at, gitDir: at } : undefined;
}

/** Whether git goes no further up: it has one here, or fails. */
function isTaken({ top, gitDir }: Repository): boolean {
  if (statOf(join(top, ".git"))?.isFile()) return true;
  const head = textOf(join(gitDir, "HEAD")) ?? "";
  const common = commonDirOf(gitDir);
  return (
    /^(ref:\s*refs\/|[0-9a-f]{40,64}\s*$)/.test(head) &&
    mayExecute(join(common, "objects")) &&
    mayExecute(join(common, "refs"))
  );
}

/** What stands in a file that names a path: blanks belong to it, ends of lines and what is behind a zero do not. */
const pathIn = (text: string) => text.replace(/[\r\n]+$/, "").split("\0", 1)[0] ?? "";

/** A work tree that was added to a repository elsewhere. */
export interface Worktree {
  root: string;
  /** Where the repository itself is checked out; of a bare one its own folder. */
  mainCheckout: string;
}

/** Undefined as well when the repository does not know of it: a folder can claim to belong anywhere. */
export function worktreeAt(folder: string): Worktree | undefined {
  const repository = repositoryAt(folder);
  if (!repository) return undefined;
  const { top, gitDir } = repository;
  const common = commonDirOf(gitDir);
  const known = textOf(join(gitDir, "gitdir"))?.trim();
  if (dirname(gitDir) !== join(common, "worktrees") || known === undefined) return undefined;
  if (realPath(resolve(gitDir, known)) !== realPath(join(top, ".git"))) return undefined;
  return { root: top, mainCheckout: basename(common) === ".git" ? dirname(common) : common };
}

/** Whether git runs no other program for the settings of this repository when it only reads. */
export function runsNothing(repository: Repository): boolean {
  const { gitDir } = repository;
  // A pipe or a device says to git what it did not say to Wave.
  const leading = ["HEAD", "commondir", "gitdir"].map((name) => join(gitDir, name));
  if (leading.some((file) => exists(file) && textOf(file) === undefined)) return false;
  return settingsOf(repository).every((file) => {
    const text = exists(file) ? textOf(file) : "";
    return text !== undefined && settingsRunNothing(text);
  });
}

const settingsOf = ({ gitDir }: Repository) => [
  join(commonDirOf(gitDir), "config"),
  join(gitDir, "config.worktree"),
];

/**
 * Whether git would go on into other repositories when it looks at this one: it starts itself in each submodule, and there
 * other settings count. The index is searched and not read entry by entry: data that looks like a submodule costs a question.
 */
export function entersOthers({ gitDir }: Repository): boolean {
  // A split index keeps most of its entries in a file of that name.
  if (namesIn(gitDir).some((name) => name.startsWith("sharedindex."))) return true;
  const index = bytesOf(join(gitDir, "index"));
  // One that cannot be read says nothing about what git will find in it.
  if (index === undefined) return exists(join(gitDir, "index"));
  if (index.length < HEADER_BYTES) return false;
  // Up to version 3 every entry begins at a multiple of eight behind the header, so its mode does as well.
  const anywhere = index.readUInt32BE(VERSION_AT) > 3;
  for (let at = index.indexOf(SUBMODULE_MODE); at >= 0; at = index.indexOf(SUBMODULE_MODE, at + 1))
    if (anywhere || at % 8 === MODE_AT) return true;
  return false;
}

/**
 * Whether git may be asked about a repository that nobody vouched for: it belongs to whoever runs Wave, names no program, and
 * is where it seems to be. A `.git` that is a file, or that points elsewhere, can be read in more ways than one.
 */
export function isPlain(repository: Repository): boolean {
  const { top, gitDir } = repository;
  const user = process.geteuid?.();
  const ours = [top, gitDir, join(gitDir, "config")].every((path) => statOf(path)?.uid === user);
  if (user === undefined || !ours) return false;
  if (gitDir !== join(top, ".git") || !statOf(gitDir)?.isDirectory()) return false;
  return !exists(join(gitDir, "commondir")) && runsNothing(repository) && !entersOthers(repository);
}

/** Whether an approval of the folder changes what the model is told of its repository. */
export function gitWaitsForApproval(folder: string): boolean {
  const repository = repositoryAt(folder);
  return repository !== undefined && !isPlain(repository) && !mayFilter(repository);
}

const VERSION_AT = 4;
const HEADER_BYTES = 12;
const MODE_AT = (HEADER_BYTES + 24) % 8;

/** 0160000, the mode of a submodule's entry. */
const SUBMODULE_MODE = Buffer.from([0, 0, 0xe0, 0]);

/** Whether git may have to run a program of this repository's to compare a file: a filter, or one from a file it includes. */
export function mayFilter(repository: Repository): boolean {
  return settingsOf(repository).some((file) => /\[[ \t]*(?:filter|include)/i.test(textOf(file) ?? ""));
}

/** Where a repository keeps its hooks, when its settings say so. */
export function hookFoldersOf(repository: Repository): string[] {
  const named = settingsOf(repository).flatMap((file) => hookFolders(textOf(file) ?? ""));
  return named.map((path) => resolve(repository.top, path));
}

/** A work tree of its own shares the settings of the repository it came from. */
export function commonDirOf(gitDir: string): string {
  const common = pathIn(textOf(join(gitDir, "commondir")) ?? "");
  return common === "" ? gitDir : resolve(gitDir, common);
}

/** More stands in none of git's own texts, and in the index of a repository with a million files. */
const MOST_TEXT = 1024 * 1024;
const MOST_INDEX = 128 * 1024 * 1024;

export function textOf(file: string): string | undefined {
  return plainFileAt(file, MOST_TEXT)?.toString("utf8");
}

export function bytesOf(file: string): Buffer | undefined {
  return plainFileAt(file, MOST_INDEX);
}
