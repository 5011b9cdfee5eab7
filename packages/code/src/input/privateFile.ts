import { closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync } from "node:fs";

/** What a person types is nobody else's business. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/** Opens a file for appending that only its owner can read, also when it was there before with another mode. */
export function openToAppend(path: string): number {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  // A planted link is refused, not followed.
  const fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, PRIVATE_FILE);
  try {
    if ((fstatSync(fd).mode & 0o777) !== PRIVATE_FILE) fchmodSync(fd, PRIVATE_FILE);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The system's word for what went wrong: EACCES, ENOSPC, … */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
