import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  type Stats,
} from "node:fs";
import { errorCode } from "../../utils/errorCode.ts";

/** What is there is no file that Wave reads: a pipe would keep it waiting for ever, a device has no end, or it is too long. */
export class NotPlainFile extends Error {
  readonly code: "ENOTFILE" | "EFBIG";

  constructor(code: NotPlainFile["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Settings, scripts, package files: nobody writes longer ones by hand. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The content of a file that others may have put where it is, as a project's own files are. Only regular files of a bounded
 * length are read, and never by waiting for somebody: throws NotPlainFile, or the system's error.
 */
export function readPlainFile(path: string, most = MOST_BYTES): Buffer {
  return opened(path, most, (descriptor, { size }) => readToEnd(descriptor, size, most));
}

/** The content of whatever can be read to an end, such as the pipe of a `<(…)` that a person named. Waits for it. */
export function readStream(path: string, most = MOST_BYTES): Buffer {
  const descriptor = openSync(path, "r");
  try {
    return readToEnd(descriptor, 0, most);
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined when there is nothing that could be read. */
export function plainFileAt(path: string, most?: number): Buffer | undefined {
  try {
    return readPlainFile(path, most);
  } catch {
    // Not there, not ours to read, or no file.
    return undefined;
  }
}

/** The beginning of a file of any length, and how long it is. Throws as `readPlainFile` does. */
export function readPlainStart(path: string, bytes: number): { bytes: Buffer; size: number } {
  return opened(path, Infinity, (descriptor, { size }) => {
    const start = Buffer.alloc(bytes);
    return { bytes: start.subarray(0, readSync(descriptor, start, 0, bytes, 0)), size };
  });
}

/** Undefined when it cannot be read. */
export function fileStart(path: string, bytes: number): Buffer | undefined {
  try {
    return readPlainStart(path, bytes).bytes;
  } catch {
    // ENOENT or EACCES: there is nothing to see. EMFILE: the caller is about to hear of that anyway.
    return undefined;
  }
}

function opened<T>(path: string, most: number, read: (descriptor: number, stats: Stats) => T): T {
  const descriptor = openPlainFile(path, most);
  try {
    return read(descriptor, fstatSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** Why a file cannot be read, in words; undefined when it can, and when nothing has that name. */
export function whyUnreadable(path: string): string | undefined {
  try {
    closeSync(openPlainFile(path));
    return undefined;
  } catch (error) {
    if (error instanceof NotPlainFile) return error.message;
    const code = errorCode(error);
    if (code === "ELOOP") return "it is a link that leads in a circle";
    if (code !== "ENOENT") return `the system does not let it be read (${code})`;
    return lstatSync(path, { throwIfNoEntry: false }) && "it is a link that leads nowhere";
  }
}

/** Open for reading, for whoever reads it piece by piece and closes it. Throws as `readPlainFile` does. */
export function openPlainFile(path: string, most = Infinity): number {
  // Before it is opened: to open a device can set something off.
  checkPlain(statSync(path), most);
  const descriptor = openSync(path, NOT_WAITING);
  try {
    // Again, of what was opened: it may be another one by now.
    checkPlain(fstatSync(descriptor), most);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

const NOT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

function checkPlain(stats: Stats, most: number): void {
  if (!stats.isFile()) throw new NotPlainFile("ENOTFILE", `it is ${kindOf(stats)}, not a regular file`);
  if (stats.size > most) throw tooLong(most);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  return "a device";
}

const tooLong = (most: number) =>
  new NotPlainFile("EFBIG", `it has more than ${Math.floor(most / (1024 * 1024))} MB`);

/** To its end and not to its size: what lies in /proc says that it has none. */
function readToEnd(descriptor: number, size: number, most: number): Buffer {
  const pieces: Buffer[] = [];
  let length = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(Math.max(size - length, 0) + 4_096);
    const read = readSync(descriptor, piece, 0, piece.length, null);
    if (read === 0) return Buffer.concat(pieces, length);
    pieces.push(piece.subarray(0, read));
    length += read;
    if (length > most) throw tooLong(most);
  }
}
