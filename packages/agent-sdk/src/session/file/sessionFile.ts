import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
  type Stats,
} from "node:fs";
import { dirname } from "node:path";
import { PRIVATE_FILE } from "../../workspace/files/privateFile.ts";

/** Where a session is written anew. Only the holder of its lock does so. */
export const newFileOf = (sessionFile: string) => `${sessionFile}.new`;

const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const CHUNK = 1024 * 1024;
const NEWLINE = 0x0a;

/** What others have done to a file that is open here. */
export type FileState =
  | "as-left"
  /** Its name leads nowhere: what is written to it is not found again. */
  | "gone"
  /** Its name leads to another file. */
  | "replaced"
  /** Something of it is missing. */
  | "shortened"
  /** Somebody else wrote at its end. */
  | "grown";

/**
 * A session file that is open for appending. Everything here throws the system's own error (ENOSPC, EROFS, …).
 * The descriptor is close-on-exec, as Node opens every file: tools and hooks do not inherit it.
 *
 * After a sync that failed the system believes that it has written everything, and the next sync succeeds without a word
 * (G55). So what was written since the last good one stays in memory until then, and after a failure the session goes on in
 * a new file: what the disk has confirmed, and the rest from memory.
 */
export class SessionFile {
  readonly #path: string;
  #fd: number;
  /** After an append that failed and could not be taken back: the size to return to before anything else is written. */
  #takeBackTo: number | undefined;
  /** How many bytes it has, as far as nobody else changes it. */
  #size: number;
  /** So many bytes at the beginning are on the disk; what follows them is here, too. */
  #confirmed: number;
  #unconfirmed: Uint8Array[] = [];
  #state: "good" | "doubtful" = "good";
  /** Some network disks give a file another number for every look. */
  readonly #isFoundByName: boolean;

  constructor(path: string) {
    this.#path = path;
    // Readable as well, to find out how the file ends. A planted link is refused, not followed.
    this.#fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, PRIVATE_FILE);
    try {
      const stat = fstatSync(this.#fd);
      if (!stat.isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: "ENOTFILE" });
      if ((stat.mode & 0o777) !== PRIVATE_FILE) fchmodSync(this.#fd, PRIVATE_FILE);
      this.#confirmed = this.#size = stat.size;
      const named = fileAt(path);
      this.#isFoundByName = named !== undefined && isSameFile(named, stat);
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  get fd(): number {
    return this.#fd;
  }

  get size(): number {
    return this.#size;
  }

  /** What others have done to it. `byName`: also to its name, which takes one more look at the disk. */
  look({ byName }: { byName: boolean }): FileState {
    const stat = fstatSync(this.#fd);
    if (stat.nlink === 0) return "gone";
    const named = byName && this.#isFoundByName ? fileAt(this.#path) : stat;
    if (!named) return "gone";
    if (!isSameFile(named, stat)) return "replaced";
    // What a failed append has left is cut off before the next one.
    if (this.#takeBackTo !== undefined || stat.size === this.#size) return "as-left";
    return stat.size < this.#size ? "shortened" : "grown";
  }

  /** What somebody else wrote at its end stays; half a line of theirs must not swallow the next one. */
  takeIn(): void {
    this.#size = fstatSync(this.#fd).size;
    const last = Buffer.alloc(1);
    readSync(this.#fd, last, 0, 1, this.#size - 1);
    if (last[0] !== NEWLINE) this.append(Buffer.from([NEWLINE]), { sync: false });
  }

  /** All of it or nothing: when it throws, the file is as it was before. */
  append(bytes: Uint8Array, { sync }: { sync: boolean }): void {
    if (this.#state === "doubtful") this.#goOnInNewFile();
    if (this.#takeBackTo !== undefined) this.#takeBack(this.#takeBackTo);
    const before = this.#size;
    try {
      writeWhole(this.#fd, bytes);
      this.#size = before + bytes.length;
      if (sync) this.#sync();
    } catch (error) {
      // Half a line left here would swallow the first record after it.
      this.#takeBackTo = before;
      this.#tryTakeBack(before);
      throw error;
    }
    if (sync) this.#confirmAll();
    else this.#unconfirmed.push(bytes);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #sync(): void {
    try {
      fdatasyncSync(this.#fd);
    } catch (error) {
      this.#state = "doubtful";
      throw error;
    }
  }

  #confirmAll(): void {
    this.#confirmed = this.#size;
    this.#unconfirmed = [];
  }

  /** These bytes in the place of all that it had. */
  replaceBy(bytes: Uint8Array): void {
    this.#confirmed = 0;
    this.#unconfirmed = [bytes];
    this.#goOnInNewFile();
  }

  /** The old file keeps its name until the new one is whole and on the disk. */
  #goOnInNewFile(): void {
    const path = newFileOf(this.#path);
    rmSync(path, { force: true });
    const fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE_FILE);
    try {
      copyBytes(this.#fd, fd, this.#confirmed);
      for (const bytes of this.#unconfirmed) writeWhole(fd, bytes);
      fsyncSync(fd);
      renameSync(path, this.#path);
    } catch (error) {
      closeSync(fd);
      rmSync(path, { force: true });
      throw error;
    }
    syncFolder(dirname(this.#path));
    closeSync(this.#fd);
    this.#fd = fd;
    this.#size = this.#confirmed + this.#unconfirmed.reduce((sum, bytes) => sum + bytes.length, 0);
    this.#takeBackTo = undefined;
    this.#state = "good";
    this.#confirmAll();
  }

  #takeBack(size: number): void {
    ftruncateSync(this.#fd, size);
    this.#size = size;
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

function fileAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    // ENOENT, ENOTDIR: it is gone. EACCES: nobody finds it there.
    return undefined;
  }
}

const isSameFile = (a: Stats, b: Stats) => a.ino === b.ino && a.dev === b.dev;

/** One write for all lines. It is short only when the disk is full, and then the next one says so. */
function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}

function copyBytes(from: number, to: number, size: number): void {
  const chunk = Buffer.alloc(Math.min(CHUNK, size));
  for (let at = 0; at < size;) {
    const read = readSync(from, chunk, 0, Math.min(chunk.length, size - at), at);
    if (read === 0) throw Object.assign(new Error("the session file became shorter"), { code: "EIO" });
    writeWhole(to, chunk.subarray(0, read));
    at += read;
  }
}

/** Makes a rename survive a power cut, where the file system can do that. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // EINVAL, EACCES: not possible here. The file is whole under either of its contents.
  }
}
