import type { Stats } from "node:fs";
import { constants } from "node:fs";
import { access, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { holdFolder } from "./held.ts";

/**
 * Puts these bytes in the place of a file, whole or not at all: a new file in the same folder, on disk, then renamed over it.
 * `before` is the file that is replaced; its mode and owner stay. Rejects with the system's error, and then the old file is
 * as it was. A link is replaced, not followed: give the path it leads to.
 */
export async function replaceFile(target: {
  path: string;
  bytes: Uint8Array;
  before: Stats | undefined;
  /** Of a file that was not there before. */
  mode: number;
  /** Where the new bytes are written, in the same folder; nothing of that name is there. */
  temporary: string;
  /**
   * The path has no link in it, and must lead where it says also when somebody puts one there meanwhile (G30). Folders that are
   * missing are made.
   */
  holdFolder?: boolean;
}): Promise<void> {
  if (target.holdFolder !== true) return replaceIn(target);
  await using held = await holdFolder(dirname(target.path), { make: true });
  const within = (path: string) => join(held.path, basename(path));
  await replaceIn({ ...target, path: within(target.path), temporary: within(target.temporary) });
}

async function replaceIn(target: {
  path: string;
  bytes: Uint8Array;
  before: Stats | undefined;
  mode: number;
  temporary: string;
}): Promise<void> {
  const { path, bytes, before, temporary } = target;
  // A rename needs no permission for the file it replaces, so a write-protected file would be overwritten.
  if (before) await access(path, constants.W_OK);
  try {
    await writeNewFile(temporary, bytes, before, target.mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

async function writeNewFile(
  path: string,
  bytes: Uint8Array,
  like: Stats | undefined,
  mode: number,
): Promise<void> {
  // "wx" creates: a planted link of that name is refused, not followed.
  const file = await open(path, "wx", like ? 0o600 : mode);
  try {
    await file.writeFile(bytes);
    if (like) {
      // EPERM: the file belongs to somebody else, and only root can give files away.
      await file.chown(like.uid, like.gid).catch(() => {});
      // After the owner, because a change of owner clears the set-user-id bit.
      await file.chmod(like.mode & 0o7777);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the rename itself survive a power cut. Some file systems cannot do that; the file is whole all the same. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // EINVAL, EACCES: not possible here.
  }
}
