import { createHash, randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { constants } from "node:fs";
import { access, lstat, mkdir, open, readFile, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf } from "../services/startFailure.ts";
import { explainFailure } from "./outcome.ts";

/** A text file as it is on disk, apart from its byte order mark. */
export interface TextFile {
  /** Where the bytes are: symbolic links are followed, so that a write replaces the file and not the link. */
  realPath: string;
  text: string;
  bom: boolean;
  stats: Stats;
  hash: string;
}

export type OpenedTextFile =
  | { found: "text"; file: TextFile }
  | { found: "nothing"; realPath: string }
  | { found: "problem"; sentence: string };

/** More than this is no source file, and would be held in memory several times over. */
const MAX_BYTES = 64 * 1024 * 1024;
const BOM = "\uFEFF";

/** Opens a file in order to change it. */
export async function openTextFile(path: string): Promise<OpenedTextFile> {
  try {
    const realPath = await resolveTarget(path);
    const stats = await statIfThere(realPath);
    if (!stats) return { found: "nothing", realPath };
    const objection = whyNotText(path, stats);
    if (objection !== undefined) return { found: "problem", sentence: objection };
    const bytes = await readFile(realPath);
    const text = decode(bytes);
    if (text === undefined || looksBinary(bytes)) {
      return {
        found: "problem",
        sentence: `${path} is not UTF-8 text, and a change would damage the rest of it. Use Bash for this file.`,
      };
    }
    const bom = text.startsWith(BOM);
    const file = { realPath, text: bom ? text.slice(1) : text, bom, stats, hash: hashOf(bytes) };
    return { found: "text", file };
  } catch (error) {
    return { found: "problem", sentence: explainFailure("open", path, error) };
  }
}

/**
 * Writes a file whole or not at all: a new file beside it, on disk, then renamed over it. `before` is the file that is
 * replaced; its mode and owner stay. Rejects with the system's error, and then the old file is as it was. Resolves to the
 * hash of what is on disk now.
 */
export async function saveTextFile(target: {
  realPath: string;
  text: string;
  before: TextFile | undefined;
}): Promise<string> {
  const { realPath, text, before } = target;
  const bytes = Buffer.from(before?.bom ? BOM + text : text);
  const folder = dirname(realPath);
  await mkdir(folder, { recursive: true });
  // A rename needs no permission for the file it replaces, so a write-protected file would be overwritten.
  if (before) await access(realPath, constants.W_OK);

  // Not derived from the file's name, which may already be as long as a name can be.
  const temporary = join(folder, `.wave-${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeNewFile(temporary, bytes, before?.stats);
    await rename(temporary, realPath);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
  return hashOf(bytes);
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The file a path leads to, also when a link points at something that is not there yet. */
export async function resolveTarget(path: string, linksLeft = 40): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || linksLeft === 0) throw error;
  }
  const link = await lstat(path).catch(() => undefined);
  const folder = dirname(path);
  if (link?.isSymbolicLink()) {
    return resolveTarget(resolve(await realpath(folder), await readlink(path)), linksLeft - 1);
  }
  return join(await resolveTarget(folder, linksLeft), basename(path));
}

/** A zero byte near the start: what `grep` and `git` go by, too. */
export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

/** CRLF when most lines end so. */
export function lineEnding(text: string): "\n" | "\r\n" {
  const all = text.match(/\n/g)?.length ?? 0;
  const crlf = text.match(/\r\n/g)?.length ?? 0;
  return crlf * 2 > all ? "\r\n" : "\n";
}

/** Text for a file with these line ends. What is written into an LF file is left as it is. */
export function withLineEnding(text: string, ending: "\n" | "\r\n"): string {
  return ending === "\n" ? text : text.replaceAll(/\r?\n/g, "\r\n");
}

function whyNotText(path: string, stats: Stats): string | undefined {
  if (stats.isDirectory()) return `${path} is a folder, not a file.`;
  // Opening a pipe or a device can wait for ever.
  if (!stats.isFile()) return `${path} is not a regular file.`;
  if (stats.size > MAX_BYTES) {
    return `${path} has ${Math.round(stats.size / 1024 / 1024)} MB, more than the 64 MB that can be edited. Use Bash for this file.`;
  }
  return undefined;
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // TypeError: these bytes are not UTF-8.
    return undefined;
  }
}

async function writeNewFile(path: string, bytes: Uint8Array, like: Stats | undefined): Promise<void> {
  const file = await open(path, "wx", like ? 0o600 : 0o666);
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
