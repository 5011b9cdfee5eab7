import { readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import type { Coverage } from "../../permissions/pathRules.ts";
import { statOf } from "./fileFacts.ts";

/** What names of one file have in common; undefined for what is no file, or has one name only. */
export function sharedKey(path: string): string | undefined {
  const stats = statOf(path);
  return stats?.isFile() && stats.nlink > 1 ? `${stats.dev}:${stats.ino}` : undefined;
}

export interface SharedFiles {
  /** By what they have in common, the names that were found. */
  names: Map<string, string[]>;
  /** Everything was looked at. */
  complete: boolean;
}

/** More than this is not looked at: it would take longer than a person waits. */
const MOST_ENTRIES = 50_000;

/** Where there is much and nothing of the person's own: looked at last, and not missed. */
const MADE_BY_TOOLS = new Set(["node_modules", ".git"]);

interface Waiting {
  folder: string;
  coverage: Coverage;
}

/** The files with several names that lie in a folder and that a pattern speaks of. Links are not followed. */
export function sharedFiles(folder: string, coverage: Coverage): SharedFiles {
  const names = new Map<string, string[]>();
  const note = (path: string) => {
    const key = sharedKey(path);
    if (key !== undefined) names.set(key, [...(names.get(key) ?? []), path]);
  };
  if (coverage.all) note(folder);
  const waiting: Waiting[] = [{ folder, coverage }];
  const later: Waiting[] = [];
  let left = MOST_ENTRIES;
  for (;;) {
    const isLate = waiting.length === 0;
    const next = waiting.pop() ?? later.pop();
    if (!next) return { names, complete: true };
    for (const entry of entriesOf(next.folder)) {
      if (left-- === 0) return { names, complete: isLate };
      const found = next.coverage.all ? next.coverage : next.coverage.into(entry.name);
      if (!found) continue;
      const path = join(next.folder, entry.name);
      const isMade = isLate || (MADE_BY_TOOLS.has(entry.name) && !found.all);
      if (entry.isDirectory()) (isMade ? later : waiting).push({ folder: path, coverage: found });
      else if (found.all) note(path);
    }
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not a folder, or not ours to see.
    return [];
  }
}
