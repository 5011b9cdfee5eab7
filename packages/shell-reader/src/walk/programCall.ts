import { posix } from "node:path";
import { pay } from "../steps.ts";
import type { TreeChange } from "../programs/git/treeChange.ts";
import type { Arg } from "../words/expand.ts";
import { beginningOf, GAP, isLiteral, isUnknown, placeIn, shown } from "../words/unknownText.ts";
import type { GitProgress } from "../programs/git/progress.ts";
import type { Scope } from "../shell/scope.ts";
import { beyondReach, type Access, type HeedingCall, type Sightings } from "./sightings.ts";

export interface Extent {
  below?: boolean;
  within?: string;
  /** Only its rights or times are changed. */
  keepsContent?: boolean;
  through?: "archive" | Omit<TreeChange, "folder">;
  away?: boolean;
  /** Text becomes the file, or is put behind it, as Write and Edit do. */
  text?: boolean;
  /** That it is a file is no more than possible. */
  isWord?: boolean;
}

/** More than this no person reads and no hook needs. */
const MOST_ACCESSES = 1_000;
/** So many names in one text a hook is told. */
const MOST_NAMED = 64;

/** Places that hold nothing of their own: whoever opens them has done so elsewhere. */
const SINKS = /^\/dev\/(null|stdout|stderr|stdin|tty|zero|full|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/;

type CallFacts = Pick<ProgramCall, "name" | "args" | "scope" | "fed" | "follow" | "followText">;

/** What a table says about a program. */
export type Program = (call: ProgramCall) => void;

/** One call of one program, and what its row in the tables may say about it. */
export class ProgramCall {
  readonly name: string;
  readonly args: readonly Arg[];
  readonly scope: Scope;
  /** Text that reaches its standard input, when that is known. */
  readonly fed: readonly Arg[] | undefined;
  /** Walks another command that this one runs. */
  readonly follow: (words: readonly Arg[], scope?: Scope) => void;
  /** Walks text that a shell will read. */
  readonly followText: (text: string) => void;
  /** What it prints, one item a line, for a program behind a pipe. */
  prints: readonly Arg[] | undefined;
  readonly #seen: Sightings;

  constructor(seen: Sightings, call: CallFacts) {
    this.#seen = seen;
    this.name = call.name;
    this.args = call.args;
    this.scope = call.scope;
    this.fed = call.fed;
    this.follow = call.follow;
    this.followText = call.followText;
  }

  /** For what is touched by the line itself and by no program. */
  static bystander(seen: Sightings, scope: Scope): ProgramCall {
    const facts = { name: "", args: [], scope, fed: undefined };
    return new ProgramCall(seen, { ...facts, follow: () => {}, followText: () => {} });
  }

  /** The same call in another folder. */
  in(scope: Scope): ProgramCall {
    const { name, args, fed, follow, followText } = this;
    return new ProgramCall(this.#seen, { name, args, scope, fed, follow, followText });
  }

  /** What the line did to the repository before. */
  get git(): GitProgress {
    return this.#seen.gitProgress;
  }

  read(arg: Arg | string, extent: Extent = {}): void {
    this.#touch("read", arg, extent);
  }

  write(arg: Arg | string, extent: Extent = {}): void {
    this.#touch("write", arg, extent);
  }

  /** Whether the line wrote the file itself before. */
  wasWritten(arg: Arg): boolean {
    const { written } = this.#seen;
    return this.scope.folders.some((folder) =>
      arg.texts.some((text) => written.has(posix.normalize(placeIn(folder, text)))),
    );
  }

  /** Some word that may be a file, of a program that may do anything with it. */
  mention(arg: Arg): void {
    for (const text of arg.texts)
      pathsIn(text).forEach((name, at) =>
        // Of a long text nobody reads them all, but rules look at each.
        this.#touch("unknown", { ...arg, texts: [name] }, { isWord: at >= MOST_NAMED }),
      );
  }

  /** A word that looks like no file, and may be one to a program about which nothing is known. */
  #mentionWord(arg: Arg): void {
    const texts = arg.texts.filter((text) => /^\w[\w+@-]*$/.test(text));
    this.#touch("unknown", { ...arg, texts }, { isWord: true });
  }

  /** A file gets a second name, under which it can be changed unseen later. */
  alias(arg: Arg, extent: Pick<Extent, "within"> = {}): void {
    this.#touch(arg.texts.some(isUnknown) ? "read" : "unknown", arg, { ...extent, below: true });
  }

  /** The names that bash looks up for a word are shown: as if their folder were listed. */
  lists(arg: Arg): void {
    if (!arg.lists) return;
    for (const text of arg.texts) {
      const { begins } = beginningOf(text);
      const folder = begins.slice(0, begins.lastIndexOf("/") + 1);
      // Behind a name that is looked up there may be a link.
      const deep = text.slice(folder.length).includes("/");
      this.read({ ...arg, texts: [deep || isUnknown(text) ? text : folder === "" ? "." : folder] });
    }
  }

  /**
   * A path will lead elsewhere: there is a link in its place, with this text in it ("link"), or what was in another place
   * ("copy"), which may be a link as well.
   */
  redirects(at: Arg, to: Arg, as: "link" | "copy"): void {
    const { links } = this.#seen;
    for (const folder of this.scope.folders)
      for (const name of at.texts)
        for (const text of to.texts) {
          if (links.length >= MOST_ACCESSES) return;
          const place = { at: placeIn(folder, name) };
          links.push(
            as === "link" ? { ...place, to: text } : { ...place, to: placeIn(folder, text), copied: true },
          );
        }
  }

  /** Whatever a star finds for a word has no name like this. */
  supposesNone(unlike: RegExp, arg: Arg): void {
    for (const text of arg.texts.filter((one) => !isLiteral(one)))
      for (const folder of this.scope.folders)
        this.#seen.suppositions.push({ path: placeIn(folder, text), unlike });
  }

  unclear(why: string): void {
    this.#seen.unclear ??= why;
  }

  /** The line means something that Wave cannot know: it may write anywhere. */
  beyondReach(why: string): void {
    beyondReach(this.#seen, why);
  }

  changes(why: string): void {
    this.#seen.changes ??= why;
  }

  /** Nothing is known about the program, except what its arguments look like. */
  opaque(why: string): void {
    this.unclear(why);
    for (const arg of [...this.args, ...(this.fed ?? [])]) this.mention(arg);
  }

  /** Not even which of its arguments are files. */
  unknown(why: string): void {
    this.opaque(why);
    for (const arg of this.args) this.#mentionWord(arg);
  }

  heeds(call: HeedingCall): void {
    this.#seen.heeding.add(call);
  }

  readsWithGit({ shows, searches = false }: { shows: boolean; searches?: boolean }): void {
    const { git } = this.#seen;
    for (const folder of this.scope.folders) {
      const before = git.get(folder);
      git.set(folder, {
        shows: shows || before?.shows === true,
        searches: searches || before?.searches === true,
      });
    }
  }

  #touch(access: Access["access"], arg: Arg | string, extent: Extent): void {
    const { below = false, through, away, within, keepsContent = false, text: asText = false } = extent;
    const { isWord = false } = extent;
    const { texts, source } = typeof arg === "string" ? { texts: [arg], source: shown(arg) } : arg;
    for (const text of texts) {
      // A path that ends in nothing names nothing; `cat ""` fails.
      if (text === "" || (access !== "unknown" && SINKS.test(text))) continue;
      for (const folder of this.scope.folders) {
        pay(text.length + this.#seen.accesses.length);
        const path = placeIn(folder, text);
        if (access !== "unknown" && isUnknown(path)) this.unclear(`${source} may be any file`);
        if (access === "unknown" && isUnknown(path)) continue;
        if (access === "write" && asText) this.#seen.edits ??= `it writes ${shown(path)}`;
        else if (access === "write")
          this.#seen.writes ??= `it writes ${isUnknown(path) ? source : shown(path)}`;
        if (access === "write" && !keepsContent && !away) this.#seen.written.add(posix.normalize(path));
        this.#add({
          path,
          shown: isUnknown(path) ? source : shown(path),
          access,
          below,
          ...(through ? { through: through === "archive" ? through : { ...through, folder } } : {}),
          ...(away ? { away } : {}),
          ...(within === undefined ? {} : { within: placeIn(folder, within) }),
          ...(isWord ? { isWord } : {}),
          ...(access === "write" && asText ? { text: true } : {}),
        });
      }
    }
  }

  #add(access: Access): void {
    if (access.access !== "read") this.#seen.writers.add(this.name);
    const { accesses } = this.#seen;
    const same = accesses.find((other) => other.path === access.path && sameKind(other, access));
    if (same && !access.isWord) delete same.isWord;
    if (same) return;
    if (accesses.length < MOST_ACCESSES) accesses.push(access);
    else beyondReach(this.#seen, `it touches more than ${MOST_ACCESSES} files`);
  }
}

