import { posix } from "node:path";
import { pay } from "../steps.ts";
import type { Arg } from "../words/expand.ts";
import { pathsIn, possibleFiles } from "../words/possibleFiles.ts";
import { beginningOf, isLiteral, isUnknown, placeIn, shown } from "../words/unknownText.ts";
import type { GitProgress } from "../programs/git/progress.ts";
import type { Scope } from "../shell/scope.ts";
import type { Stdin } from "../shell/stdinSource.ts";
import type { Access, HeedingCall } from "../reading.ts";
import type { Extent } from "./extent.ts";
import type { PossibleCommands, Sightings } from "./sightings.ts";

/** Variables whose value is likely a program: `RUSTC_WRAPPER`, `CMAKE_C_COMPILER_LAUNCHER`. */
const NAMES_PROGRAM =
  /(WRAPPER|LAUNCHER|COMMAND|CMD|EXEC|SHELL|PAGER|EDITOR|HOOK|ASKPASS|PROGRAM|COMPILER)$/i;

/** So many names in one text a hook is told. */
const MOST_NAMED = 64;

/** Places that hold nothing of their own: whoever opens them has done so elsewhere. */
const SINKS = /^\/dev\/(null|stdout|stderr|stdin|tty|zero|full|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/;

type CallFacts = Pick<ProgramCall, "name" | "args" | "scope" | "follow" | "followText"> & {
  stdin: Stdin;
  /** Text among its words is code of its own. */
  readsCode?: boolean;
  /** What it may run of its words, where nothing is known about it. */
  mayRun?: () => PossibleCommands;
};

/** What a table says about a program. */
export type Program = (call: ProgramCall) => void;

/** One call of one program, and what its row in the tables may say about it. */
export class ProgramCall {
  readonly name: string;
  readonly args: readonly Arg[];
  readonly scope: Scope;
  /** Walks another command that this one runs. */
  readonly follow: (words: readonly Arg[], scope?: Scope) => void;
  /** Walks text that a shell will read. */
  readonly followText: (text: string) => void;
  /** What it prints, one item a line, for a program behind a pipe. */
  prints: readonly Arg[] | undefined;
  readonly #seen: Sightings;
  readonly #facts: CallFacts;
  #hasOpened = false;

  constructor(seen: Sightings, call: CallFacts) {
    this.#seen = seen;
    this.name = call.name;
    this.args = call.args;
    this.scope = call.scope;
    this.#facts = call;
    this.follow = call.follow;
    this.followText = call.followText;
  }

  /** For what is touched by the line itself and by no program. */
  static bystander(seen: Sightings, scope: Scope): ProgramCall {
    const facts = { name: "", args: [], scope, stdin: undefined };
    return new ProgramCall(seen, { ...facts, follow: () => {}, followText: () => {} });
  }

  /** The same call in another folder. */
  in(scope: Scope): ProgramCall {
    return new ProgramCall(this.#seen, { ...this.#facts, scope });
  }

  /** Text that reaches its standard input, when that is known. */
  get stdin(): Stdin {
    if (this.#facts.stdin) this.#seen.uses(this.#facts.stdin);
    return this.#facts.stdin;
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

  /** Whether there is such a file, and of which kind: `[ -f x ]`. */
  looksAt(arg: Arg): void {
    this.#touch("read", { ...arg, texts: arg.texts.filter((text) => !isUnknown(text)) }, { onlyLooks: true });
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
    for (const folder of this.scope.folders)
      for (const name of at.texts)
        for (const text of to.texts) {
          pay(1);
          const at = placeIn(folder, name);
          this.#seen.makesLink(
            as === "link" ? { at, to: text } : { at, to: placeIn(folder, text), copied: true },
          );
        }
  }

  /** Whatever a star finds for a word has no name like this. */
  supposesNone(unlike: RegExp, arg: Arg): void {
    for (const text of arg.texts.filter((one) => !isLiteral(one)))
      for (const folder of this.scope.folders) this.#seen.supposes({ path: placeIn(folder, text), unlike });
  }

  unclear(why: string): void {
    this.#seen.unclear(why);
    this.mayOpenWords();
  }

  /** A program that people use to read has a word that was not read. */
  unread(why: string): void {
    this.#seen.unread(why);
    this.mayOpenWords();
  }

  /** The same, and none of its other words say what it does: in the small language of such a program one can also write. */
  unreadText(why: string): void {
    this.unread(why);
    this.#seen.writesAnywhere(why);
  }

  /** It does more than read, such as starting a helper of its own, and nothing that a read-only sandbox would not bound. */
  needsBounds(why: string): void {
    this.#seen.because("needs bounds", why);
  }

  /** It reads by all that is known, which is not enough to be sure. */
  unproven(why: string): void {
    this.#seen.because("unproven", why);
  }

  /** The line means something that cannot be known: it may write anywhere. */
  beyondReach(why: string): void {
    this.#seen.beyondReach(why);
  }

  changes(why: string): void {
    this.#seen.because("changes", why);
  }

  /** Nothing is known about the program, except what its arguments look like. */
  opaque(why: string): void {
    this.unclear(why);
    this.#mentionAll();
  }

  /** Nothing is known about which files a program reads, except what its arguments look like. */
  opaqueRead(why: string): void {
    this.unread(why);
    this.#mentionAll();
  }

  #mentionAll(): void {
    for (const arg of [...this.args, ...(this.stdin ?? [])]) this.mention(arg);
  }

  /** Not even which of its arguments are files. */
  unknown(why: string): void {
    this.opaque(why);
    for (const arg of this.args) this.#mentionWord(arg);
    const possible = this.#facts.mayRun?.();
    if (possible) this.#seen.mayRun(this.name, possible);
  }

  heeds(call: HeedingCall): void {
    this.#seen.heeds(call);
  }

  readsWithGit({ shows, searches = false }: { shows: boolean; searches?: boolean }): void {
    for (const folder of this.scope.folders) this.#seen.readsWithGit(folder, { shows, searches });
  }

  /** Any of its words may be a file that it opens, if there is one of that name. */
  mayOpenWords(): void {
    if (this.#hasOpened) return;
    this.#hasOpened = true;
    for (const { texts } of [...this.args, ...(this.#facts.stdin ?? [])])
      for (const text of texts) this.#mayOpen(text, this.#facts.readsCode === true);
    if (this.args.some(({ texts }) => texts.some(isUnknown))) this.#seen.opensUnknown = true;
  }

  #mayOpen(text: string, asCode: boolean): void {
    for (const name of possibleFiles(text, asCode))
      for (const folder of this.scope.folders) {
        pay(name.length);
        this.#seen.mayOpen(placeIn(folder, name));
      }
  }

  /** What a variable tells a program: it may open that, and where its name says so it may run it. */
  isTold(variable: string, value: string): void {
    this.#mayOpen(value, true);
    if (NAMES_PROGRAM.test(variable) && !isUnknown(value))
      this.#seen.mayRun(variable, { commands: [], texts: [value] });
  }

  #touch(access: Access["access"], arg: Arg | string, extent: Extent): void {
    const { below = false, through, away, within, keepsContent = false, text: asText = false } = extent;
    const { isWord = false, onlyLooks = false } = extent;
    const { texts, source } = typeof arg === "string" ? { texts: [arg], source: shown(arg) } : arg;
    for (const text of texts) {
      // A path that ends in nothing names nothing; `cat ""` fails.
      if (text === "" || (access !== "unknown" && SINKS.test(text))) continue;
      for (const folder of this.scope.folders) {
        const path = placeIn(folder, text);
        pay(path.length);
        if (access !== "unknown" && isUnknown(path)) {
          const why = `${source} may be any file`;
          // In a folder that nobody knows, what the program does with it is known all the same.
          if (!isUnknown(text)) this.#seen.because(access === "read" ? "unread" : "unclear", why);
          else if (access === "read") this.unread(why);
          else this.unclear(why);
        }
        if (access === "unknown" && isUnknown(path)) continue;
        if (access === "write" && asText) this.#seen.because("edits", `it writes ${shown(path)}`);
        else if (access === "write")
          this.#seen.because("writes", `it writes ${isUnknown(path) ? source : shown(path)}`);
        if (access === "write" && !keepsContent && !away) this.#seen.written.add(posix.normalize(path));
        this.#seen.touches(this.name, {
          path,
          shown: isUnknown(path) ? source : shown(path),
          access,
          below,
          ...(through
            ? { through: through === "archive" ? through : { ...through, folder: literalText(folder) } }
            : {}),
          ...(away ? { away } : {}),
          ...(within === undefined ? {} : { within: placeIn(folder, within) }),
          ...(isWord ? { isWord } : {}),
          ...(onlyLooks ? { onlyLooks } : {}),
          ...(access === "write" && asText ? { text: true } : {}),
        });
      }
    }
  }
}

const literalText = (text: string) => (isLiteral(text) ? text : undefined);
