import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../../permissions/paths.ts";
import { exists, isLink, realPath, statOf } from "../files/fileFacts.ts";
import {
  bytesOf,
  commonDirOf,
  entersOthers,
  hookFoldersOf,
  runsNothing,
  textOf,
  worktreeAt,
  type Repository,
} from "./gitFacts.ts";
import { entriesInIndex } from "./gitSubmodules.ts";

/** Hooks that git runs although it only reads, because it notes what it has seen. */
const HOOKS_OF_READING = ["post-index-change", "reference-transaction"];

/** Why git may do more than read in a repository, whatever subcommand that only reads it is given. */
export function whyBeyondReading(repository: Repository): string | undefined {
  const { top, gitDir } = repository;
  if (!runsNothing(repository)) return `the settings of ${gitDir} may make git run programs`;
  const named = hookFoldersOf(repository);
  const missing = named.find((folder) => statOf(folder)?.isDirectory() !== true);
  if (missing !== undefined)
    return `the settings of ${gitDir} have git run hooks from ${missing}, where there are none yet`;
  const hook = [join(commonDirOf(gitDir), "hooks"), ...named]
    .flatMap((folder) => HOOKS_OF_READING.map((name) => join(folder, name)))
    .find((file) => exists(file));
  if (hook !== undefined) return `git runs ${hook} also when it only reads`;
  if (entersOthers(repository))
    return `git would go on into submodules of ${top}, whose settings may make it run programs`;
  return undefined;
}

/** A repository with more files of its own is not looked through. */
const MOST_FILES = 100_000;

/**
 * Where else git reads when it reads a repository: a folder can come with a `.git` that is somebody else's, that keeps its
 * objects there, or that has links in it, and git shows what it finds. `searches`: it opens all files of the work tree that it
 * keeps, also behind a folder that is a link by now. Undefined: nobody can say.
 */
export function placesBeyond(repository: Repository, searches: boolean): string[] | undefined {
  const { top, gitDir } = repository;
  const folders = [...new Set([gitDir, commonDirOf(gitDir)].map((folder) => realPath(folder)))];
  // A work tree of which its repository knows is part of it, wherever the two lie.
  const own = worktreeAt(top)?.root === top ? [] : folders;
  const links = folders.map(linksBelow);
  const linked = searches ? linkedFolders(repository) : [];
  if (linked === undefined || !links.every((found) => found !== undefined)) return undefined;
  const alternates = folders.flatMap((folder) => alternatesOf(join(folder, "objects")));
  const outside = [...alternates, ...links.flat(), ...linked]
    .map((path) => realPath(path))
    .filter((path) => !folders.some((folder) => isInside(folder, path)));
  return [...new Set([...own, ...outside])].filter((path) => !isInside(realPath(top), path));
}

/** Of what git keeps, it reads all but these when it only reads: hooks are looked at on their own, the others are no part of it. */
const NOT_READ = new Set(["hooks", "lfs", "annex", "modules"]);

/** The links in a folder of git's. Single objects are left out: they have names that nobody can guess. */
function linksBelow(gitDir: string): string[] | undefined {
  const found: string[] = [];
  const waiting = [gitDir];
  let seen = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesOf(folder)) {
      if (++seen > MOST_FILES) return undefined;
      const path = join(folder, entry.name);
      if (folder === gitDir && NOT_READ.has(entry.name)) continue;
      if (entry.isSymbolicLink()) found.push(path);
      else if (entry.isDirectory() && !/\/objects\/[0-9a-f]{2}$/.test(path)) waiting.push(path);
    }
  }
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not ours to see, so git does not see it either.
    return [];
  }
}

/** As deep as git follows them. */
const MOST_ALTERNATES = 6;

/** Other folders of objects, which may name others in turn. One in quotes may be written in many ways: it counts as anywhere. */
function alternatesOf(objects: string, depth = 0): string[] {
  const file = join(objects, "info/alternates");
  const text = exists(file) ? textOf(file) : "";
  if (text === undefined) return ["/"];
  const lines = text.split("\n");
  return lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .flatMap((line) => {
      if (line.startsWith('"') || depth === MOST_ALTERNATES) return ["/"];
      const folder = resolve(objects, line);
      return [folder, ...alternatesOf(folder, depth + 1)];
    });
}

/** Folders of tracked files that are links. Undefined when the index cannot be read. */
function linkedFolders({ top, gitDir }: Repository): string[] | undefined {
  const index = bytesOf(join(gitDir, "index"));
  const entries = index ? entriesInIndex(index) : [];
  if (!entries) return undefined;
  const folders = new Set<string>();
  for (const { path } of entries)
    for (let at = dirname(path); at !== "." && !folders.has(at); at = dirname(at)) folders.add(at);
  return [...folders].map((folder) => join(top, folder)).filter((folder) => isLink(folder));
}
