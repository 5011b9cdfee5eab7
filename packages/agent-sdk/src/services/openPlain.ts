import { closeSync, constants, fstatSync, openSync } from "node:fs";

/**
 * Opens a file for reading, and nothing else: a named pipe would keep Wave waiting for ever, and a device has no end. Throws the
 * system's error, or one with the code ENOTFILE.
 */
export function openPlain(path: string): number {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (fstatSync(fd).isFile()) return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  closeSync(fd);
  throw Object.assign(new Error("it is not a regular file"), { code: "ENOTFILE" });
}