function sameKind(one: Access, other: Access): boolean {
  return (
    one.access === other.access &&
    one.below === other.below &&
    sameWay(one.through, other.through) &&
    one.away === other.away &&
    one.text === other.text &&
    one.within === other.within
  );
}

function sameWay(one: Access["through"], other: Access["through"]): boolean {
  if (typeof one !== "object" || typeof other !== "object") return one === other;
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What in a text could be a path: names with a slash or a dot in them, between quotes, colons and the like. */
function pathsIn(text: string): string[] {
  const pieces = text.split(/[\s'"`=:,;|&<>(){}[\]$*?!#\\\uE000-\uE003]+/);
  // `-o.envrc`: the value of an option of one letter may stand in the same word.
  const values = pieces.flatMap((piece) => /^-\w(.+)$/s.exec(piece)?.[1] ?? []);
  return [
    ...new Set(
      [...pieces, ...values].filter(
        (piece) => /[./~]/.test(piece) && !/^(\.|\.\.|-.*|\d[\d.]*)$/.test(piece),
      ),
    ),
  ];
}

/** A word that is known to be this text. */
export const plainArg = (text: string): Arg => ({
  source: shown(text),
  texts: [text],
  many: !isLiteral(text),
});

/** A word of which nothing is known. */
export const anyArg = (source: string): Arg => ({ source, texts: [GAP.any], many: true });

/** What a program reads that another one makes while the line runs. */
export const unseenArg = (source: string): Arg => ({ ...anyArg(source), from: "input" });

/** A name in a folder. */
export function inside(folder: Arg, name: Arg): Arg {
  const texts = folder.texts.flatMap((outer) => name.texts.map((inner) => `${outer}/${inner}`));
  return { source: `${folder.source}/${name.source}`, texts, many: folder.many || name.many };
}

/** The last name of each path; undefined in place of one that has none, such as `..` or `a/.`. */
export function lastName({ source, texts, many }: Arg): Arg | undefined {
  // Of one that ends in a slash there is none either.
  const names = texts.map((text) => text.slice(text.lastIndexOf("/") + 1));
  if (names.some((name) => name === "" || name === "." || name === "..")) return undefined;
  return { source, texts: names, many };
}
