import {
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { SettingsError } from "../../errors.ts";
import { sha256 } from "../../hooks/fingerprint.ts";
import { errorCode } from "../../utils/errorCode.ts";
import { whyNotWritten } from "../settings/whyNotWritten.ts";
import { withScript } from "./keptScripts.ts";
import { readPlainFile } from "../files/plainFile.ts";
import { RunRegister, temporaryName } from "../../process/runRegister.ts";
import { isInside } from "../../permissions/paths.ts";
import { foldersBelow } from "./codeFolder.ts";
import { COMPILED, isLoadedBy, NODE, PYTHON } from "./languages.ts";
import { filesOfCommand, type ReadFile } from "./pinnedFiles.ts";
import { namedFiles } from "./namedFiles.ts";

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

/** Of a copy: one that was made in another way has links that this one must not have. */
const LAYOUT = 2;

function made(
  home: string,
  projectDir: string,
  files: readonly ReadFile[],
  finish?: (folder: string) => void,
): string {
  const contents = files.map(({ path, bytes, mode }) => [path, sha256(bytes), mode]);
  const folder = join(home, "reviewed", sha256(JSON.stringify([LAYOUT, projectDir, contents])).slice(0, 32));
  try {
    if (!holds(folder, files)) build(home, folder, files);
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
    return files.every((file) => file.bytes.equals(readPlainFile(join(folder, file.path))));
  } catch {
    // Not there yet, or not whole: it is built again.
    return false;
  }
}

function build(home: string, folder: string, files: readonly ReadFile[]): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  using register = new RunRegister(home);
  const draft = join(dirname(folder), temporaryName());
  register.making(draft, "folder");
  try {
    mkdirSync(draft, { mode: 0o700 });
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
  const inside = new Set(files.flatMap(({ path }) => foldersAbove(path)));
  const { whole, isLeftOut } = codeOf(files);
  // There a folder may become a package at any time, and a link to it would lead to what nobody saw.
  for (const top of whole) {
    for (const { inner } of foldersBelow(join(projectDir, top))) {
      const path = relative(projectDir, inner);
      if (!path.split("/").includes(COMPILED)) inside.add(path);
    }
  }
  for (const inner of inside) {
    makeFolder(join(folder, inner));
    for (const name of readdirSync(join(projectDir, inner))) {
      if (inside.has(join(inner, name)) || isLeftOut(inner, name)) continue;
      try {
        symlinkSync(join(projectDir, inner, name), join(folder, inner, name));
      } catch (error) {
        // What is there already is a copy, a folder with one in it, or the link of an earlier session.
        if (errorCode(error) !== "EEXIST") throw error;
      }
    }
  }
}

/** In the place of a link, too: what was a file when an earlier session linked it may be a folder now. */
function makeFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(path);
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Where code is loaded by its name, what came after the review is not there to be loaded (G20). */
function codeOf(files: readonly ReadFile[]) {
  const pinned = new Set(files.map(({ path }) => path));
  const folders = new Set(files.flatMap(({ path }) => foldersAbove(path)));
  const loaders = files.flatMap(({ path, loading }) =>
    loading ? [{ folder: folderOf(path), loading }] : [],
  );
  const ofNode = loaders.filter(({ loading }) => loading.languages.includes(NODE));
  // A package.json that is nearer than the reviewed one would take its place.
  const nearer = new Set(
    ofNode.flatMap(({ folder }) => {
      const up = foldersAbove(join(folder, "x"));
      const scope = up.findIndex((one) => pinned.has(join(one, "package.json")));
      return scope === -1 ? up : up.slice(0, scope);
    }),
  );
  const isLeftOut = (inner: string, name: string): boolean => {
    const path = join(inner, name);
    if (pinned.has(path)) return false;
    if (name === "package.json" && nearer.has(inner)) return true;
    const around = loaders.filter(({ folder }) => isInside(`/${folder}`, `/${path}`));
    if (name === COMPILED) return around.some(({ loading }) => loading.languages.includes(PYTHON));
    // Node takes x.js for `./x` before it looks into the folder x.
    if (ofNode.length > 0 && NODE.loads.test(name) && folders.has(path.replace(/\.\w+$/, ""))) return true;
    return around.some(
      ({ folder, loading }) =>
        loading.whole && (folder !== "" || inner === "") && isLoadedBy(loading.languages, path),
    );
  };
  const whole = loaders.flatMap(({ folder, loading }) => (loading.whole && folder !== "" ? [folder] : []));
  return { whole: new Set(whole), isLeftOut };
}

const folderOf = (path: string) => (dirname(path) === "." ? "" : dirname(path));

/** "a/b/c.sh" → "a/b", "a", "". */
function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return [...names.map((_, at) => names.slice(0, names.length - at).join("/")), ""];
}

const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
