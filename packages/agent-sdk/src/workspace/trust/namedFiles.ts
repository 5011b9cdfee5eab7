import { resolve } from "node:path";
import { isInside } from "../../permissions/paths.ts";
import { isFile } from "./codeFolder.ts";

/** A text that names the files of a hook: its command, or a script that the command runs. */
interface Naming {
  text: string;
  /** Relative names are relative to one of these. */
  folders: readonly string[];
}

export interface NamedFile {
  path: string;
  /** Where the name stands in the text. */
  at: number;
  source: string;
}

/** Names in a text that are files of the project. Text that only looks like a name costs a look and nothing else. */
export function namedFiles({ text, folders }: Naming, projectDir: string): NamedFile[] {
  const [whole, ...rest] = [text.trim()];
  // A command may be the path of one file, with spaces in it.
  if (whole !== undefined && rest.length === 0 && !whole.includes("\n")) {
    const path = fileNamed(whole, folders, projectDir);
    if (path !== undefined) return [{ path, at: text.indexOf(whole), source: whole }];
  }
  return [...text.matchAll(NAME)].flatMap((match) => {
    const path = fileNamed(match[0], folders, projectDir);
    return path === undefined ? [] : [{ path, at: match.index, source: match[0] }];
  });
}

/** What can stand for a path in a shell command, a script or a JavaScript import; quotes around it are part of it. */
export const NAME = /(?:"[^"\n]{1,400}"|'[^'\n]{1,400}'|[^\s"'`;|&<>(),=]{1,400})+/g;

const PROJECT = /^\$\{?(?:WAVE|CLAUDE)_PROJECT_DIR\}?(?=\/)/;
/** `$DIR/lib.sh`, where DIR is most often the script's own folder. */
export const OTHER_VARIABLE = /^\$(?:\{[^}]*\}|\w+|\([^)]*\))\//;

function fileNamed(source: string, folders: readonly string[], projectDir: string): string | undefined {
  const name = source.replaceAll(/["']/g, "");
  if (name === "" || name.startsWith("-") || !/[./\w]/.test(name)) return undefined;
  const inProject = name.replace(PROJECT, () => projectDir);
  const candidates =
    inProject !== name
      ? [inProject]
      : folders.map((folder) => resolve(folder, name.replace(OTHER_VARIABLE, "")));
  return candidates
    .flatMap((path) => (/^\.\.?\//.test(name) ? ENDINGS.map((ending) => path + ending) : [path]))
    .find((path) => isInside(projectDir, path) && isFile(path));
}

/** What Node and Ruby add to a path that leads to no file. */
const ENDINGS = [
  "",
  ".js",
  ".mjs",
  ".cjs",
  ".ts",
  ".mts",
  ".cts",
  "/index.js",
  "/index.cjs",
  "/index.mjs",
  "/index.ts",
  ".rb",
];

/** Where a word of a command leads, up to the first part that only the shell knows. */
export function placeOf(word: string, projectDir: string, folder = projectDir): string {
  const name = word
    .replaceAll(/["']|\\(?=.)/g, "")
    .replace(PROJECT, () => projectDir)
    .replace(/[^/]*[*?[$`].*$/s, "");
  return resolve(folder, name);
}
