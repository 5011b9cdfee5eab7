import { createHash } from "node:crypto";
import { lstatSync, readlinkSync } from "node:fs";
import { readPlainFile } from "../files/plainFile.ts";

/** A file as a tree of git has it. */
export interface GitEntry {
  /** From the top of the work tree. */
  path: string;
  /** `100644`, `100755`, `120000`. */
  mode: string;
  /** The id of its content; undefined: the tree does not have the file. */
  content: string | undefined;
}

/** Larger files are not read; they count as different. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Whether a file is what a tree says. What git would convert, such as ends of lines, counts as different: that costs a question. */
export function sameOnDisk(path: string, { mode, content }: GitEntry): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats || content === undefined) return stats === undefined && content === undefined;
    if (stats.isSymbolicLink())
      return mode === "120000" && idOf(Buffer.from(readlinkSync(path)), content) === content;
    const isSame = stats.isFile() && stats.size <= MOST_BYTES && mode === modeOf(stats.mode);
    return isSame && idOf(readPlainFile(path, MOST_BYTES), content) === content;
  } catch {
    // Not ours to read, or gone in between.
    return false;
  }
}

const modeOf = (mode: number) => ((mode & 0o100) === 0 ? "100644" : "100755");

/** The length of an id tells how it was made. */
function idOf(bytes: Buffer, like: string): string {
  const hash = createHash(like.length > 40 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
