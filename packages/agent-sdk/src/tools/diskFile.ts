import type { Stats } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { codeOf } from "../process/startFailure.ts";
import { explainFailure } from "./explainFailure.ts";
import { resolveTarget } from "./textFiles.ts";

/** What is at a real path now, looked at without following anything. */
export type DiskFile =
  | { found: "file"; bytes: Buffer; stats: Stats }
  | { found: "nothing" }
  /** Something that is not the file of that path any more; a reason to leave it alone. */
  | { found: "other"; why: string };

/** Tools edit no larger ones: somebody else made it so. */
const MAX_BYTES = 64 * 1024 * 1024;

export async function readDiskFile(realPath: string): Promise<DiskFile> {
  try {
    // Some part of the path may have become a link: writing there would change another file.
    if ((await resolveTarget(realPath)) !== realPath)
      return { found: "other", why: "its path now leads elsewhere" };
    const stats = await lstat(realPath);
    if (!stats.isFile()) return { found: "other", why: "it is not a plain file any more" };
    if (stats.size > MAX_BYTES) return { found: "other", why: "it is too large now" };
    return { found: "file", bytes: await readFile(realPath), stats };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { found: "nothing" };
    return { found: "other", why: explainFailure("read", "it", error).replace(/\.$/, "") };
  }
}
