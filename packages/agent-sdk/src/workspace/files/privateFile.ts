import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../../utils/errorCode.ts";

/** The mode of everything Wave keeps for one person: nobody else may read it. */
export const PRIVATE_FILE = 0o600;

/**
 * Makes a folder and the ones above it. Not Node's own `recursive`, which reports a read-only disk as a folder that
 * does not exist.
 */
export function makePrivateFolder(path: string): void {
  const first = whyNotMade(path);
  if (first === undefined) return;
  if (errorCode(first) !== "ENOENT" || dirname(path) === path) throw first;
  makePrivateFolder(dirname(path));
  // Once more, and not as often as it takes: /proc is there, and says of everything in it that it does not exist.
  const second = whyNotMade(path);
  if (second !== undefined) throw second;
}

/** Undefined when the folder is there now. */
function whyNotMade(path: string): unknown {
  try {
    mkdirSync(path, 0o700);
    return undefined;
  } catch (error) {
    const isThere = errorCode(error) === "EEXIST" && statSync(path, { throwIfNoEntry: false })?.isDirectory();
    return isThere ? undefined : error;
  }
}
