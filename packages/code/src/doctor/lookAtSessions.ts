import { constants } from "node:fs";
import { access, readdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { reasonOf } from "../input/privateFile.ts";
import type { SessionsFacts } from "./facts.ts";

/** More would take longer than anybody waits for a number. */
const FILES_COUNTED = 20_000;

export async function lookAtSessions(home: string): Promise<SessionsFacts> {
  const folder = join(home, "sessions");
  const nearest = await nearestThere(folder);
  const [unwritable, freeBytes, size] = await Promise.all([
    whyUnwritable(nearest),
    freeIn(nearest),
    sizeOfFolder(folder),
  ]);
  return { folder, unwritable, freeBytes, ...size };
}

/** The folder itself, or the one in which it would be made. */
async function nearestThere(folder: string): Promise<string> {
  const there = await stat(folder).catch(() => undefined);
  return there || dirname(folder) === folder ? folder : nearestThere(dirname(folder));
}

async function whyUnwritable(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`;
    await access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

async function freeIn(folder: string): Promise<number | undefined> {
  // ENOSYS, EACCES: not every file system tells.
  const found = await statfs(folder).catch(() => undefined);
  return found && found.bavail * found.bsize;
}

async function sizeOfFolder(folder: string): Promise<{ files: number; bytes: number; more: boolean }> {
  // ENOENT: nothing was kept yet. EACCES: said by `unwritable`.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const counted = files.slice(0, FILES_COUNTED);
  let bytes = 0;
  for (const entry of counted) {
    // A session may be deleted while it is counted.
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return { files: counted.length, bytes, more: files.length > counted.length };
}
