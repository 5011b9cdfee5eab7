import { tmpdir } from "node:os";
import { delimiter, isAbsolute, resolve } from "node:path";
import { isInside } from "../../permissions/paths.ts";
import { readOnlyPlan, type HiddenPlace } from "../../permissions/readOnlyPlan.ts";
import type { ProcessRequest, RunningProcess } from "../../services/process.ts";
import { readingEnvironment } from "../../utils/environment.ts";
import { once } from "../../utils/once.ts";
import { exists, realPath } from "../files/fileFacts.ts";
import { commonDirOf, repositoryAt } from "../git/gitFacts.ts";
import { personHome } from "../personHome.ts";
import { findBubblewrap, runInBubblewrap, tryOut, type Availability } from "./bubblewrap.ts";
import { SocketsOutside } from "./sockets.ts";

export interface ReadingRun {
  /** Files of Wave's own that the command needs, and those that its shell writes. */
  own: { read: readonly string[]; write: readonly string[] };
  /** What rules keep back. */
  hidden: readonly HiddenPlace[];
  /** See `startIn`. */
  endedByItself: () => boolean;
}

/** What commands run in that nobody said yes to: they read, and can do nothing else. See decision 0019. */
export class ReadOnlySandbox {
  readonly #projectDir: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #home: string;
  readonly #temporary: readonly string[];
  readonly #sockets: () => SocketsOutside;
  #availability: Availability = { is: "missing", why: "it was not looked for" };
  #looking: Promise<Availability> | undefined;

  constructor(place: { projectDir: string; env: Readonly<Record<string, string | undefined>> }) {
    const { projectDir, env } = place;
    this.#projectDir = realPath(projectDir);
    this.#env = env;
    this.#home = realPath(personHome(env));
    const temporary = ["/tmp", "/var/tmp", tmpdir(), env["TMPDIR"] ?? "/tmp"];
    this.#temporary = [
      ...new Set(temporary.filter(isAbsolute).map((path) => realPath(resolve(path)))),
    ].filter(exists);
    const replaced = [...this.#temporary, ...CLOSED];
    // It looks through the home, once.
    this.#sockets = once(() => new SocketsOutside({ home: this.#home, replaced }));
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
  start(request: ProcessRequest, run: ReadingRun): RunningProcess {
    const { own, hidden, endedByItself } = run;
    const env = readingEnvironment(request.env);
    const { cwd } = request;
    const plan = readOnlyPlan({
      cwd,
      asRoot: process.getuid?.() === 0,
      temporary: this.#temporary,
      closed: CLOSED.filter(exists),
      kept: [...this.#kept(), realPath(cwd), ...own.read],
      hidden: [
        ...hidden,
        ...this.#sockets()
          .paths()
          .map((path) => ({ path, isFolder: false })),
      ],
      written: own.write,
    });
    const program = this.#availability.is === "there" ? this.#availability.program : "bwrap";
    return runInBubblewrap(program, plan, { ...request, env }, endedByItself);
  }

  /** What a command needs although it may lie in a folder that is emptied for it. */
  #kept(): string[] {
    const repository = repositoryAt(this.#projectDir);
    const path = (this.#env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
    const places = [
      this.#projectDir,
      this.#home,
      ...(repository
        ? [repository.gitDir, commonDirOf(repository.gitDir)].map((folder) => realPath(folder))
        : []),
      ...path,
    ];
    const emptied = [...this.#temporary, ...CLOSED];
    return places.filter((place) => emptied.some((folder) => isInside(folder, place)) && exists(place));
  }

  async #tryOut(): Promise<Availability> {
    const found = findBubblewrap(this.#env["PATH"], [this.#projectDir, ...this.#temporary]);
    if (found.is === "missing") return found;
    this.#availability = found;
    const run = { own: { read: [], write: [] }, hidden: [], endedByItself: () => true };
    return tryOut(found, this.#projectDir, this.#env["PATH"], (request) => this.start(request, run));
  }
}

/** Where programs of the system and of the person listen. */
const CLOSED = ["/run"];
