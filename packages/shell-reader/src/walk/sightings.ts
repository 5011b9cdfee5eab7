import type { SimpleCommand } from "../words/words.ts";
import type { TreeChange } from "../programs/git/treeChange.ts";
import { GAP } from "../words/unknownText.ts";
import type { GitProgress } from "../programs/git/progress.ts";

/** A file or folder that a command line touches. */
export interface Access {
  /** Absolute and otherwise as written, with gaps; `GAP.any` when nothing is known about it. */
  path: string;
  /** For people. */
  shown: string;
  access: "read" | "write" | "unknown";
  /** Also what lies in it. */
  below: boolean;
  /** An archive or a patch writes whatever is in it, git what another state of the work tree has. */
  through?: "archive" | TreeChange;
  /** It is moved or removed: under another name no rule about reading would know it. */
  away?: true;
  /** Why the line was not read to its end, where that is all that is known. */
  unread?: string;
  /** It is touched only if this is a folder. */
  within?: string;
  /** It is a word that may be anything; that it is a file is no more than possible. */
  isWord?: true;
  /** Text becomes the file, or is put behind it. */
  text?: true;
}

/** A link that a command line makes, so that it is not on the disk when the line is judged. */
export interface MadeLink {
  /** Where it will be: absolute and otherwise as written, with gaps. */
  at: string;
  /** What will stand in it, with gaps. */
  to: string;
  /**
   * Something is moved or copied to `at`: if it is a link, what stands in it counts from there. What is not a link is a place of
   * its own from then on, but links in it lead up from there as well.
   */
  copied?: true;
}

/** Calls of npm that only read, as long as the project's settings say nothing else. */
export type HeedingCall = "npm lists" | "npm says its version";

/** How git reads a repository. */
export interface GitRead {
  /** It shows what is in files. */
  shows: boolean;
  /** It opens every file that it keeps by its name, also behind a folder that has become a link. */
  searches: boolean;
}

/** Everything that is seen while a line is read. */
export interface Sightings {
  accesses: Access[];
  /** Why not every file is known. The first says enough. */
  unclear: string | undefined;
  /** Why it does more than read and change files that it names. */
  changes: string | undefined;
  /** Why it does more than read, where all it does more is to change files that it names. */
  writes: string | undefined;
  /** The same, where all it does more is to write text into files that it names. */
  edits: string | undefined;
  /** Folders in which git only reads. */
  git: Map<string, GitRead>;
  /** What the commands of git so far changed. */
  gitProgress: GitProgress;
  /** Programs by the names they are called by. */
  programs: Set<string>;
  /** The same with their words, as far as these are known; for rules that hold back. */
  called: SimpleCommand[];
  /** Calls that only read where no file of the project says otherwise. */
  heeding: Set<HeedingCall>;
  /** Variables that the line sets for itself. */
  assigned: Set<string>;
  links: MadeLink[];
  /** Programs that write something, by their names; "" is the shell itself. */
  writers: Set<string>;
  /** Folders in which programs work; not those of which it makes no difference where. */
  folders: Set<string>;
  /** Files whose content the line made. */
  written: Set<string>;
  /** What has to hold on the disk for the rest to be true. */
  suppositions: Supposition[];
}

/** Names that a star finds are taken for files, each for one. On the disk there may be one that is not. */
export interface Supposition {
  /** With gaps. */
  path: string;
  /** What none of the names may be like, from the first on that is not known. */
  unlike: RegExp;
}

/** Some of the line was not looked at, so it may write anywhere: whoever guards a path has to ask. */
export function beyondReach(seen: Sightings, why: string): void {
  seen.unclear ??= why;
  seen.changes ??= why;
  if (!seen.accesses.some(({ unread }) => unread !== undefined))
    seen.accesses.push({
      path: GAP.any,
      shown: "files that Wave could not look for",
      access: "write",
      below: true,
      unread: why,
    });
}
