import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInside } from "../../permissions/paths.ts";
import { namesIn, statOf } from "../files/fileFacts.ts";
import { COMPILED, isLoadedBy, NODE, PYTHON, type Language } from "./languages.ts";

/** Stands among paths for more files than anybody could look at. It is no path. */
export const BEYOND = "\0";

/** Below a folder no more entries than this are looked at. */
const MOST_ENTRIES = 5000;

/** Packages are not part of a yes, and nobody loads code out of a repository's own data. */
export const EXEMPT: ReadonlySet<string> = new Set(["node_modules", ".git"]);

export const isFile = (path: string) => statOf(path)?.isFile() === true;
export const isFolder = (path: string) => statOf(path)?.isDirectory() === true;

/** What can be loaded in a folder and below it, also behind links; BEYOND where that is too much to be looked at. */
export function codeBelow(
  folder: string,
  languages: readonly Language[],
  { compiled }: { compiled: "counts" | "is not read" },
): string[] {
  const found: string[] = [];
  let looked = 0;
  for (const { inner, names } of foldersBelow(folder)) {
    looked += names.length;
    if (looked > MOST_ENTRIES) return [...found, BEYOND];
    if (basename(inner) === COMPILED && compiled === "is not read") continue;
    found.push(...codeAmong(inner, names, languages));
  }
  return found;
}

/** What can be loaded of the files that lie directly in a folder, and what makes a folder in it a package of Python. */
export function codeIn(folder: string, languages: readonly Language[]): string[] {
  const names = namesIn(folder);
  const packages = languages.includes(PYTHON)
    ? names.map((name) => join(folder, name)).filter((path) => isFolder(path) && !EXEMPT.has(basename(path)))
    : [];
  return [
    ...codeAmong(folder, names, languages),
    ...packages.flatMap((inner) => {
      const starts = namesIn(inner).filter((name) => name.startsWith("__init__."));
      return codeAmong(inner, starts, languages);
    }),
  ];
}

function codeAmong(folder: string, names: readonly string[], languages: readonly Language[]): string[] {
  const isNode = languages.includes(NODE);
  return names
    .map((name) => join(folder, name))
    .filter((path) => isLoadedBy(languages, path) || (isNode && isBeforeFolder(path)))
    .filter(isFile);
}

/** Node takes `x.json` for `./x` before it looks into the folder `x`. */
const isBeforeFolder = (path: string) => path.endsWith(".json") && isFolder(path.slice(0, -".json".length));

/** A folder and those below it, each once, wherever links lead. */
export function* foldersBelow(folder: string): Generator<{ inner: string; names: string[] }> {
  const waiting = [folder];
  const seen = new Set<string>();
  for (let inner = waiting.shift(); inner !== undefined; inner = waiting.shift()) {
    const found = entriesOf(inner);
    if (!found || seen.has(found.real)) continue;
    seen.add(found.real);
    yield { inner, names: found.entries.map(({ name }) => name) };
    for (const entry of found.entries) {
      const path = join(inner, entry.name);
      if (EXEMPT.has(entry.name)) continue;
      if (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(path))) waiting.push(path);
    }
  }
}

function entriesOf(folder: string) {
  try {
    return { real: realpathSync(folder), entries: readdirSync(folder, { withFileTypes: true }) };
  } catch {
    // Not there any more, or not ours to see: nothing is loaded from it either.
    return undefined;
  }
}

/** From a folder up to the project's own. */
export function foldersUp(folder: string, projectDir: string): string[] {
  if (folder === projectDir || !isInside(projectDir, folder)) return [projectDir];
  return [folder, ...foldersUp(dirname(folder), projectDir)];
}
