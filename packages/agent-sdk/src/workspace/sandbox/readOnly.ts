import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { isInside } from "../../permissions/paths.ts";
import type { HiddenPlace, ReadOnlyPlace } from "../../permissions/readOnlyPlan.ts";
import { socketFilter } from "../../permissions/socketFilter.ts";
import type { ProcessRequest, RunningProcess } from "../../services/process.ts";
import { readingEnvironment } from "../../utils/environment.ts";
import { once } from "../../utils/once.ts";
import { isLink, mayRead, namesIn, realPath, statOf } from "../files/fileFacts.ts";
import { commonDirOf, repositoryAt } from "../git/gitFacts.ts";
import { personHome } from "../personHome.ts";
import { refusedStart, tryOut, type Availability } from "./bubblewrap.ts";
import { readOnlyProgram } from "./members.ts";
import { socketsNow } from "./sockets.ts";

export interface ReadingRun {
  /** Files of Wave's own that the command needs, and those that its shell writes. */
  own: { read: readonly string[]; write: readonly string[] };
  /** What rules keep back. */
  hidden: readonly HiddenPlace[];
  /** See `startIn`. */
  endedByItself: () => boolean;
}

/** Where the system keeps its programs and what they need to start. Everything else at the top is somebody's own. */
const OF_THE_SYSTEM =
  /^(?:bin|sbin|usr|lib\w*|etc|dev|proc|sys|opt|nix|gnu|snap|System|Library|Applications|private|cores)$/;

/** What is somebody's own, or where programs listen: all but the project is empty there. */
export const closedFolders = (topNames: readonly string[]): string[] => [
  ...topNames.filter((name) => !OF_THE_SYSTEM.test(name)).map((name) => `/${name}`),
  "/private/var",
];

/** Those that are there, but for what a sandbox makes anew, and the links at the top that lead to them or to others. */
function topOfDisk(): { system: string[]; links: ToldLink[] } {
  const paths = namesIn("/").map((name) => `/${name}`);
  const isShown = (path: string) => OF_THE_SYSTEM.test(path.slice(1)) && !/^\/(?:dev|proc)$/.test(path);
  return {
    system: paths.filter((path) => isShown(path) && !isLink(path)),
    links: paths.filter(isLink).map((path) => ({ path, to: realPath(path) })),
  };
}

/** The first link on the way to a place. */
function linkOnTheWay(path: string): ToldLink[] {
  const names = path.split("/").filter((name) => name !== "");
  const ways = names.map((_name, at) => `/${names.slice(0, at + 1).join("/")}`);
  const link = ways.find(isLink);
  return link === undefined ? [] : [{ path: link, to: realPath(link) }];
}

/** Of the system's own files those that open doors. */
const LOCKED: readonly HiddenPlace[] = [
  ...["shadow", "shadow-", "gshadow", "gshadow-", "sudoers"].map((name) => ({
    path: `/etc/${name}`,
    isFolder: false,
  })),
  ...["sudoers.d", "ssh", "ssl/private", "wireguard"].map((name) => ({
    path: `/etc/${name}`,
    isFolder: true,
  })),
];

/** Each is a mount, so those are left alone that the person could not open anyway, or that anybody may. */
const lockedHere = (asRoot: boolean) =>
  LOCKED.filter(({ path }) => {
    const stats = statOf(path);
    return stats !== undefined && (asRoot || ((stats.mode & 0o004) === 0 && mayRead(path)));
  });

/** Of the person's home git reads its settings, and nothing else is needed. */
const KEPT_IN_HOME = [".gitconfig", ".config/git"];

/** What a program in such a folder is often in need of. */
const BESIDE_PROGRAMS = ["../lib", "../lib64", "../libexec"];

const AS_ROOT = process.getuid?.() === 0;

interface ToldLink {
  path: string;
  to: string;
}

interface ReadOnlySession {
  projectDir: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** What commands run in that nobody said yes to: they read, and can do nothing else. See decision 0019. */
export class ReadOnlySandbox {
  readonly #projectDir: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #temporary: readonly string[];
  readonly #closed: readonly string[];
  readonly #kept: () => readonly string[];
  readonly #top: () => Pick<ReadOnlyPlace, "system" | "links">;
  readonly #locked = once(() => lockedHere(AS_ROOT));
  readonly #member = readOnlyProgram();
  #availability: Availability = { is: "missing", why: "it was not looked for" };
  #looking: Promise<Availability> | undefined;

