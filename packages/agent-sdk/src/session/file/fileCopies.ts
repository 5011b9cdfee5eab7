import { copyFile, link, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../utils/sha256.ts";
import { temporaryName, type RunRegister } from "../../process/runRegister.ts";
import { makePrivateFolder, PRIVATE_FILE } from "../../workspace/files/privateFile.ts";

/**
 * What was in files before Wave changed them: one file for each content, named by its hash, in a folder beside the session.
 * Nothing in it is ever changed.
 */
export class FileCopies {
  readonly #folder: string;
  readonly #register: RunRegister | undefined;

  constructor(folder: string, register?: RunRegister) {
    this.#folder = folder;
    this.#register = register;
  }

  /** Resolves when the content is on disk under this hash. Rejects with the system's error. */
  async keep(bytes: Uint8Array, hash: string): Promise<void> {
    if (await this.read(hash)) return;
    makePrivateFolder(this.#folder);
    const temporary = join(this.#folder, temporaryName());
    const isGone = this.#register?.making(temporary, "file");
    try {
      // "wx" creates: a planted link of that name is refused, not followed.
      const file = await open(temporary, "wx", PRIVATE_FILE);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.#fileOf(hash));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    } finally {
      isGone?.();
    }
  }

  /** Undefined when there is no copy, or it is no longer what was kept. */
  async read(hash: string): Promise<Buffer | undefined> {
    if (!isHash(hash)) return undefined;
    try {
      const bytes = await readFile(this.#fileOf(hash));
      return sha256(bytes) === hash ? bytes : undefined;
    } catch {
      // ENOENT: never kept, or deleted. EACCES, EIO: as good as gone.
      return undefined;
    }
  }

  /** Has from now on also what another session kept: its copies may be deleted, these stay. */
  async adopt(other: FileCopies): Promise<void> {
    const names = (await readdir(other.#folder).catch((): string[] => [])).filter(isHash);
    if (names.length > 0) makePrivateFolder(this.#folder);
    for (const name of names) {
      const [from, to] = [join(other.#folder, name), join(this.#folder, name)];
      await link(from, to).catch(() => copyFile(from, to));
    }
  }

  #fileOf(hash: string): string {
    return join(this.#folder, hash);
  }
}

const isHash = (name: string) => /^[0-9a-f]{64}$/.test(name);
