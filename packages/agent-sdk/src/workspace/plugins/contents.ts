import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../utils/sha256.ts";
import { realPath } from "../files/fileFacts.ts";
import { readPlainFile } from "../files/plainFile.ts";

/** A file of a plugin, as it is kept and pinned. */
export interface PluginFile {
  /** From the plugin's folder on, with forward slashes. */
  path: string;
  isProgram: boolean;
  sha256: string;
}

const MOST_FILES = 5_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** What git keeps beside the files is no part of them. */
const NOT_KEPT = [".git"];

/** All files of a plugin; `take` gets the bytes of each. Throws one sentence for what cannot be pinned. */
export function filesOfPlugin(
  root: string,
  take: (file: PluginFile, bytes: Buffer) => void = () => {},
): PluginFile[] {
  const files: PluginFile[] = [];
  const real = realPath(root);
  let left = MOST_BYTES;
  const look = (below: string) => {
    for (const name of readdirSync(join(root, below)).toSorted()) {
      const path = below === "" ? name : `${below}/${name}`;
      if (below === "" && NOT_KEPT.includes(name)) continue;
      const place = join(root, path);
      if (lstatSync(place).isSymbolicLink() && !realPath(place).startsWith(`${real}/`))
        throw new Error(`${path} is a link that leads out of the plugin`);
      const stats = statSync(place);
      if (stats.isDirectory()) {
        if (lstatSync(place).isSymbolicLink()) throw new Error(`${path} is a link to a folder`);
        look(path);
        continue;
      }
      if (files.length === MOST_FILES) throw new Error(`it has more than ${MOST_FILES} files`);
      const bytes = readPlainFile(place, left);
      left -= bytes.length;
      const file = { path, isProgram: (stats.mode & 0o111) !== 0, sha256: sha256(bytes) };
      files.push(file);
      take(file, bytes);
    }
  };
  look("");
  return files;
}

/** One hash for all of it: a yes is for exactly these files. */
export const pluginHash = (files: readonly PluginFile[]): string =>
  sha256(JSON.stringify(files.map(({ path, isProgram, sha256: hash }) => [path, isProgram, hash])));
