import { createHash, randomUUID } from "node:crypto";
import { constants, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { makePrivateFolder, PRIVATE_FILE, reasonOf } from "./privateFile.ts";

/** The longest time a keystroke can be lost to kill -9. */
const WRITE_AFTER_MS = 400;

interface StoredDraft {
  readonly version: 1;
  readonly id: string;
  readonly at: string;
  readonly text: string;
}

// By hand: the first frame shows the draft, and must not wait until a library for schemas is loaded.
function isStoredDraft(value: unknown): value is StoredDraft {
  if (typeof value !== "object" || value === null || !("version" in value) || value.version !== 1)
    return false;
  const { id, at, text } = value as Partial<Record<keyof StoredDraft, unknown>>;
  return typeof id === "string" && typeof at === "string" && typeof text === "string";
}

export interface Draft {
  readonly text: string;
  /** When it was written. */
  readonly at: string;
}

export interface DraftOptions {
  readonly home: string;
  readonly projectDir: string;
  /** Told once, in one sentence, when drafts cannot be written. */
  readonly onProblem?: (sentence: string) => void;
  readonly writeAfterMs?: number;
}

export function draftFile(home: string, projectDir: string): string {
  const hash = createHash("sha256").update(realPath(projectDir)).digest("hex").slice(0, 16);
  return join(home, "drafts", `${hash}.json`);
}

/**
 * Keeps what is being typed on disk, one file for each project folder, so that it survives kill -9. A change is on
 * disk at most `writeAfterMs` and one write later, however long the person goes on typing.
 */
export class DraftKeeper {
  readonly #file: string;
  readonly #home: string;
  readonly #options: DraftOptions;
  /** Drafts of ours: the one found at the start and our own. Another Wave's in the same folder is left alone. */
  readonly #own = new Set<string>();
  readonly #id = randomUUID();
  #wanted: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #problemTold = false;

  constructor(options: DraftOptions) {
    this.#options = options;
    this.#home = options.home;
    this.#file = draftFile(options.home, options.projectDir);
    this.#own.add(this.#id);
  }

  /** What was being typed when Wave last ended without sending it. */
  load(): Draft | undefined {
    removeOldCopies(this.#file);
    const found = this.#read();
    if (found === undefined || found.text === "") return undefined;
    this.#own.add(found.id);
    return { text: found.text, at: found.at };
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
    makePrivateFolder(join(this.#home, "drafts"));
    const temporary = `${this.#file}.${this.#id}`;
    const draft: StoredDraft = { version: 1, id: this.#id, at: new Date().toISOString(), text };
    // A planted link is refused, not followed.
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
    const handle = await open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, PRIVATE_FILE);
    try {
      await handle.writeFile(JSON.stringify(draft));
    } finally {
      await handle.close();
    }
    // Whoever reads finds the old draft or the new one, never half of it.
    await rename(temporary, this.#file);
  }

  async #remove(): Promise<void> {
    const found = this.#read();
    if (found !== undefined && !this.#own.has(found.id)) return;
    await rm(this.#file, { force: true });
  }

  #read(): StoredDraft | undefined {
    try {
      const found: unknown = JSON.parse(readFileSync(this.#file, "utf8"));
      return isStoredDraft(found) ? found : undefined;
    } catch {
      // No draft, or not one that Wave wrote: nothing to offer. The next change writes over it.
      return undefined;
    }
  }

  #tellProblem(error: unknown): void {
    if (this.#problemTold) return;
    this.#problemTold = true;
    const why = `${this.#file} cannot be written (${reasonOf(error)})`;
    this.#options.onProblem?.(`What you type would be lost in a crash: ${why}.`);
  }
}

/** A kill in the middle of a write leaves its half-written copy; nobody still writes one this old. */
function removeOldCopies(file: string): void {
  try {
    for (const name of readdirSync(dirname(file))) {
      const path = join(dirname(file), name);
      const isCopy = name.startsWith(`${basename(file)}.`);
      if (isCopy && Date.now() - statSync(path).mtimeMs > 60_000) rmSync(path, { force: true });
    }
  } catch {
    // No folder yet, or one that cannot be changed; the first write will tell.
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
