import { createHash } from "node:crypto";
import { constants, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { thisProcess, type ProcessIdentity } from "wave-agent-sdk";
import { draftName, draftState } from "./draftOwner.ts";
import { makePrivateFolder, PRIVATE_FILE, reasonOf } from "./privateFile.ts";

/** The longest time a keystroke can be lost to kill -9. */
const WRITE_AFTER_MS = 400;

interface StoredDraft {
  readonly version: 1;
  readonly at: string;
  readonly text: string;
}

function isStoredDraft(value: unknown): value is StoredDraft {
  if (typeof value !== "object" || value === null || !("version" in value) || value.version !== 1)
    return false;
  const { at, text } = value as Partial<Record<keyof StoredDraft, unknown>>;
  return typeof at === "string" && typeof text === "string";
}

/** What was being typed and never sent. */
export interface FoundDrafts {
  /** All of it, oldest first; empty when there is nothing. */
  readonly text: string;
  /** How many of them processes left that are gone; they are this process's from now on. */
  readonly takenOver: number;
  /** Drafts whose process cannot be seen from here: they stay where they are. */
  readonly unseen: readonly string[];
}

export interface DraftOptions {
  readonly home: string;
  readonly projectDir: string;
  /** Who types. */
  readonly owner?: ProcessIdentity;
  /** Told once, in one sentence, when drafts cannot be written. */
  readonly onProblem?: (sentence: string) => void;
  readonly writeAfterMs?: number;
}

/**
 * Keeps what is being typed on disk, one file for each process and project folder, so that it survives kill -9. A change is on
 * disk at most `writeAfterMs` and one write later, however long the person goes on typing. Nobody touches a draft of a process
 * that lives.
 */
export class DraftKeeper {
  readonly #folder: string;
  readonly #project: string;
  readonly #owner: ProcessIdentity;
  readonly #options: DraftOptions;
  /** Drafts of others that are ours now, until the next change is on disk. */
  #adopted: string[] = [];
  #wanted: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #problemTold = false;

  constructor(options: DraftOptions) {
    this.#options = options;
    this.#folder = join(options.home, "drafts");
    this.#project = createHash("sha256").update(realPath(options.projectDir)).digest("hex").slice(0, 16);
    this.#owner = options.owner ?? thisProcess();
  }

  get file(): string {
    return this.#file();
  }

  /** What this process typed last and what those left that are gone, each draft for one taker only. */
  load(): FoundDrafts {
    const names = this.#names();
    this.#removeCopies(names);
    const found = names
      .map((name) => join(this.#folder, name))
      .map((file) => ({ file, state: draftState(file, this.#project, this.#owner), draft: readDraft(file) }));
    const own = found.filter(({ state }) => state === "own");
    this.#adopted = own.map(({ file }) => file).filter((file) => file !== this.file);
    const left = found.filter(({ file, state, draft }) => state === "left" && draft && this.#takesOver(file));
    const texts = [...own, ...left].flatMap(({ draft }) => (draft && draft.text !== "" ? [draft] : []));
    return {
      text: texts
        .toSorted((a, b) => a.at.localeCompare(b.at))
        .map(({ text }) => text)
        .join("\n"),
      takenOver: left.length,
      unseen: found.flatMap(({ file, state, draft }) => (state === "elsewhere" && draft ? [file] : [])),
    };
  }

  /** The person changed the text. */
  change(text: string): void {
    this.#wanted = text;
    this.#timer ??= setTimeout(() => void this.flush(), this.#options.writeAfterMs ?? WRITE_AFTER_MS);
  }

  /** The prompt was sent, or the draft was declined: nothing of it stays on disk. */
  clear(): Promise<void> {
    this.#wanted = "";
    return this.flush();
  }

  /** Resolves when everything said so far is on disk. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // One after the other: a write that overtook the removal after it would bring a sent prompt back.
    this.#writing = this.#writing.then(() => this.#carryOut());
    return this.#writing;
  }

  async #carryOut(): Promise<void> {
    const text = this.#wanted;
    if (text === undefined) return;
    this.#wanted = undefined;
    try {
      if (text === "") await this.#remove();
      else await this.#write(text);
    } catch (error) {
      this.#tellProblem(error);
    }
  }

  async #write(text: string): Promise<void> {
    makePrivateFolder(this.#folder);
    const temporary = this.file + COPY;
    const draft: StoredDraft = { version: 1, at: new Date().toISOString(), text };
    // A planted link is refused, not followed.
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
    const handle = await open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, PRIVATE_FILE);
    try {
      await handle.writeFile(JSON.stringify(draft));
    } finally {
      await handle.close();
    }
    // Whoever reads finds the old draft or the new one, never half of it.
    await rename(temporary, this.file);
    await this.#removeAdopted();
  }

  async #remove(): Promise<void> {
    await rm(this.file, { force: true });
    await this.#removeAdopted();
  }

  async #removeAdopted(): Promise<void> {
    for (const file of this.#adopted.splice(0)) await rm(file, { force: true });
  }

  /** False when another Wave was faster, or it cannot be done: then it is left to the next one. */
  #takesOver(file: string): boolean {
    try {
      // The first gets the name of our own draft: the next change then replaces it in one step.
      const isFirst =
        this.#adopted.length === 0 && statSync(this.file, { throwIfNoEntry: false }) === undefined;
      const mine = isFirst ? this.file : this.#file(this.#adopted.length + 1);
      renameSync(file, mine);
      if (!isFirst) this.#adopted.push(mine);
      return true;
    } catch {
      return false;
    }
  }

  #file(number?: number): string {
    return join(this.#folder, draftName(this.#project, this.#owner, number));
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => name.startsWith(this.#project));
    } catch {
      // No folder yet, or one that may not be read; the first write will tell.
      return [];
    }
  }

  /** A kill in the middle of a write leaves its half-written copy. */
  #removeCopies(names: readonly string[]): void {
    for (const name of names.filter((one) => one.endsWith(COPY))) {
      const owner = draftState(name.slice(0, -COPY.length), this.#project, this.#owner);
      if (owner === "left") rmSync(join(this.#folder, name), { force: true });
    }
  }

  #tellProblem(error: unknown): void {
    if (this.#problemTold) return;
    this.#problemTold = true;
    const why = `${this.file} cannot be written (${reasonOf(error)})`;
    this.#options.onProblem?.(`What you type would be lost in a crash: ${why}.`);
  }
}

const COPY = ".part";

/** Undefined: no draft, or not one that Wave wrote. It stays as it is. */
function readDraft(file: string): StoredDraft | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isStoredDraft(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // The folder was deleted, or may not be looked at: its name still has to give the same place every time.
    return resolve(path);
  }
}
