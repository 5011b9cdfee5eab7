import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { sha256, type PinnedFile } from "../../hooks/fingerprint.ts";
import { isInside } from "../../permissions/paths.ts";
import { isScriptName } from "../hookScripts.ts";

/** A file that a review covers, with the bytes that were reviewed. */
export interface ReadFile extends PinnedFile {
  bytes: Buffer;
  mode: number;
}

/** Bounds of what is followed from one script to the files it names. */
const MOST_FILES = 64;
const MOST_BYTES = 4 * 1024 * 1024;

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

/** The files of the project that a command runs or reads, and those that they name, and so on (G19). */
export function pinnedFiles(command: string, projectDir: string): ReadFile[] {
  const found = new Map<string, ReadFile>();
  const first: Naming = { text: command, folders: [projectDir] };
  const open = [first];
  let bytes = 0;
  for (let naming = open.shift(); naming; naming = open.shift()) {
    for (const { path } of namedFiles(naming, projectDir)) {
      if (found.has(path) || found.size >= MOST_FILES) continue;
      const file = readPinned(path, projectDir);
      if (file === undefined || (naming !== first && !looksRunnable(file))) continue;
      if (bytes + file.bytes.length > MOST_BYTES) continue;
      bytes += file.bytes.length;
      found.set(path, file);
      if (!file.bytes.includes(0)) {
        open.push({ text: file.bytes.toString("utf8"), folders: [dirname(path), projectDir] });
      }
    }
  }
  return [...found.values()];
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
const NAME = /(?:"[^"\n]{1,400}"|'[^'\n]{1,400}'|[^\s"'`;|&<>(),=]{1,400})+/g;

const PROJECT = /^\$\{?(?:WAVE|CLAUDE)_PROJECT_DIR\}?(?=\/)/;
/** `$DIR/lib.sh`, where DIR is most often the script's own folder. */
const OTHER_VARIABLE = /^\$(?:\{[^}]*\}|\w+|\([^)]*\))\//;

function fileNamed(source: string, folders: readonly string[], projectDir: string): string | undefined {
  const name = source.replaceAll(/["']/g, "");
  if (name === "" || name.startsWith("-") || !/[./\w]/.test(name)) return undefined;
  const inProject = name.replace(PROJECT, () => projectDir);
  const candidates =
    inProject !== name
      ? [inProject]
      : folders.map((folder) => resolve(folder, name.replace(OTHER_VARIABLE, "")));
  return candidates.find((path) => isInside(projectDir, path) && isFile(path));
}

/** A script may also mention data, which changes every day and decides nothing about what runs. */
function looksRunnable({ path, bytes, mode }: ReadFile): boolean {
  return (mode & 0o111) !== 0 || isScriptName(path) || bytes.toString("latin1", 0, 2) === "#!";
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // Not there, or no possible name of a file.
    return false;
  }
}

function readPinned(path: string, projectDir: string): ReadFile | undefined {
  try {
    const bytes = readFileSync(path);
    const { mode } = statSync(path);
    const real = realpathSync(path);
    const leaves = !isInside(realpathSync(projectDir), real);
    return {
      path: relative(projectDir, path),
      sha256: sha256(bytes),
      bytes,
      mode: mode & 0o777,
      ...(leaves || lstatSync(path).isSymbolicLink() ? { leadsTo: real } : {}),
    };
  } catch {
    // It can be seen and not be read: then it cannot run either, and the hook fails loudly when it is asked.
    return undefined;
  }
}
