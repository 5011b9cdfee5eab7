import { GitProgress } from "../programs/git/progress.ts";
import type { Access, GitRead, HeedingCall, MadeLink, Supposition } from "../reading.ts";
import { asWord } from "../words/args.ts";
import type { Arg } from "../words/expand.ts";
import { GAP, isUnknown } from "../words/unknownText.ts";
import type { SimpleCommand } from "../words/words.ts";

/** As in a reading, with gaps in the text of paths; `GAP.any` when nothing is known. */
export type SeenAccess = Omit<Access, "path"> & { path: string };
type SeenLink = Omit<MadeLink, "at" | "to"> & { at: string; to: string };
/** With the moment at which it was seen. */
export interface InOrder<Item> {
  order: number;
  item: Item;
}
type SeenGit = Omit<GitRead, "folder">;
type SeenSupposition = Omit<Supposition, "path"> & { path: string };

/** What a program that nobody knows may run of its words: for rules that hold back, which then ask. */
export interface PossibleCommands {
  /** Each from a word on at which a command may begin. */
  commands: (readonly Arg[])[];
  /** Words that may be text for a shell. */
  texts: string[];
}

/** Why a line does more than one would think, of each kind the first reason. */
export type Reason =
  /** Not every file is known. */
  | "unclear"
  /** The same, where all that is missing is how a program reads that people use to read. */
  | "unread"
  /** It does more than read, and no more than a sandbox bounds in which nothing can be written and no network is. */
  | "needs bounds"
  /** It reads by all that is known, which is not proven. */
  | "unproven"
  /** It does more than read and change files that it names. */
  | "changes"
  /** It does more than read, where all it does more is to change files that it names. */
  | "writes"
  /** The same, where all it does more is to write text into them. */
  | "edits";

/** What is seen of one command of the line, or of the line itself. */
export interface Part {
  /** Nobody can see through the program: what is unclear is not only which file it is about. */
  isOpaque: boolean;
  reasons: Map<Reason, InOrder<string>>;
  /** By what makes two of them one. */
  accesses: Map<string, InOrder<SeenAccess>>;
  /** Folders in which git only reads. */
  git: Map<string, SeenGit>;
  /** Programs by the names they are called by. */
  programs: Set<string>;
  /** Calls that only read where no file of the project says otherwise. */
  heeding: Set<HeedingCall>;
  /** Variables that the line sets for itself. */
  assigned: Set<string>;
  links: InOrder<SeenLink>[];
  /** Programs that write something, by their names; "" is the shell itself. */
  writers: Set<string>;
  /** Folders in which programs work; not those of which it makes no difference where. */
  folders: Set<string>;
  suppositions: SeenSupposition[];
  /** Words of programs that nobody can see through, each of which is a file if there is one of that name. */
  possibleFiles: Set<string>;
  /** What it hands to the command behind a pipe, and what it makes use of that another one handed over. */
  prints: Set<object>;
  uses: Set<object>;
}

const newPart = (): Part => ({
  isOpaque: false,
  reasons: new Map(),
  accesses: new Map(),
  git: new Map(),
  programs: new Set(),
  heeding: new Set(),
  assigned: new Set(),
  links: [],
  writers: new Set(),
  folders: new Set(),
  suppositions: [],
  possibleFiles: new Set(),
  prints: new Set(),
  uses: new Set(),
});

/** More than this no person reads and no hook needs. */
const MOST_ACCESSES = 1_000;
const MOST_LINKS = 1_000;
/** The disk is asked about each of them. */
const MOST_WORDS = 10_000;

/** Everything that is seen while a line is read, each with the command that it is about. */
export class Sightings {
  /** What the commands of git so far changed. */
  readonly gitProgress = new GitProgress();
  /** Programs with their words, as far as these are known; for rules that hold back. */
  readonly called: SimpleCommand[] = [];
  /** What programs that nobody knows may run of their words. */
  readonly possible: { program: string; commands: readonly SimpleCommand[]; texts: readonly string[] }[] = [];
  /** A program that nobody can see through has a word that is not known: any word of the line may be in it. */
  opensUnknown = false;
  /** Files whose content the line made. */
  readonly written = new Set<string>();
  readonly #line = newPart();
  readonly #parts = new Map<object, Part>();
  #now = this.#line;
  /** How much was seen so far. */
  #seen = 0;
  #accesses = 0;
  #words = 0;

