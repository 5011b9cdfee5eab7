import { join } from "node:path";
import { isInside } from "../../permissions/paths.ts";
import { placesIn } from "../../permissions/protectedPaths.ts";
import { statOf } from "../fileFacts.ts";
import { repositoryAt } from "../gitFacts.ts";
import type { HeldPath } from "./layOut.ts";

/** What of a repository can make git run a program. The rest of it is data, which a commit has to write. */
const PARTS_OF_GIT = ["config", "config.worktree", "info/attributes", "modules"];

export interface Held {
  paths: HeldPath[];
  /** Files that make git read its settings elsewhere, and that cannot be held as long as they do not exist. */
  notToAppear: string[];
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
  const git = repository?.gitDir ?? join(projectDir, ".git");
  const wanted: HeldPath[] = [
    { path: join(projectDir, ".wave"), ifMissing: "make-folder", ifLink: "refuse" },
    ...(repository
      ? [{ path: join(git, "hooks"), ifMissing: "make-folder", ifLink: "refuse" } as const]
      : []),
    ...PARTS_OF_GIT.map((part) => ({ path: join(git, part), ifMissing: "leave", ifLink: "refuse" }) as const),
    ...own.map((path) => ({ path, ifMissing: "leave", ifLink: "tell" }) as const),
    ...[...writable, home].flatMap((folder) => tableIn(folder, opened)),
  ];
  return {
    paths: wanted,
    notToAppear: [join(git, "commondir")].filter((path) => statOf(path) === undefined),
  };
}

function tableIn(folder: string, opened: readonly string[]): HeldPath[] {
  return placesIn(folder)
    .map(({ path }) => path)
    .filter((path) => !isRepository(path) && !opened.some((one) => one !== folder && isInside(path, one)))
    .map((path) => ({ path, ifMissing: "leave", ifLink: "tell" }));
}

/** A folder `.git` has to be written by commits; a file of that name says where the repository is. */
const isRepository = (path: string) => path.endsWith("/.git") && statOf(path)?.isDirectory() !== false;
