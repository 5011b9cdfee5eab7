import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { SettingsError } from "../../errors.ts";
import { sha256 } from "../../hooks/fingerprint.ts";
import { errorCode } from "../../utils/errorCode.ts";
import { whyNotWritten } from "../settings/whyNotWritten.ts";
import { withScript } from "../keptScripts.ts";
import { filesOfCommand, namedFiles, type ReadFile } from "./pinnedFiles.ts";

/**
 * A picture of the project in which the reviewed files are copies and everything else is a link. A hook that runs from
 * here runs the bytes that were reviewed, whatever happens to the project meanwhile (G20), and still finds its libraries
 * and the rest of the project where they are relative to it. Throws SettingsError.
 */
export function reviewedCopy(home: string, projectDir: string, files: readonly ReadFile[]): string {
  return made(home, projectDir, files, (folder) => linkTheRest(folder, projectDir, files));
}

/** The reviewed bytes alone, for nothing but a later comparison. Throws SettingsError. */
export function keptBytes(home: string, projectDir: string, files: readonly ReadFile[]): string {
  return made(home, projectDir, files);
}

function made(
  home: string,
  projectDir: string,
  files: readonly ReadFile[],
  finish?: (folder: string) => void,
): string {
  const contents = files.map(({ path, sha256: hash, mode }) => [path, hash, mode]);
  const folder = join(home, "reviewed", sha256(JSON.stringify([projectDir, contents])).slice(0, 32));
  try {
    if (!holds(folder, files)) build(folder, files);
    finish?.(folder);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    const why = whyNotWritten(error, folder);
    throw new SettingsError([`${folder}: the reviewed copy of this project's files cannot be made: ${why}`]);
  }
  return folder;
}

/**
 * The command with every file of the project that it names replaced by the reviewed copy. Undefined when one of them is no word
 * of its own in it: then the command runs as it is, and its files are looked at before every run.
 */
export function commandOnCopy(
  command: string,
  projectDir: string,
  copy: string,
  files: readonly ReadFile[],
): string | undefined {
  const copied = new Map(files.map(({ path }) => [join(projectDir, path), join(copy, path)]));
  const left = new Set(filesOfCommand(command, projectDir).filter((path) => copied.has(path)));
  let text = "";
  let done = 0;
  for (const { path, at, source } of namedFiles({ text: command, folders: [projectDir] }, projectDir)) {
    const target = copied.get(path);
    if (target === undefined) continue;
    text += command.slice(done, at) + quoteForShell(target);
    done = at + source.length;
    left.delete(path);
  }
  text += command.slice(done);
  for (const path of left) {
    const replaced = withScript(
      text,
      { path, instead: copied.get(path) ?? path },
      { projectDir, home: undefined },
    );
    if (replaced === undefined) return undefined;
    text = replaced;
  }
  return text;
}

function holds(folder: string, files: readonly ReadFile[]): boolean {
  try {
    return files.every((file) => sha256(readFileSync(join(folder, file.path))) === file.sha256);
  } catch {
    // Not there yet, or not whole: it is built again.
    return false;
  }
}

function build(folder: string, files: readonly ReadFile[]): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(`${folder}.`);
  try {
    for (const { path, bytes, mode } of files) {
      mkdirSync(dirname(join(draft, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(draft, path), bytes, { mode: mode & 0o700 });
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process built the same one at the same time.
    if (!holds(folder, files)) throw error;
  }
}

function linkTheRest(folder: string, projectDir: string, files: readonly ReadFile[]): void {
  const folders = new Set(files.flatMap(({ path }) => foldersAbove(path)));
  for (const inner of folders) {
    const names = readdirSync(join(projectDir, inner));
    for (const name of names) {
      try {
        symlinkSync(join(projectDir, inner, name), join(folder, inner, name));
      } catch (error) {
        // What is there already is a copy, a folder with one in it, or the link of an earlier session.
        if (errorCode(error) !== "EEXIST") throw error;
      }
    }
  }
}

/** "a/b/c.sh" → "a/b", "a", "". */
function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return [...names.map((_, at) => names.slice(0, at + 1).join("/")), ""];
}

const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
