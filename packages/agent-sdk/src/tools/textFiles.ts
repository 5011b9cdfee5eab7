import type { Stats } from "node:fs";
import { lstat, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { holdFile } from "../workspace/files/held.ts";
import { replaceFile } from "../workspace/files/replaceFile.ts";
import { temporaryName, type RunRegister } from "../process/runRegister.ts";
import { codeOf } from "../process/startFailure.ts";
import { sha256 } from "../utils/sha256.ts";
import { explainFailure } from "./explainFailure.ts";

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

/** Opens a file in order to change it. `judged`: where it may lead. */
export async function openTextFile(path: string, judged?: readonly string[]): Promise<OpenedTextFile> {
  try {
    const realPath = await resolveTarget(path);
    if (judged && !judged.includes(realPath))
      return { found: "problem", sentence: `${elsewhere(path, realPath)} Nothing was written.` };
    const stats = await statIfThere(realPath);
    if (!stats) return { found: "nothing", realPath };
    const objection = whyNotText(path, stats);
    if (objection !== undefined) return { found: "problem", sentence: objection };
    await using held = await holdFile(realPath);
    if (held.realPath !== realPath)
      return { found: "problem", sentence: `${elsewhere(path, held.realPath)} Nothing was written.` };
    const bytes = await held.handle.readFile();
    const text = decode(bytes);
    if (text === undefined || looksBinary(bytes)) {
      return {
        found: "problem",
        sentence: `${path} is not UTF-8 text, and a change would damage the rest of it. Use Bash for this file.`,
      };
    }
    const bom = text.startsWith(BOM);
    const file = {
      realPath,
      text: bom ? text.slice(1) : text,
      bom,
      stats: held.stats,
      hash: sha256(bytes),
    };
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
  register: RunRegister | undefined;
}): Promise<string> {
  const { realPath, text, before, register } = target;
  const bytes = bytesOf(text, before);
  await saveBytes({ realPath, bytes, before: before?.stats, register });
  return sha256(bytes);
}

/** The same for bytes. `mode`: of a file that is not there yet. */
export async function saveBytes(target: {
  realPath: string;
  bytes: Uint8Array;
  before: Stats | undefined;
  mode?: number | undefined;
  /** Where the new file is noted until it has its name. */
  register: RunRegister | undefined;
}): Promise<void> {
  const { realPath, bytes, before, mode = 0o666, register } = target;
  const folder = dirname(realPath);
  // Not derived from the file's name, which may already be as long as a name can be.
  const temporary = join(folder, temporaryName());
  const isGone = register?.making(temporary, "file");
  try {
    await replaceFile({ path: realPath, bytes, before, mode, temporary, holdFolder: true });
  } finally {
    isGone?.();
  }
}

/** What a text is on disk, in a file that has a byte order mark or none. */
export function bytesOf(text: string, like: Pick<TextFile, "bom"> | undefined): Buffer {
  return Buffer.from(like?.bom ? BOM + text : text);
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
    const target = await readlink(path);
    // Put together as it stands: `..` in a link may stand behind another one.
    return resolveTarget(isAbsolute(target) ? target : `${await realpath(folder)}/${target}`, linksLeft - 1);
  }
  return join(await resolveTarget(folder, linksLeft), basename(path));
}

const elsewhere = (path: string, realPath: string) =>
  `${path} leads to ${realPath} now, which it did not when the call was judged.`;

/** Why what is read must not be shown: links lead elsewhere than when the call was judged. Never rejects. */
export async function whyElsewhere(
  path: string,
  judged: readonly string[] | undefined,
): Promise<string | undefined> {
  const place = await judgedPlace(path, judged);
  return "problem" in place ? place.problem : undefined;
}

/** Where a path leads, if that is where it led when the call was judged. Never rejects. */
export async function judgedPlace(
  path: string,
  judged: readonly string[] | undefined,
): Promise<{ realPath: string } | { problem: string }> {
  // What cannot be followed cannot be read either, and whoever tries says why.
  const realPath = await resolveTarget(path).catch(() => path);
  if (!judged || judged.includes(realPath)) return { realPath };
  return { problem: `${elsewhere(path, realPath)} Nothing was read.` };
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

export async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Undefined for bytes that are not UTF-8. A byte order mark stays in the text. */
export function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // TypeError: these bytes are not UTF-8.
    return undefined;
  }
}
