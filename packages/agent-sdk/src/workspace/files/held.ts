import { constants, type Stats } from "node:fs";
import { lstat, mkdir, open, readlink, realpath, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../../process/startFailure.ts";

/**
 * A file or folder that is open, so that no rename and no new link can put another in its place any more (G30). Its path was
 * true after it was opened: a link that led elsewhere for just that moment does not count.
 */
export interface Held extends AsyncDisposable {
  handle: FileHandle;
  stats: Stats;
  /** Where it really is. */
  realPath: string;
  /** Another name of it, which leads to it and nowhere else; where the system has no such names, the real path. */
  path: string;
  /** The same for a process that Wave starts. */
  pathForChild: string;
}

/** It is not what its path says. */
export class Elsewhere extends Error {
  readonly path: string;
  readonly realPath: string;

  constructor(path: string, realPath: string) {
    super(`${path} was replaced by a link to ${realPath} meanwhile`);
    this.path = path;
    this.realPath = realPath;
  }
}

/** A file for reading. Links are followed; whoever asks looks where it really is. A pipe does not make it wait. */
export const holdFile = (path: string) => hold(path, constants.O_RDONLY | constants.O_NONBLOCK);

/** A folder for listing it. */
export const holdList = (path: string) => hold(path, constants.O_RDONLY | constants.O_DIRECTORY);

/** A folder, or a file, of which nothing but its name and what is in the folder is asked. */
export const holdName = (path: string) => hold(path, O_PATH | constants.O_NOFOLLOW);

/**
 * A folder at a path that has no link in it. `make`: it is made where it is missing, and the folders above it, one in the other.
 * Rejects with Elsewhere when some part of the path is a link.
 */
export async function holdFolder(folder: string, { make = false } = {}): Promise<Held> {
  try {
    return await heldAt(
      folder,
      await hold(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW),
    );
  } catch (error) {
    if (!make || codeOf(error) !== "ENOENT" || dirname(folder) === folder) throw error;
  }
  await using above = await holdFolder(dirname(folder), { make });
  const within = join(above.path, basename(folder));
  await mkdir(within).catch((error: unknown) => {
    // Somebody else made it meanwhile.
    if (codeOf(error) !== "EEXIST") throw error;
  });
  return await heldAt(
    folder,
    await hold(within, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW),
  );
}

/** Linux has it, and Node does not name it. Elsewhere the file is opened for reading. */
const O_PATH = process.platform === "linux" ? 0o10000000 : constants.O_RDONLY | constants.O_NONBLOCK;

async function hold(path: string, flags: number): Promise<Held> {
  const handle = await open(path, flags);
  try {
    const stats = await handle.stat();
    const own = `/proc/self/fd/${handle.fd}`;
    const found = await readlink(own).catch(() => undefined);
    const realPath = found ?? (await sameByName(path, stats));
    return {
      handle,
      stats,
      realPath,
      path: found === undefined ? realPath : own,
      pathForChild: found === undefined ? realPath : `/proc/${process.pid}/fd/${handle.fd}`,
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Where nothing tells the path of what is open: the file that is there now has to be the same. */
async function sameByName(path: string, stats: Stats): Promise<string> {
  const realPath = await realpath(path);
  const there = await lstat(realPath);
  if (there.ino !== stats.ino || there.dev !== stats.dev) throw new Elsewhere(path, realPath);
  return realPath;
}

async function heldAt(folder: string, held: Held): Promise<Held> {
  if (held.realPath === folder) return held;
  await held.handle.close();
  throw new Elsewhere(folder, held.realPath);
}
