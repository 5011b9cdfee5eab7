import type { TreeChange } from "./programs/git/treeChange.ts";
import type { ReadPath } from "./words/pathName.ts";
import type { SimpleCommand } from "./words/words.ts";

/** Where a command line would run. */
export interface Place {
  /** Absolute. */
  folder: string;
  /** Variables whose value is certain, such as HOME. */
  variables: Readonly<Record<string, string | undefined>>;
}

/** A file or folder that a command line touches. */
export interface Access {
  path: ReadPath;
  /** For people: as it is written on the line where that says more than the path. */
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
  /** Nothing is asked but whether it is there, and what kind of file it is. */
  onlyLooks?: true;
}

/** A link that a command line makes, so that it is not on the disk when the line is judged. */
export interface MadeLink {
  at: ReadPath;
  /** What will stand in it; undefined: that is not known. */
  to: string | undefined;
  /**
   * Something is moved or copied to `at`: if it is a link, what stands in it counts from there. What is not a link is a place of
   * its own from then on, but links in it lead from there as well.
   */
  copied?: true;
}

/** A folder in which git only reads: whether that is all depends on what stands in the repository's settings. */
export interface GitRead {
  folder: ReadPath;
  /** It shows what is in files. */
  shows: boolean;
  /** It opens every file that it keeps by its name, also behind a folder that has become a link. */
  searches: boolean;
}

/** Names that a star finds are taken for files, each for one. On the disk there may be one that is not. */
export interface Supposition {
  path: ReadPath;
  /** What none of the names may be like, from the first on that is not known. */
  unlike: RegExp;
}

/** Calls of npm that only read, as long as the project's settings say nothing else. */
export type HeedingCall = "npm lists" | "npm says its version";

export interface CalledProgram {
  /** By which it is called: a name, or a path. */
  name: string;
  /** A variable that names a file with more options for it. */
  optionsIn?: string;
}

/** How sure it is that commands only read. */
export type Certainty =
  /** Every program is on a short list of such that read, and every word of its call was read: no sandbox is needed. */
  | { is: "proven" }
  /**
   * They are programs that people use to read, but not every word was read, or one of them is not on the list. Nothing speaks for a
   * write, another program or the network; what they do after all has to be bounded by something else than this reading.
   */
  | { is: "bounded"; why: string }
  /** They do more than read, or may. */
  | { is: "unknown"; why: string };

/** What commands do to files, and what has to hold for that to be true. */
export interface Doings {
  certainty: Certainty;
  /** Every program is known and every file it touches is among `accesses`; otherwise why not. */
  unclear: string | undefined;
  /** Set when it does more than read, or may. */
  beyondReading: string | undefined;
  /** Set when it does more than read and change files that it names, or may. */
  beyondEditing: string | undefined;
  accesses: readonly Access[];
  /** Words of programs that nobody can see through: where one names a file that is there, it may be opened. */
  possibleFiles: readonly ReadPath[];
  git: readonly GitRead[];
  programs: readonly CalledProgram[];
  heeding: readonly HeedingCall[];
  /** Variables that the line sets for itself: programs see them only where the environment has them already. */
  assigned: readonly string[];
  /** What will lead elsewhere once the line has run that far. */
  links: readonly MadeLink[];
  /** What is no folder now is none when the line has run. */
  makesNoFolder: boolean;
  /** Folders in which programs would work; not of those that only print their words. */
  folders: readonly ReadPath[];
  suppositions: readonly Supposition[];
}

/** A command that has to be covered before a line may run without a question. */
export interface Need {
  command: SimpleCommand;
  /** The commands around it that run it (`sudo x`), each with the number of its words before what it runs. */
  inside: readonly { command: SimpleCommand; at: number }[];
  /** What it runs in turn cannot be read: only a pattern that spells out more words than these covers it. */
  sealedAt?: number;
}

/** Patterns that would cover a command of a line. */
export interface Suggestion {
  command: string;
  /** The command word by word; undefined where no pattern can spell it out. */
  exactly: string | undefined;
  /** With other arguments, too: the narrowest first. */
  wider: readonly string[];
  /** What the command does on its own; undefined where it is a part of another one. */
  doings: Doings | undefined;
}

/** A command that stands among the words of a program that nobody knows. */
export interface PossibleRun {
  program: string;
  command: SimpleCommand;
}

/** A word of the line, and what it is known to become. */
export interface PlacedWord {
  from: number;
  to: number;
  text: string;
}

/** What a command line would do, told without running it. The same line at the same place always reads the same. */
export interface Reading extends Doings {
  line: string;
  /**
   * How much of it is understood.
   * "all": these are all the commands, and nothing happens beside them (no file is written by a redirection, no variable set).
   * "programs": every program is known. "words": one may run that only the words of the line name. "nothing": any may.
   */
  understood: "all" | "programs" | "words" | "nothing";
  /** Why it is not all of it. */
  why: string | undefined;
  /** The commands of the line, as far as their words are known. */
  commands: readonly SimpleCommand[];
  /** What these run in turn (`sudo x`, `bash -c 'x'`, `find -exec x`), for patterns that hold back: may name too much. */
  embedded: readonly SimpleCommand[];
  /** What programs that nobody knows may run of their words, for patterns that hold back: most of it is no command at all. */
  possible(): readonly PossibleRun[];
  /** Code of another language on the line, which may run any of the programs that it names. */
  code: readonly string[];
  /** Why a program runs code of another language that is not on the line, or not all of it. */
  unseenCode: string | undefined;
  /** The commands as text, also those inside others, for people. */
  shown: readonly string[];
  /** What has to be covered before it may run without a question, when all of it is understood. */
  needs: readonly Need[];
  /** For each of its commands patterns that would be useful. */
  suggestions(): readonly Suggestion[];
  /** The words of the line that are known. */
  words(): readonly PlacedWord[];
  /**
   * What is left to be looked at when some needs are covered: commands that nobody can see through and all of whose needs are
   * among them are taken out. Undefined where none can be.
   */
  without(covered: ReadonlySet<Need>): Doings | undefined;
}
