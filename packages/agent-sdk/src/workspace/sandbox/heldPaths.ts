import { dirname, join } from "node:path";
import { isInside } from "../../permissions/paths.ts";
import { placesIn } from "../../permissions/protectedPaths.ts";
import { exists, namesIn, realPath, statOf } from "../files/fileFacts.ts";
import { commonDirOf, repositoryAt, type Repository } from "../git/gitFacts.ts";
import { submodulesOf } from "../git/gitSubmodules.ts";
import type { HeldPath } from "./layOut.ts";

/**
 * What of a repository can make git run a program. The rest of it is data, which a commit has to write. Empty settings and empty
 * folders mean nothing to git, so they can stand where nothing is; an empty `commondir` would be an error.
 */
const PARTS_OF_GIT: readonly { part: string; ifMissing: HeldPath["ifMissing"] }[] = [
  { part: "hooks", ifMissing: "make-folder" },
  { part: "modules", ifMissing: "make-folder" },
  { part: "config", ifMissing: "leave" },
  { part: "config.worktree", ifMissing: "make-file" },
  { part: "info/attributes", ifMissing: "make-file" },
  { part: "commondir", ifMissing: "leave" },
];
/** The same of a work tree that was added to a repository: the rest it shares with it. */
const PARTS_OF_WORKTREE: typeof PARTS_OF_GIT = [
  { part: "config.worktree", ifMissing: "make-file" },
  { part: "commondir", ifMissing: "leave" },
  { part: "gitdir", ifMissing: "leave" },
];

export interface Held {
  paths: HeldPath[];
  /** What would make git run programs, or read its settings elsewhere, and cannot be held as long as it does not exist. */
  notToAppear: string[];
  /** Repositories in the project that git enters when it looks at it, as they are known now. */
  entered: string[];
}

/**
 * What commands must not change in the writable folders: Wave's own, git's, and whatever else runs by itself later. What the
 * user opened by name is open.
 */
export function heldPaths(given: {
  projectDir: string;
  /** The person's home. */
  home: string;
  /** Folders, the project's among them. */
  writable: readonly string[];
  /** Of these, what the user named. */
  opened: readonly string[];
  /** $WAVE_HOME, settings files, scripts of hooks. */
  own: readonly string[];
}): Held {
  const { projectDir, home, writable, opened, own } = given;
  const repository = repositoryAt(projectDir);
  const submodules = repository ? submodulesBelow(repository) : [];
  const git = [
    ...(repository ? partsOf(repository) : []),
    ...submodules.flatMap((folder) => partsOfSubmodule(folder, repository)),
  ];
  const wanted: HeldPath[] = [
    { path: join(projectDir, ".wave"), ifMissing: "make-folder", ifLink: "refuse" },
    ...git,
    ...own.map((path) => ({ path, ifMissing: "leave", ifLink: "tell" }) as const),
    ...[...writable, home].flatMap((folder) => tableIn(folder, opened)),
  ];
  return {
    paths: wanted,
    notToAppear: git
      .filter((part) => isToStayAway(part) && writable.some((folder) => isInside(folder, part.path)))
      .map(({ path }) => path),
    entered: submodules.filter(isEntered),
  };
}

/** Repositories that git enters from this project now and did not when commands were bounded: nothing of them is held. */
export function newlyEntered(projectDir: string, { entered, notToAppear }: Held): string[] {
  const repository = repositoryAt(projectDir);
  const now = repository ? submodulesBelow(repository).filter(isEntered) : [];
  return now.filter((folder) => !entered.includes(folder) && !notToAppear.includes(join(folder, ".git")));
}

const isEntered = (folder: string) => exists(join(folder, ".git"));

/**
 * Whatever is missing in a folder that is there. Wave removes it from outside of the sandbox, so the way to it must be one that no
 * command can bend: its folder is a mount then, and no link.
 */
function isToStayAway({ path, ifMissing }: HeldPath): boolean {
  const folder = dirname(path);
  return (
    ifMissing === "leave" &&
    !exists(path) &&
    statOf(folder)?.isDirectory() === true &&
    realPath(folder) === folder
  );
}

const heldIn = (folder: string, parts: typeof PARTS_OF_GIT): HeldPath[] =>
  parts.map(({ part, ifMissing }) => ({ path: join(folder, part), ifMissing, ifLink: "refuse" }));

/** A work tree that was added shares most of what counts with the repository it came from. */
function partsOf({ gitDir }: Repository): HeldPath[] {
  const common = commonDirOf(gitDir);
  const worktrees = join(common, "worktrees");
  const added = new Set(namesIn(worktrees).map((name) => join(worktrees, name)));
  if (gitDir !== common) added.add(gitDir);
  return [
    ...heldIn(common, PARTS_OF_GIT),
    ...[...added].flatMap((folder) => heldIn(folder, PARTS_OF_WORKTREE)),
  ];
}

function partsOfSubmodule(folder: string, outer: Repository | undefined): HeldPath[] {
  const itself: HeldPath = { path: join(folder, ".git"), ifMissing: "leave", ifLink: "refuse" };
  if (!isEntered(folder)) return [itself];
  const inner = repositoryAt(folder);
  // Where git keeps the data of submodules everything is held already.
  const isHeld =
    inner && outer && isInside(join(realPath(commonDirOf(outer.gitDir)), "modules"), realPath(inner.gitDir));
  return [
    ...(statOf(itself.path)?.isDirectory() === true ? [] : [itself]),
    ...(inner && !isHeld ? partsOf(inner) : []),
  ];
}

/** Submodules may have their own. git does not enter one through a link. */
function submodulesBelow(repository: Repository, known: ReadonlySet<string> = new Set()): string[] {
  const found = submodulesOf(repository).filter(
    (folder) => !known.has(folder) && realPath(folder) === folder,
  );
  const all = new Set([...known, ...found]);
  return found.flatMap((folder) => {
    const inner = isEntered(folder) ? repositoryAt(folder) : undefined;
    return inner?.top === folder ? [folder, ...submodulesBelow(inner, all)] : [folder];
  });
}

function tableIn(folder: string, opened: readonly string[]): HeldPath[] {
  return placesIn(folder)
    .map(({ path }) => path)
    .filter((path) => !isRepository(path) && !opened.some((one) => one !== folder && isInside(path, one)))
    .map((path) => ({ path, ifMissing: "leave", ifLink: "tell" }));
}

/** A folder `.git` has to be written by commits; a file of that name says where the repository is. */
const isRepository = (path: string) => path.endsWith("/.git") && statOf(path)?.isDirectory() !== false;
