import { readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { exists, namesIn, realPath, statOf } from "./fileFacts.ts";

/** A git repository as git would find it from a folder, without asking git: its settings can name programs that git runs. */
export interface Repository {
  /** The folder that holds `.git`, or a bare repository itself. */
  top: string;
  /** Where its settings and hooks are. */
  gitDir: string;
}

export function repositoryAt(folder: string): Repository | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const inside = join(at, ".git");
    const stats = statOf(inside);
    if (stats?.isDirectory()) return { top: at, gitDir: inside };
    if (stats?.isFile()) {
      const target = /^gitdir:\s*(.+?)\s*$/m.exec(textOf(inside) ?? "")?.[1];
      return { top: at, gitDir: target === undefined ? inside : resolve(at, target) };
    }
    // A folder that looks like a repository is one to git, also in the middle of somebody's project.
    if (exists(join(at, "HEAD")) && exists(join(at, "objects")) && exists(join(at, "refs")))
      return { top: at, gitDir: at };
    if (at === dirname(at)) return undefined;
  }
}

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

/** Sections of a repository's settings with which git runs nothing when it only reads. */
const HARMLESS_SECTIONS =
  /^(user|remote ".*"|branch ".*"|branch|submodule ".*"|submodule|init|pull|push|fetch|rebase|color|gc|rerere|advice|status|commit|merge|index|pack|receive|feature|maintenance|lfs|lfs "https?:[^"]*"|i18n|tag|checkout)$/i;
const HARMLESS_CORE =
  /^(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|longpaths|fscache|untrackedcache|sparsecheckout|sparsecheckoutcone|abbrev|quotepath|compression|trustctime|checkstat)$/i;
const HARMLESS_ELSEWHERE = /^(extensions|diff|log|format)$/i;
const HARMLESS_KEYS =
  /^(objectformat|refstorage|noop|algorithm|renames|renamelimit|colormoved|mnemonicprefix|noprefix|context|date|decorate|follow|abbrevcommit|pretty|signoff)$/i;

/**
 * Whether git runs no other program when it reads this repository. What is not known to be harmless is not: an include, a
 * filter, a file system monitor, a text converter, a pager.
 */
export function runsNothing({ gitDir }: Repository): boolean {
  const common = commonDirOf(gitDir);
  const files = [join(common, "config"), join(gitDir, "config.worktree")];
  return files.every((file) => !exists(file) || isHarmless(textOf(file)));
}

/**
 * Whether git would go on into other repositories when it looks at this one: it starts itself in each submodule, and there
 * other settings count. The index is searched and not read entry by entry: data that looks like a submodule costs a question.
 */
export function entersOthers({ gitDir }: Repository): boolean {
  // A split index keeps most of its entries in a file of that name.
  if (namesIn(gitDir).some((name) => name.startsWith("sharedindex."))) return true;
  const index = bytesOf(join(gitDir, "index"));
  if (index === undefined || index.length < HEADER_BYTES) return false;
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
export function mayFilter({ gitDir }: Repository): boolean {
  const common = commonDirOf(gitDir);
  return [join(common, "config"), join(gitDir, "config.worktree")].some((file) =>
    /^\s*\[\s*(?:filter|include)/im.test(textOf(file) ?? ""),
  );
}

function isHarmless(config: string | undefined): boolean {
  if (config === undefined || /\\\r?\n/.test(config)) return false;
  let section = "";
  for (const line of config.split("\n").map((text) => text.trim())) {
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const header = /^\[([^\]]*)\]$/.exec(line)?.[1];
    if (header !== undefined) section = header.trim();
    else if (!isHarmlessKey(section, /^([\w-]+)\s*(=|$)/.exec(line)?.[1])) return false;
  }
  return true;
}

function isHarmlessKey(section: string, key: string | undefined): boolean {
  if (key === undefined) return false;
  if (/^core$/i.test(section)) return HARMLESS_CORE.test(key);
  if (HARMLESS_ELSEWHERE.test(section)) return HARMLESS_KEYS.test(key);
  return HARMLESS_SECTIONS.test(section);
}

/** Where a repository keeps its hooks, when its settings say so. */
export function hooksPathOf({ top, gitDir }: Repository): string | undefined {
  const config = textOf(join(commonDirOf(gitDir), "config")) ?? "";
  const path = /^\s*hookspath\s*=\s*"?([^"\n#;]+?)"?\s*$/im.exec(config)?.[1];
  return path === undefined ? undefined : resolve(top, path);
}

/** A work tree of its own shares the settings of the repository it came from. */
export function commonDirOf(gitDir: string): string {
  const common = textOf(join(gitDir, "commondir"))?.trim();
  return common === undefined || common === "" ? gitDir : resolve(gitDir, common);
}

function textOf(file: string): string | undefined {
  return bytesOf(file)?.toString("utf8");
}

function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    // Not there, or not ours to read.
    return undefined;
  }
}
