import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TempFolder extends Disposable {
  readonly path: string;
}

/** A folder of its own for one test, removed with `using`. `name` becomes the last part of its path. */
export function tempFolder(name = "project"): TempFolder {
  return folderBelow(realpathSync(tmpdir()), name);
}

/**
 * The same on a disk in memory, where there is one: for tests that play hundreds of sessions and prove nothing about disks.
 * Not for a sandbox, which has an empty /dev/shm of its own.
 */
export function memoryFolder(name = "project"): TempFolder {
  return folderBelow(memoryDisk() ?? realpathSync(tmpdir()), name);
}

function memoryDisk(): string | undefined {
  try {
    accessSync("/dev/shm", constants.W_OK | constants.X_OK);
    return "/dev/shm";
  } catch {
    return undefined;
  }
}

function folderBelow(disk: string, name: string): TempFolder {
  const outer = mkdtempSync(join(disk, "wave-test-"));
  const path = join(outer, name);
  mkdirSync(path);
  return {
    path,
    [Symbol.dispose]: () => rmSync(outer, { recursive: true, force: true }),
  };
}
