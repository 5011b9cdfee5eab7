import { readdirSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { isInside, namesBelow } from "../../permissions/paths.ts";
import type { Coverage } from "../../permissions/pathRules.ts";
import type { Bounds } from "../../permissions/decide.ts";
import type { HiddenPlace } from "../../permissions/readOnlyPlan.ts";
import { filesBelow, realPath, statOf } from "../files/fileFacts.ts";
import { sharedKey } from "../files/hardLinks.ts";
import { bytesOf, commonDirOf, repositoryAt } from "../git/gitFacts.ts";
import { entriesInIndex } from "../git/gitSubmodules.ts";

/** What a rule keeps back: a folder, and which of what lies below it. */
export interface KeptPart {
  folder: string;
  coverage: Coverage;
}

export interface HiddenFiles {
  places: readonly HiddenPlace[];
  /** Everything was looked at that a command could see. */
  complete: boolean;
  /** Folders in which git keeps a copy of such a file, if it does. */
  copies: readonly HiddenPlace[];
  /** Where git keeps what was there once: other branches and old commits may have such a file. */
  history: readonly HiddenPlace[];
}

interface Found extends HiddenFiles {
  /** What was looked at, as it was. */
  stamps: ReadonlyMap<string, string>;
}

/** More than this is not looked at: it would take longer than a person waits. */
const MOST_ENTRIES = 50_000;

/** Each of them is a mount, which takes its time before every command; with more the command is asked about. */
const MOST_HIDDEN = 200;

/** So many files are compared before each command. */
const MOST_STAMPS = 2_000;

/** Where there is much and nothing of the person's own: looked at once, and not again. */
const MADE_BY_TOOLS = new Set(["node_modules", ".git"]);

/**
 * The files on the disk that rules keep back, for whoever takes them out of a command's sight. Looked for once; later only the folders
 * are compared with what they were, and something new in one of them has all of it looked for again.
 */
export class FilesToHide {
  readonly #parts: readonly KeptPart[];
  readonly #projectDir: string;
  #found: Found | undefined;

  constructor(parts: readonly KeptPart[], projectDir: string) {
    this.#projectDir = realPath(projectDir);
    this.#parts = parts.flatMap((part) => partInProject(part, this.#projectDir));
  }

  look(): HiddenFiles {
    const known = this.#found;
    if (known && [...known.stamps].every(([path, stamp]) => stampOf(path) === stamp)) return known;
    return (this.#found = this.#search());
  }

  /** What is not there for a command. `git`: what it does with the repository, as far as it was believed. */
  hiddenFor(bounds: Bounds, git: string | undefined): readonly HiddenPlace[] {
    const { places, copies, history } = this.look();
    if (bounds === "none") return places;
    // A line that is not about git needs none of it, and a program in it may start git.
    return [...places, ...(git === "none" ? history : copies)];
  }

  #search(): Found {
    const stamps = new Map<string, string>();
    const places = new Map<string, HiddenPlace>();
    const hide = (path: string) => {
      const stats = statOf(path);
      if (!stats) return;
      // A link cannot be mounted over; what it leads to is what must not be seen.
      const real = realPath(path);
      places.set(real, { path: real, isFolder: stats.isDirectory() });
      if (stats.isFile()) stamps.set(real, stampOf(real));
    };
    let left = MOST_ENTRIES;
    const waiting = this.#parts.map((part) => ({ ...part, isMade: false }));
    for (let next = waiting.pop(); next && left > 0; next = waiting.pop()) {
      const { folder, coverage, isMade } = next;
      if (!isMade) stamps.set(folder, stampOf(folder));
      if (coverage.all) {
        hide(folder);
        continue;
      }
      for (const entry of entriesOf(folder)) {
        left--;
        const into = coverage.into(entry.name);
        if (!into) continue;
        const path = join(folder, entry.name);
        if (into.all) hide(path);
        else if (entry.isDirectory())
          waiting.push({ folder: path, coverage: into, isMade: isMade || MADE_BY_TOOLS.has(entry.name) });
      }
    }
    const complete = left > 0 && this.#hideHardLinks(places, stamps) && places.size <= MOST_HIDDEN;
    const hidden = [...places.values()];
    const history = this.#parts.length === 0 ? [] : this.#gitFolders();
    return { places: hidden, complete, copies: this.#keptByGit(hidden, stamps), history, stamps };
  }

  /** What git tracks can be had from git, whether the file is in sight or not. An index that cannot be read may have anything in it. */
  #keptByGit(hidden: readonly HiddenPlace[], stamps: Map<string, string>): HiddenPlace[] {
    const repository = hidden.length === 0 ? undefined : repositoryAt(this.#projectDir);
    if (!repository) return [];
    const { top, gitDir } = repository;
    const index = join(gitDir, "index");
    stamps.set(index, stampOf(index));
    const bytes = bytesOf(index);
    const tracked = bytes ? entriesInIndex(bytes) : [];
    const isKept = (path: string) => hidden.some((one) => isInside(one.path, path));
    if (tracked && !tracked.some(({ path }) => isKept(join(top, path)))) return [];
    return this.#gitFolders();
  }

  #gitFolders(): HiddenPlace[] {
    const repository = repositoryAt(this.#projectDir);
    const folders = repository ? [repository.gitDir, commonDirOf(repository.gitDir)] : [];
    return [...new Set(folders.map((folder) => realPath(folder)))].map((path) => ({ path, isFolder: true }));
  }

  /** A hard link is the same file under another name. False: there are too many files to look for all of them. */
  #hideHardLinks(places: Map<string, HiddenPlace>, stamps: Map<string, string>): boolean {
    // Of a folder that is hidden as a whole, each file in it may have a name outside.
    const kept = [...places.values()].map(({ path, isFolder }) =>
      isFolder ? filesBelow(path, MOST_ENTRIES) : [path],
    );
    if (kept.some(({ length }) => length >= MOST_ENTRIES)) return false;
    // A new name changes the time of the file.
    for (const path of kept.flat().slice(0, MOST_STAMPS)) stamps.set(path, stampOf(path));
    const keys = new Set(kept.flat().flatMap((path) => sharedKey(path) ?? []));
    if (keys.size === 0) return true;
    const files = filesBelow(this.#projectDir, MOST_ENTRIES);
    for (const path of files)
      if (keys.has(sharedKey(path) ?? "")) places.set(path, { path, isFolder: false });
    return files.length < MOST_ENTRIES;
  }
}

/**
 * Of what lies above the project only the project counts: the rest of the disk is either empty for a command that only reads, or the
 * system's.
 */
function partInProject({ folder, coverage }: KeptPart, projectDir: string): KeptPart[] {
  const real = realPath(folder);
  if (real === projectDir || !isInside(real, projectDir)) return [{ folder: real, coverage }];
  let reached: Coverage | undefined = coverage;
  for (const name of namesBelow(real, projectDir) ?? [])
    reached = reached?.all === true ? reached : reached?.into(name);
  return reached ? [{ folder: projectDir, coverage: reached }] : [];
}

function stampOf(path: string): string {
  try {
    const { ino, mtimeMs, ctimeMs } = statSync(path);
    return `${ino} ${mtimeMs} ${ctimeMs}`;
  } catch {
    // ENOENT, EACCES: what cannot be seen is not there.
    return "";
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not a folder, or not ours to see.
    return [];
  }
}
