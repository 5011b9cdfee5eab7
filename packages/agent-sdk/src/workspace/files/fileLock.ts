import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../../utils/errorCode.ts";
import { lockState } from "./lockBeat.ts";
import { parseHolder, stateOf, thisProcess, type LockHolder } from "./lockHolder.ts";
import { PRIVATE_FILE } from "./privateFile.ts";

/**
 * Makes this caller the only holder of a lock file, and returns what undoes it. Throws what `refusal` makes of a holder that
 * may be alive (also in this process), and the system's error when no lock can be written.
 */
export function takeLock(lock: string, refusal: (holder: LockHolder) => Error): () => void {
  const mine = JSON.stringify(thisProcess());
  take(lock, mine, refusal);
  return () => release(lock, mine);
}

function release(lock: string, mine: string): void {
  try {
    // Only one's own: somebody may have removed the lock by hand and taken it.
    if (readLock(lock) === mine) unlinkSync(lock);
  } catch {
    // The disk became read-only or the folder is gone. A lock that stays is replaced as soon as this process is dead.
  }
}

/**
 * A lock whose process is dead is replaced, never deleted: two processes that both find it dead would otherwise
 * delete each other's new one. Who may replace it is itself decided by a lock, named after the dead one's content, so
 * that only one process can ever succeed it, also when the successor dies half way.
 */
function take(lock: string, mine: string, refusal: (holder: LockHolder) => Error): void {
  while (!createLock(lock, mine)) {
    const content = settledContent(lock);
    if (content === undefined) continue;
    const holder = parseHolder(content);
    if (holder && lockState(lock, holder) !== "dead") throw refusal(holder);
    const succession = takeSuccession(lock, content, mine, refusal);
    if (succession === undefined) continue;
    try {
      if (readLock(lock) === content) {
        renameSync(succession, lock);
        return;
      }
    } catch (error) {
      unlinkIfThere(succession);
      throw error;
    }
    // Somebody else succeeded before: the dead lock this succession was about is gone.
    unlinkIfThere(succession);
  }
}

/** Undefined: somebody else has just replaced or removed the dead lock. */
function takeSuccession(
  lock: string,
  content: string,
  mine: string,
  refusal: (holder: LockHolder) => Error,
): string | undefined {
  const succession = successionOf(lock, content);
  for (let waited = 0; readLock(lock) === content; waited += SHORT_MS) {
    let successor: LockHolder | undefined;
    try {
      take(succession, mine, (holder) => {
        successor = holder;
        return refusal(holder);
      });
      return succession;
    } catch (error) {
      // Whoever may replace it does so in a moment.
      if (!successor || waited >= LONGEST_MS) throw error;
      pause(SHORT_MS);
    }
  }
  return undefined;
}

const SHORT_MS = 5;
const LONGEST_MS = 200;

/**
 * Removes a lock whose process is dead, after `tidy` has removed what came with it: nobody else can have the lock meanwhile.
 * Nothing happens to a lock whose process may be alive.
 */
export function removeDeadLock(lock: string, tidy: () => void): void {
  const content = readLock(lock);
  const holder = parseHolder(content ?? "");
  if (content === undefined || !holder || lockState(lock, holder) !== "dead") return;
  const succession = takeSuccession(lock, content, JSON.stringify(thisProcess()), () => new Error("taken"));
  if (succession === undefined) return;
  try {
    if (readLock(lock) !== content) return;
    tidy();
    removeLockLeftovers(lock);
    unlinkIfThere(lock);
  } finally {
    unlinkIfThere(succession);
  }
}

/**
 * Removes what processes left that died while they wanted this lock. Only for its holder: as long as the lock is held by
 * somebody alive, who may succeed a dead one decides nothing.
 */
export function removeLockLeftovers(lock: string): void {
  for (const name of readdirSync(dirname(lock))) {
    if (!name.startsWith(`${basename(lock)}.`)) continue;
    const path = join(dirname(lock), name);
    const holder = parseHolder(readLock(path) ?? "");
    if (holder ? stateOf(holder) === "dead" : isOld(path)) unlinkIfThere(path);
  }
}

/** Whoever wants the lock writes its name within a moment: what is empty for longer was left by somebody who died. */
function isOld(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > 60_000;
}

/** The lock that decides who replaces a dead lock with this content. */
export function successionOf(lock: string, content: string): string {
  return `${lock}.${createHash("sha256").update(content).digest("hex").slice(0, 16)}`;
}

/** False when the lock exists. It appears together with its content: no process ever finds it half written. */
function createLock(lock: string, mine: string): boolean {
  const draft = `${lock}.${process.pid}-${randomBytes(6).toString("hex")}`;
  createFile(draft, mine);
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (code === "EEXIST") return false;
    if (NO_LINKS.has(code)) return createWithoutLink(lock, mine);
    throw error;
  } finally {
    unlinkIfThere(draft);
  }
}

/** What a file system without hard links answers. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

function createWithoutLink(lock: string, mine: string): boolean {
  try {
    createFile(lock, mine);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function createFile(path: string, content: string): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE_FILE);
  try {
    writeSync(fd, content);
  } catch (error) {
    unlinkIfThere(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** A lock without a readable holder counts as dead, but not before a writer without hard links had time to fill it. */
function settledContent(lock: string): string | undefined {
  const content = readLock(lock);
  if (content === undefined || parseHolder(content)) return content;
  pause(250);
  return readLock(lock);
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Undefined when there is no lock; "" when what has its name is no file. */
function readLock(lock: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(lock, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return readFileSync(fd, "utf8");
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP" || code === "EISDIR") return "";
    throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
