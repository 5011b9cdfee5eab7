import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/**
 * The project a folder belongs to: the nearest folder at or above it that has settings of Wave's or is the top of a git
 * repository. Guards hold in every folder below them; without this, a `cd src` would be a way around every hook.
 */
export function findProjectDir(start: string, home: string): string {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const settings = join(folder, ".wave");
    // The user's own settings live in a folder of the same name, which makes no project of the home folder.
    if (settings !== home && settings !== join(homedir(), ".wave") && exists(settings)) return folder;
    if (exists(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return resolve(start);
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
