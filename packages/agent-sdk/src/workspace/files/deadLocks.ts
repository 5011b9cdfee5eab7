import { rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { removeDeadLock } from "./fileLock.ts";
import { parseHolder, stateOf } from "./lockHolder.ts";
import { readPlainFile } from "./plainFile.ts";

/** The locks of sessions, settings and trust, and what whoever wants one has for a moment. */
const LOCK =
  /^(?<locked>[0-9a-f-]{36}\.jsonl|settings(?:\.local)?\.json|trust\.json)\.lock(?<draft>\.\d+-[0-9a-f]{12})?$/;

/** Removes the locks of Waves that are gone, with the half-written files that they guarded. Never rejects. */
export async function removeDeadLocks(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const names = await readdir(folder).catch((): string[] => []);
    for (const name of names) {
      const { locked, draft } = LOCK.exec(name)?.groups ?? {};
      if (locked !== undefined) removeIfDead(join(folder, name), draft ? undefined : join(folder, locked));
    }
  }
}

/** `guarded`: of a lock. A draft of one belongs to whoever wrote it, and nobody else ever uses it. */
function removeIfDead(path: string, guarded: string | undefined): void {
  try {
    if (guarded !== undefined) return removeDeadLock(path, () => rmSync(`${guarded}.new`, { force: true }));
    const holder = parseHolder(readPlainFile(path).toString("utf8"));
    if (holder && stateOf(holder) === "dead") rmSync(path, { force: true });
  } catch {
    // Somebody else is about it, or it is not ours: the next start tries again.
  }
}
