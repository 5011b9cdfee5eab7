import type { Checkpoints } from "../messages/checkpoints.ts";
import type { FileChange, FileVersion } from "../messages/fileChanges.ts";
import type { FileCopies } from "./file/fileCopies.ts";
import type { ComingChange, FileJournal } from "../tools/fileJournal.ts";
import { readDiskFile } from "../tools/diskFile.ts";
import { explainFailure } from "../tools/explainFailure.ts";
import { resolveTarget } from "../tools/textFiles.ts";
import { sha256 } from "../utils/sha256.ts";
import type { SessionLog } from "./sessionLog.ts";

/** Source files are smaller; a copy of everything larger would fill the disk unseen. */
const MAX_KEPT_BYTES = 5 * 1024 * 1024;

/**
 * Keeps what is in a file before a tool changes it: first the contents, then the record that names them, both on disk before
 * the file is touched. After a crash at any moment a rewind finds either both or a change that was never made.
 */
export class SessionJournal implements FileJournal {
  readonly #copies: FileCopies;
  readonly #checkpoints: Checkpoints;
  readonly #log: SessionLog;
  readonly #onProblem: (text: string) => void;
  #told = new Set<string>();

  constructor(options: {
    copies: FileCopies;
    checkpoints: Checkpoints;
    log: SessionLog;
    onProblem: (text: string) => void;
  }) {
    this.#copies = options.copies;
    this.#checkpoints = options.checkpoints;
    this.#log = options.log;
    this.#onProblem = options.onProblem;
  }

  async willChange({ toolId, path, before, after }: ComingChange): Promise<void> {
    const next = await this.#version(path, after, before?.mode);
    const was = before ? await this.#version(path, before.bytes, before.mode) : null;
    this.#record({ path, before: was, after: next }, { by: "tool", toolId });
  }

  async changedByHooks(path: string, toolId: string): Promise<void> {
    const realPath = await resolveTarget(path).catch(() => path);
    const written = this.#checkpoints.lastChangeOf(realPath, toolId);
    const disk = written && (await readDiskFile(realPath));
    if (!disk || disk.found === "other") return;
    const now =
      disk.found === "file" ? await this.#version(realPath, disk.bytes, disk.stats.mode & 0o7777) : null;
    this.#record({ path: realPath, before: written.after, after: now }, { by: "hook", toolId });
  }

  #record(change: FileChange, who: { by: "tool" | "hook"; toolId: string }): void {
    if (change.before?.hash === change.after?.hash) return;
    this.#log.append({ type: "file_changed", ...change, ...who }, { sync: true });
  }

  async #version(path: string, bytes: Uint8Array, mode: number | undefined): Promise<FileVersion> {
    const hash = sha256(bytes);
    const why = await this.#keep(path, bytes, hash);
    return { hash, ...(mode === undefined ? {} : { mode }), ...(why === undefined ? {} : { notKept: why }) };
  }

  /** Undefined when it is kept; otherwise why not. */
  async #keep(path: string, bytes: Uint8Array, hash: string): Promise<string | undefined> {
    if (bytes.length > MAX_KEPT_BYTES) {
      return `it has ${Math.ceil(bytes.length / 1024 / 1024)} MB, and more than 5 MB are not kept`;
    }
    // Copies lie beside the session file: without one there is no place for them.
    if (!this.#log.isOpen) return "the session is not being saved";
    try {
      await this.#copies.keep(bytes, hash);
      return undefined;
    } catch (error) {
      const why = explainFailure("keep a copy of", path, error);
      if (!this.#told.has(why)) this.#onProblem(`${why} /rewind will not be able to undo this change.`);
      this.#told.add(why);
      return "it could not be written";
    }
  }
}
