import { closeSync, openSync, readSync } from "node:fs";

/** The first bytes of a file; undefined when it cannot be read. */
export function fileStart(path: string, bytes: number): Buffer | undefined {
  try {
    const descriptor = openSync(path, "r");
    try {
      const start = Buffer.alloc(bytes);
      return start.subarray(0, readSync(descriptor, start, 0, bytes, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // ENOENT or EACCES: there is nothing to see. EMFILE: the caller is about to hear of that anyway.
    return undefined;
  }
}
