import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startOf, thisProcess } from "../workspace/files/lockHolder.ts";
import { processName } from "./processName.ts";

/** What is on disk only for a while. */
export type Temporary =
  | "file"
  /** With all that is in it. */
  | "folder"
  /** Whatever somebody put something into is theirs, and stays. */
  | "empty-file"
  | "empty-folder";

/** What a note says; `leftovers.ts` reads it. */
export type RunNote =
  | { is: "process"; runId: string; pid?: number; started?: string }
  | { is: "path"; path: string; what: Temporary };

/** The name of everything that is made for a moment: nothing else is ever removed by its note. */
export const temporaryName = () => `.wave-${randomBytes(6).toString("hex")}.tmp`;
export const isTemporaryName = (name: string) => /^\.wave-[0-9a-f]{12}\.tmp$/.test(name);

/** Where the notes of all Waves are, a folder for each. */
export const registersOf = (home: string) => join(home, "running");

/** Of the folder of notes: its process, and a number that tells agents of one process apart. */
export const REGISTER_NAME = /^(?<process>.+)\.[0-9a-f]{8}$/;

/**
 * What a running Wave would leave behind if it were killed: processes that it waits for or watches, and files that are there for
 * a moment. Each is noted on disk before it comes to be, so the next Wave can end and remove it (G48). What a hook or command
 * left in the background on purpose is not noted, and lives on.
 */
export class RunRegister {
  readonly #home: string;
  #folder: string | undefined;
  #temporary: string | undefined;
  #notes = 0;

  constructor(home: string) {
    this.#home = home;
  }

  /** Before a process is started. What comes of it carries its run id. */
  starting(runId: string): void {
    this.#write(runId, { is: "process", runId }, "wx");
  }

  /** Without /proc nobody finds it by its run id. */
  started(runId: string, pid: number): void {
    // Over what is there, which is shorter: no moment is without a note.
    this.#write(runId, { is: "process", runId, pid, started: startOf(pid) }, "r+");
  }

  ended(runId: string): void {
    this.#remove(runId);
  }

  /** Before something is made that will be gone again soon. Returns what to call then. */
  making(path: string, what: Temporary): () => void {
    const name = `path-${++this.#notes}`;
    this.#write(name, { is: "path", path, what }, "wx");
    return () => this.#remove(name);
  }

  /** A folder of this Wave's own among the temporary files of the system, which commands in the sandbox can write. */
  temporaryFolder(): string {
    // Something that tidies up may have removed it, and somebody else may have put one in its place.
    if (this.#temporary === undefined || !isOwnFolder(this.#temporary)) {
      const folder = join(tmpdir(), temporaryName());
      this.making(folder, "folder");
      mkdirSync(folder, 0o700);
      this.#temporary = folder;
    }
    return this.#temporary;
  }

  close(): void {
    if (this.#temporary !== undefined) attempt(removing(this.#temporary));
    if (this.#folder !== undefined) attempt(removing(this.#folder));
    this.#folder = undefined;
    this.#temporary = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #write(name: string, note: RunNote, flag: "wx" | "r+"): void {
    attempt(() => {
      if (this.#folder === undefined) {
        const folder = join(
          registersOf(this.#home),
          `${processName(thisProcess())}.${randomBytes(4).toString("hex")}`,
        );
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        this.#folder = folder;
      }
      writeFileSync(join(this.#folder, name), JSON.stringify(note), { mode: 0o600, flag });
    });
  }

  #remove(name: string): void {
    const folder = this.#folder;
    if (folder !== undefined) attempt(() => rmSync(join(folder, name), { force: true }));
  }
}

const removing = (path: string) => () => rmSync(path, { recursive: true, force: true });

function isOwnFolder(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  const isOurs = process.getuid === undefined || stat?.uid === process.getuid();
  return stat?.isDirectory() === true && (stat.mode & 0o777) === 0o700 && isOurs;
}

/** A disk that takes no notes must not keep a hook from running; all that is lost is the tidying after a kill. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // EROFS, ENOSPC, EACCES: told elsewhere, when the session cannot be saved.
  }
}
