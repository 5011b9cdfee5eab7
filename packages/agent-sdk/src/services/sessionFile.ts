import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../utils/errorCode.ts";

/** The mode of everything a session leaves on disk: nobody else may read it. */
export const PRIVATE_FILE = 0o600;

/**
 * Makes a folder and the ones above it. Not Node's own `recursive`, which reports a read-only disk as a folder that
 * does not exist.
 */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST" && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    makePrivateFolder(dirname(path));
    makePrivateFolder(path);
  }
}

/**
 * A session file that is open for appending. Everything here throws the system's own error (ENOSPC, EROFS, …).
 * The descriptor is close-on-exec, as Node opens every file: tools and hooks do not inherit it.
 */
export class SessionFile {
  readonly fd: number;
  /** After an append that failed and could not be taken back: the size to return to before anything else is written. */
  #takeBackTo: number | undefined;

  constructor(path: string) {
    // Readable as well, to find out how the file ends. A planted link is refused, not followed.
    const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
    this.fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, PRIVATE_FILE);
    try {
      const stat = fstatSync(this.fd);
      if (!stat.isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: "ENOTFILE" });
      if ((stat.mode & 0o777) !== PRIVATE_FILE) fchmodSync(this.fd, PRIVATE_FILE);
    } catch (error) {
      closeSync(this.fd);
      throw error;
    }
  }

  get size(): number {
    return fstatSync(this.fd).size;
  }

  /** The file has no name any more: what is written to it can never be read again. */
  get isDeleted(): boolean {
    return fstatSync(this.fd).nlink === 0;
  }

  /** All of it or nothing: when it throws, the file is as it was before. */
  append(bytes: Uint8Array, { sync }: { sync: boolean }): void {
    if (this.#takeBackTo !== undefined) this.#takeBack(this.#takeBackTo);
    const before = this.size;
    try {
      // One write for all lines. It is short only when the disk is full, and then the next one says so.
      for (let done = 0; done < bytes.length;) done += writeSync(this.fd, bytes, done);
      if (sync) fdatasyncSync(this.fd);
    } catch (error) {
      // Half a line left here would swallow the first record after it.
      this.#takeBackTo = before;
      this.#tryTakeBack(before);
      throw error;
    }
  }

  close(): void {
    closeSync(this.fd);
  }

  #takeBack(size: number): void {
    ftruncateSync(this.fd, size);
    this.#takeBackTo = undefined;
  }

  #tryTakeBack(size: number): void {
    try {
      this.#takeBack(size);
    } catch {
      // The disk is failing altogether. The error of the write is the one to report; the next append begins here.
    }
  }
}
