import { delimiter } from "node:path";
import { childEnvironment } from "../../utils/environment.ts";
import { searchFolders } from "../../utils/searchPath.ts";
import { runProcess } from "../../services/process.ts";

/** Who waits for an answer waits for a call that runs afterwards. */
const TIMEOUT_MS = 5_000;
/** The list of all files of a large repository. */
const MOST_BYTES = 32 * 1024 * 1024;

export interface PlumbingPlace {
  projectDir: string;
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** Why git said nothing that could be used. */
export class Unanswered extends Error {}

/** Variables with which git would work on something else than what lies in its folder. */
const ELSEWHERE =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_\w+|NAMESPACE|\w*REPLACE\w*|CEILING_DIRECTORIES|DEFAULT_\w+|ATTR_SOURCE)$/;

/** No pager, no file system monitor, no hook, no lock, and no way to fetch what is missing. */
const HARDENED =
  "--no-pager --no-optional-locks -c core.fsmonitor=false -c core.hooksPath=/dev/null -c protocol.allow=never".split(
    " ",
  );
const FOR_GIT = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};

/** git, asked in a folder in a way in which it starts no program that a repository names. The git of the project's own is not used. */
export class GitPlumbing {
  readonly #folder: string;
  readonly #signal: AbortSignal | undefined;
  readonly #env: Record<string, string>;
  readonly #timeoutMs: number;

  constructor(folder: string, { env, projectDir, signal, timeoutMs = TIMEOUT_MS }: PlumbingPlace) {
    this.#folder = folder;
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
    const own = Object.entries(childEnvironment(env).env);
    const elsewhere = own.find(([name]) => ELSEWHERE.test(name));
    if (elsewhere) throw new Unanswered(`${elsewhere[0]} is set, so git may work elsewhere`);
    this.#env = {
      // The settings that the real call would have.
      ...Object.fromEntries(own.filter(([name]) => !/^GIT_(?!CONFIG)/.test(name))),
      ...FOR_GIT,
      PATH: searchFolders(env["PATH"], projectDir).join(delimiter),
    };
  }

  async say(...args: string[]): Promise<string> {
    const { code, text } = await this.#run(args);
    if (code === 0) return text;
    throw new Unanswered(`git ${args[0]} says no in ${this.#folder}`);
  }

  /** Undefined when git says no. */
  async mayDeny(...args: string[]): Promise<string | undefined> {
    const { code, text } = await this.#run(args);
    return code === 0 ? text : undefined;
  }

  /** The ids of revisions; undefined for what there is not. One question for all of them. */
  async resolved(...revisions: string[]): Promise<(string | undefined)[]> {
    if (revisions.some((revision) => /[\n\0]/.test(revision)))
      throw new Unanswered("a revision has more than one line");
    const run = await this.#run(["cat-file", "--batch-check=%(objectname)"], `${revisions.join("\n")}\n`);
    if (run.code !== 0) throw new Unanswered("git could not look up its revisions");
    const ids = run.text.split("\n");
    return revisions.map((_, at) => /^[0-9a-f]{40,64}$/.exec(ids[at] ?? "")?.[0]);
  }

  async #run(args: readonly string[], stdin?: string): Promise<{ code: number; text: string }> {
    const run = await runProcess({
      file: "git",
      args: [...HARDENED, ...args],
      cwd: this.#folder,
      env: this.#env,
      ...(stdin === undefined ? {} : { stdin }),
      timeoutMs: this.#timeoutMs,
      ...(this.#signal && { signal: this.#signal }),
      keepBytes: MOST_BYTES,
    });
    if (run.end === "timed-out") throw new Unanswered("git took too long to say");
    if (run.end !== "exited") throw new Unanswered("git could not be asked");
    if (run.stdout.cut > 0) throw new Unanswered("git has more files than Wave reads");
    return { code: run.code, text: run.stdout.text };
  }
}