  constructor({ projectDir, env }: ReadOnlySession) {
    const home = realPath(personHome(env));
    this.#projectDir = realPath(projectDir);
    this.#env = env;
    this.#temporary = places(["/tmp", tmpdir(), env["TMPDIR"] ?? "/tmp"]);
    this.#closed = places([...closedFolders(namesIn("/")), home]).filter(
      (folder) => !this.#temporary.includes(folder) && statOf(folder)?.isDirectory(),
    );
    this.#kept = once(() => this.#keptFor(home));
    this.#top = once(() => this.#topFor());
  }

  get availability(): Availability {
    return this.#availability;
  }

  /** Tries it once. */
  async look(): Promise<Availability> {
    this.#looking ??= this.#tryOut();
    this.#availability = await this.#looking;
    return this.#availability;
  }

  /** Only after `look` has found it. */
  start(request: ProcessRequest, { own, hidden, endedByItself }: ReadingRun): RunningProcess {
    if (this.#availability.is === "missing") return refusedStart(this.#availability.why);
    const place: ReadOnlyPlace = {
      cwd: realPath(request.cwd),
      asRoot: AS_ROOT,
      ...this.#top(),
      temporary: this.#temporary,
      closed: this.#closed,
      kept: [...this.#kept(), ...own.read],
      hidden: [...hidden, ...this.#sockets(), ...this.#locked()],
      written: own.write,
    };
    const env = readingEnvironment(request.env);
    return this.#member.start(this.#availability.program, place, { ...request, env }, endedByItself);
  }

  /** Whether nothing that lies there is in a command's sight. */
  hides(path: string): boolean {
    const isIn = (folders: readonly string[]) => folders.some((folder) => isInside(folder, path));
    return isIn(this.#closed) && !isIn([...this.#kept(), ...this.#temporary]);
  }

  /** Where a filter lets a command make no socket, it reaches none. */
  #sockets(): HiddenPlace[] {
    if (socketFilter(process.arch)) return [];
    const isEmptied = (path: string) => this.#isEmptied(path) && !isInside(this.#projectDir, path);
    return socketsNow(isEmptied).map((path) => ({ path, isFolder: false }));
  }

  /** What a command needs although it lies in a folder that is emptied for it. */
  #keptFor(home: string): string[] {
    const repository = repositoryAt(this.#projectDir);
    const gitFolders = repository ? [repository.gitDir, commonDirOf(repository.gitDir)] : [];
    const programs = this.#searchPath().flatMap((folder) => [
      folder,
      ...BESIDE_PROGRAMS.map((other) => join(folder, other)),
    ]);
    const kept = [...gitFolders, ...KEPT_IN_HOME.map((name) => join(home, name)), ...programs];
    return [this.#projectDir, ...places(kept.filter((place) => this.#isEmptied(place)))];
  }

  /** Where the project is all there is, nothing can be told from it. */
  #topFor(): Pick<ReadOnlyPlace, "system" | "links"> {
    if (this.#projectDir === "/") return {};
    const { system, links } = topOfDisk();
    const toPrograms = this.#searchPath()
      .filter((folder) => this.#isEmptied(folder))
      .flatMap(linkOnTheWay);
    const all = new Map([...links, ...toPrograms].map((link) => [link.path, link]));
    return { system, links: [...all.values()] };
  }

  #searchPath(): string[] {
    return (this.#env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  }

  #isEmptied(path: string): boolean {
    return [...this.#temporary, ...this.#closed].some((folder) => isInside(folder, path));
  }

  async #tryOut(): Promise<Availability> {
    const found = this.#member.find(this.#env["PATH"], [this.#projectDir, ...this.#temporary]);
    if (found.is === "missing") return found;
    this.#availability = found;
    const run = { own: { read: [], write: [] }, hidden: [], endedByItself: () => true };
    return tryOut(found, this.#projectDir, this.#env["PATH"], (request) => this.start(request, run));
  }
}

/** Those that are there and may be entered, where links lead. */
const places = (paths: readonly string[]) => {
  const real = paths.filter(isAbsolute).map((path) => realPath(path));
  return [...new Set(real)].filter((path) => statOf(path) !== undefined);
};
