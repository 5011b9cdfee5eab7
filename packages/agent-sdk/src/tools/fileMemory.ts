import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { resolveTarget } from "./textFiles.ts";

/**
 * What the session last saw of each file: a write is refused when the file on disk is no longer that. Files are told
 * apart by their real path and compared by content: a time stamp can stay the same over a change, and can change
 * without one.
 */
export class FileMemory {
  readonly #hashes = new Map<string, string>();
  /** Files somebody else was found to have changed: only reading them again helps. */
  readonly #changed = new Set<string>();

  remember(realPath: string, hash: string): void {
    this.#hashes.set(realPath, hash);
    this.#changed.delete(realPath);
  }

  /** After a rewind: what the conversation no longer shows has to be read again before it is overwritten. */
  forgetAll(): void {
    this.#hashes.clear();
    this.#changed.clear();
  }

  /** Why the file must not be overwritten; undefined when it is what the session last saw. */
  objection(path: string, file: { realPath: string; hash: string }): string | undefined {
    const seen = this.#hashes.get(file.realPath);
    if (seen === undefined) return `${path} exists and has not been read in this session. Read it first.`;
    if (seen === file.hash) return undefined;
    this.#changed.add(file.realPath);
    return `${path} has changed since it was read. Read it again first.`;
  }

  /**
   * For a file that something other than a tool may have changed with Wave's knowledge, such as a formatter that runs as a
   * hook after an edit (T186): what is on disk counts as seen. Resolves to whether it had changed. A file whose edit was
   * refused is left alone: otherwise the next edit would overwrite what nobody has read.
   */
  async refreshIfKnown(path: string): Promise<boolean> {
    const realPath = await resolveTarget(path).catch(() => path);
    const seen = this.#hashes.get(realPath);
    if (seen === undefined || this.#changed.has(realPath)) return false;
    const now = await hashOfFile(realPath);
    if (now === undefined) this.#hashes.delete(realPath);
    else this.#hashes.set(realPath, now);
    return now !== seen;
  }
}

async function hashOfFile(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    // Another program may have put a pipe there, and nobody would ever write to it.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK;
    await using file = await open(path, flags);
    if (!(await file.stat()).isFile()) return undefined;
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk);
  } catch {
    // Gone or unreadable: the session no longer knows what is in it.
    return undefined;
  }
  return hash.digest("hex");
}
