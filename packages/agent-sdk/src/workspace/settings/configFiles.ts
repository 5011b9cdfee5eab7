import { statSync } from "node:fs";
import { errorCode } from "../../utils/errorCode.ts";
import { lineHunks } from "../../utils/lineHunks.ts";
import { headAndTail } from "../../utils/headAndTail.ts";
import { sha256 } from "../../utils/sha256.ts";
import { readPlainFile } from "../files/plainFile.ts";
import { whatCounts } from "../trust/packageFile.ts";

/** A file as it was when somebody looked. */
export interface FileState {
  /** Changes with every write; cheap to compare before anything is read. */
  stamp: string;
  /** Of the bytes and of whether it may be run; what stands here when there is nothing to hash says why. */
  hash: string;
  bytes: Buffer | undefined;
  mode: number | undefined;
}

/** Numbers that the system changes with every write, rename or change of rights. */
export function stampOf(file: string): string {
  try {
    // Most of the files that are looked at before and after each call are not there: thrown errors would cost more than the look.
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return "none";
    const { dev, ino, size, mtimeNs, ctimeNs, mode } = stat;
    return [dev, ino, size, mtimeNs, ctimeNs, mode].join(":");
  } catch (error) {
    return `none: ${errorCode(error)}`;
  }
}

/** The clock of a file system may stand still for so long: two changes within it have one stamp. */
const SETTLED_MS = 100;

/** Of a folder: changes when a name comes or goes. Undefined while another change could have the same stamp. */
export function folderStampOf(folder: string): string | undefined {
  const changed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  return changed !== undefined && Date.now() - changed < SETTLED_MS ? undefined : stampOf(folder);
}

/** Of a file that was not there. */
export const ABSENT: FileState = { stamp: "none", hash: "none: ENOENT", bytes: undefined, mode: undefined };

export function stateOf(file: string): FileState {
  const stamp = stampOf(file);
  try {
    const { mode } = statSync(file);
    const bytes = readPlainFile(file);
    return {
      stamp,
      hash: `${sha256(whatCounts(file, bytes))} ${(mode & 0o111) === 0 ? "" : "x"}`,
      bytes,
      mode,
    };
  } catch (error) {
    // Nothing there, a folder, or not ours to read: each of them is a state, and another one than any content.
    return { stamp, hash: `none: ${errorCode(error)}`, bytes: undefined, mode: undefined };
  }
}

export type FileChange = "changed" | "created" | "removed";

export function changeOf(before: FileState, after: FileState): FileChange {
  if (before.bytes === undefined) return "created";
  return after.bytes === undefined ? "removed" : "changed";
}

/** More than this is not compared line by line. */
const MOST_BYTES = 1024 * 1024;
const DIFFERENCE_BYTES = 16 * 1024;

/** The lines that are gone and new, in their order. */
export function differenceOf(before: FileState, after: FileState): string {
  const [old, now] = [before, after].map(linesOf);
  if (!old || !now) return "the contents cannot be compared line by line";
  const lines = lineHunks(old, now).flatMap(({ from, to, lines: added }) => [
    ...old.slice(from, to).map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
  ]);
  if (lines.length === 0) return "the same text, with other rights to run it";
  return headAndTail(lines.join("\n"), DIFFERENCE_BYTES).text;
}

/** Both contents, where they can be shown side by side; undefined for a binary or a very long file. */
export function comparableTexts(
  before: FileState,
  after: FileState,
): { before: string; after: string } | undefined {
  const [old, now] = [before, after].map((state) => linesOf(state)?.join("\n"));
  return old === undefined || now === undefined ? undefined : { before: old, after: now };
}

function linesOf({ bytes }: FileState): string[] | undefined {
  if (bytes === undefined) return [];
  if (bytes.length > MOST_BYTES || bytes.includes(0)) return undefined;
  return bytes.toString("utf8").split("\n");
}