  /** What is seen meanwhile is about this command. */
  of<T>(command: object, look: () => T): T {
    const before = this.#now;
    this.#now = this.#parts.get(command) ?? newPart();
    this.#parts.set(command, this.#now);
    try {
      return look();
    } finally {
      this.#now = before;
    }
  }

  /** Of all commands but some. */
  parts(except: ReadonlySet<object> = new Set()): Part[] {
    return [
      this.#line,
      ...[...this.#parts].flatMap(([command, part]) => (except.has(command) ? [] : [part])),
    ];
  }

  partOf(command: object): Part | undefined {
    return this.#parts.get(command);
  }

  because(reason: Reason, why: string): void {
    const { reasons } = this.#now;
    if (!reasons.has(reason)) reasons.set(reason, this.#inOrder(why));
  }

  /** Not every file is known, since nobody can see through a program. */
  unclear(why: string): void {
    this.#now.isOpaque = true;
    this.because("unclear", why);
  }

  /** Not every file is known, since a program that reads has a word that was not read. */
  unread(why: string): void {
    this.#now.isOpaque = true;
    this.because("unread", why);
  }

  /** Some of the line was not looked at, so it may write anywhere: whoever guards a path has to ask. */
  beyondReach(why: string): void {
    this.unclear(why);
    this.because("changes", why);
    this.writesAnywhere(why);
  }

  writesAnywhere(why: string): void {
    const { accesses } = this.#now;
    if (accesses.has(UNREAD)) return;
    const shown = "files that could not be looked for";
    const access = { path: GAP.any, shown, access: "write", below: true, unread: why } as const;
    accesses.set(UNREAD, this.#inOrder(access));
  }

  /** Words of the line may mean something else from here on, if there is a reason for it. */
  rebound(why: string | undefined): void {
    if (why !== undefined) this.beyondReach(why);
  }

  touches(program: string, access: SeenAccess): void {
    const { accesses, writers } = this.#now;
    if (access.access !== "read") writers.add(program);
    const { path, below, through, away, within, text, onlyLooks } = access;
    const key = JSON.stringify([path, access.access, below, through, away, within, text, onlyLooks]);
    const same = accesses.get(key)?.item;
    if (same && !access.isWord) delete same.isWord;
    if (same) return;
    if (this.#accesses++ < MOST_ACCESSES) accesses.set(key, this.#inOrder(access));
    else this.beyondReach(`it touches more than ${MOST_ACCESSES} files`);
  }

  #inOrder<Item>(item: Item): InOrder<Item> {
    return { order: this.#seen++, item };
  }

  makesLink(link: SeenLink): void {
    if (this.#now.links.length < MOST_LINKS) this.#now.links.push(this.#inOrder(link));
  }

  supposes(supposition: SeenSupposition): void {
    this.#now.suppositions.push(supposition);
  }

  mayOpen(path: string): void {
    const { possibleFiles } = this.#now;
    if (isUnknown(path) || possibleFiles.has(path)) return;
    if (this.#words++ < MOST_WORDS) possibleFiles.add(path);
    else this.beyondReach("it has more words than are looked for on the disk");
  }

  mayRun(program: string, { commands, texts }: PossibleCommands): void {
    const words = commands.map((command) => command.map(asWord));
    if (words.length + texts.length > 0) this.possible.push({ program, commands: words, texts });
  }

  calls(program: string): void {
    this.#now.programs.add(program);
  }

  worksIn(folders: readonly string[]): void {
    for (const folder of folders) this.#now.folders.add(folder);
  }

  assigns(variable: string): void {
    this.#now.assigned.add(variable);
  }

  prints(text: object): void {
    this.#now.prints.add(text);
  }

  uses(text: object): void {
    this.#now.uses.add(text);
  }

  heeds(call: HeedingCall): void {
    this.#now.heeding.add(call);
  }

  readsWithGit(folder: string, { shows, searches }: SeenGit): void {
    const before = this.#now.git.get(folder);
    this.#now.git.set(folder, {
      shows: shows || before?.shows === true,
      searches: searches || before?.searches === true,
    });
  }
}

/** In the place of a key: all that was not looked at. */
const UNREAD = "";
