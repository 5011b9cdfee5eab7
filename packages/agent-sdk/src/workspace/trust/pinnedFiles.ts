import { randomUUID } from "node:crypto";
import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { sha256, type PinnedFile } from "../../hooks/fingerprint.ts";
import { isInside } from "../../permissions/paths.ts";
import { filesBelow, namesIn, statOf } from "../files/fileFacts.ts";
import { filesNamedBy, isScript, isScriptName } from "./hookScripts.ts";
import { fileStart, NotPlainFile, readPlainFile } from "../files/plainFile.ts";
import { BEYOND, codeBelow, isFile, isFolder } from "./codeFolder.ts";
import { LANGUAGES, languagesOf, loadingOf, SAYS_WHERE, type Language, type Loading } from "./languages.ts";
import { codeOfPlace, codeStartedAs, loadedCode, loadsFromItsPlace, type LoadedCode } from "./loadedCode.ts";
import { NAME, namedFiles, OTHER_VARIABLE, placeOf } from "./namedFiles.ts";
import { whatCounts } from "./packageFile.ts";

/** A file that a review covers, with the bytes that were reviewed. */
export interface ReadFile extends PinnedFile {
  bytes: Buffer;
  mode: number;
  /** What its interpreter can load for it. */
  loading?: Loading;
  /** It starts Python so that what lies in the project's folder is loaded, as it is then. */
  loadsLive?: true;
}

/** Bounds of what is followed from one script to the files it names. */
const MOST_FILES = 256;
/** Data may lie between the scripts of a folder. */
const MOST_LOOKED_AT = 10_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** A file that was found, and how far it leads. */
interface Found {
  path: string;
  /** The text in which it was found. */
  by: string;
  /** "mentioned": it counts when it is something that runs. "beside": it is loaded in the place of something else, if at all. */
  as: "started" | "mentioned" | "loaded" | "beside";
}

/** The files of the project that a command runs or reads, and those that they name or load, and so on (G19). */
export function pinnedFiles(given: string, projectDir: string): ReadFile[] {
  const command = withoutTargets(given);
  const found = new Map<string, ReadFile>();
  const followed = new Set<string>();
  const first = startedFiles(command, projectDir).map((path) => ({
    path,
    by: command,
    as: "started" as const,
  }));
  const open: Found[] = [...first, ...foundBy(command, codeOfPlace(command, projectDir))];
  const untold = untoldLanguages(command, first);
  let bytes = 0;
  for (let next = open.shift(); next; next = open.shift()) {
    const { path, as } = next;
    if (path === BEYOND) return [...found.values(), beyondBounds()];
    if (followed.has(path) || (as === "beside" && found.has(path))) continue;
    const file = found.get(path) ?? readPinned(path, projectDir);
    if (file === "too long") {
      // Data may be as long as it likes.
      if (as === "mentioned" && !isScript(path)) continue;
      return [...found.values(), beyondBounds()];
    }
    if (file === undefined || (as === "mentioned" && !looksRunnable(file))) continue;
    if (!found.has(path)) bytes += file.bytes.length;
    found.set(path, file);
    if (found.size > MOST_FILES || bytes > MOST_BYTES) return [...found.values(), beyondBounds()];
    const text = file.bytes.includes(0) ? "" : file.bytes.toString("utf8");
    const mentioned = filesOfScript(path, text, projectDir);
    open.push(...mentioned.map((one) => ({ path: one, by: text, as: "mentioned" as const })));
    if (as === "beside") continue;
    followed.add(path);
    const languages = [...languagesOf(path, text), ...(as === "started" ? untold : [])];
    const loading = loadingOf(languages, text);
    const isLive = loadsFromItsPlace(text);
    found.set(path, { ...file, ...(loading && { loading }), ...(isLive && { loadsLive: true }) });
    if (loading)
      open.push(...foundBy(text, loadedCode({ path, text, startedBy: next.by, loading }, projectDir)));
    open.push(...foundBy(text, codeOfPlace(text, projectDir)));
  }
  return [...found.values()];
}

const foundBy = (by: string, { named, beside }: LoadedCode): Found[] => [
  ...named.map((path) => ({ path, by, as: "loaded" as const })),
  ...beside.map((path) => ({ path, by, as: "beside" as const })),
];

/** Languages of a command's interpreters that none of its files shows by itself: any of the files may be what they run. */
function untoldLanguages(command: string, first: readonly Found[]): Language[] {
  const told = new Set(
    first.flatMap(({ path }) => languagesOf(path, fileStart(path, 128)?.toString("latin1") ?? "")),
  );
  return LANGUAGES.filter((one) => one.interpreter.test(command) && !told.has(one));
}

/** Stands for all that was not looked at. It is another one each time, so that no yes can ever cover it. */
function beyondBounds(): ReadFile {
  const path = `more than ${MOST_FILES} files or ${MOST_BYTES / 1024 / 1024} MB, which is more than Wave can pin`;
  return { path, sha256: sha256(randomUUID()), bytes: Buffer.alloc(0), mode: 0o600 };
}

/** What a command itself runs, reads or loads. */
export function filesOfCommand(given: string, projectDir: string): string[] {
  const command = withoutTargets(given);
  const { named, beside } = codeOfPlace(command, projectDir);
  return [...new Set([...startedFiles(command, projectDir), ...named, ...beside])];
}

/**
 * Without the files that a command only writes to: `>> audit.jsonl` is a log, and no part of what anybody approves. Where the
 * same name stands in the command once more, it is looked at there.
 */
function withoutTargets(command: string): string {
  const targets = RENAMES.test(command) ? [REDIRECTED] : [REDIRECTED, TEED];
  return targets.reduce((text, target) => text.replaceAll(target, " "), command);
}

const WORD = String.raw`(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"'\\;&|()<>])+`;
/** Not `=>` and `->`, which stand in program text. */
const REDIRECTED = new RegExp(String.raw`(?<![=\-<>])>>?\|?[ \t]*${WORD}`, "g");
const TEED = new RegExp(String.raw`(?<=\|[ \t]*tee(?:[ \t]+-a)?)[ \t]+${WORD}`, "g");
/** Then tee may be something else. */
const RENAMES = /\btee\s*\(|\b(alias|function|hash|enable|PATH)\b/;

/**
 * What stands in a command: names that stand in it, what a shell would make of it (another folder first, variables,
 * quoting), and where only the shell could tell which files, every script in the folders it names.
 */
function startedFiles(command: string, projectDir: string): string[] {
  const named = namedFiles({ text: command, folders: [projectDir] }, projectDir).map(({ path }) => path);
  // python -m guard
  const modules = [...command.matchAll(/\s-m\s*([A-Za-z_][\w.]*)/g)].flatMap(([, name = ""]) => {
    const path = join(projectDir, ...name.split("."));
    return [`${path}.py`, `${path}/__main__.py`].filter(isFile);
  });
  const understood = filesNamedBy(command, { projectDir, home: undefined }).filter(
    (path) => isInside(projectDir, path) && isFile(path),
  );
  const guessed = CHOSEN_BY_THE_SHELL.test(command.replaceAll(PROJECT_ANYWHERE, ""))
    ? foldersNamed(command, projectDir).flatMap((folder) => scriptsBelow(folder))
    : [];
  const meant = [...command.matchAll(NAME)]
    .flatMap(([source]) => codeStartedAs(placeOf(source, projectDir), command))
    .filter((path) => isInside(projectDir, path));
  const libraries = libraryCode(command, [projectDir], projectDir);
  return [...new Set([...named, ...modules, ...understood, ...guessed, ...meant, ...libraries])];
}

/** In a folder with more than anybody looks at, all of it: that is more than can be pinned, and so never approved. */
function scriptsBelow(folder: string): string[] {
  const files = filesBelow(folder, MOST_LOOKED_AT);
  return files.length < MOST_LOOKED_AT ? files.filter(isRunByName) : files;
}

/** What a script names, and what lies where it puts a star. */
function filesOfScript(path: string, text: string, projectDir: string): string[] {
  const folder = dirname(path);
  const named = namedFiles({ text, folders: [folder, projectDir] }, projectDir).map((one) => one.path);
  const starred = starredFolders(text, [folder, projectDir])
    .filter((one) => isInside(projectDir, one))
    .flatMap((one) => filesIn(one).filter(isRunByName));
  return [...named, ...starred, ...libraryCode(text, [folder, projectDir], projectDir)];
}

/** `PYTHONPATH=$DIR/lib`, `ruby -I lib`. */
function libraryCode(text: string, folders: readonly string[], projectDir: string): string[] {
  if (!SAYS_WHERE.test(text)) return [];
  const parts = [...text.matchAll(NAME)].flatMap(([source]) => source.replace(/^-I/, "").split(":"));
  const places = parts.flatMap((part) =>
    folders.map((folder) => placeOf(part.replace(OTHER_VARIABLE, ""), projectDir, folder)),
  );
  return [...new Set(places)]
    .filter((place) => place !== projectDir && isInside(projectDir, place) && isFolder(place))
    .flatMap((place) => codeBelow(place, LANGUAGES, { compiled: "is not read" }));
}

/** `$DIR/lib/*.sh`, where DIR is most often the script's own folder. */
function starredFolders(text: string, folders: readonly string[]): string[] {
  const parts = [...text.matchAll(NAME)].map(([source]) => source.replaceAll(/["']/g, ""));
  const places = parts.flatMap((part) => {
    const before = /^([^*?[]*\/)[^/]*[*?[]/.exec(part.replace(OTHER_VARIABLE, ""))?.[1];
    return before === undefined ? [] : folders.map((folder) => resolve(folder, before));
  });
  return [...new Set(places)].filter(isFolder);
}

const filesIn = (folder: string) =>
  namesIn(folder)
    .map((name) => join(folder, name))
    .filter(isFile);

/** Stars, variables, and programs that run what they find. */
const CHOSEN_BY_THE_SHELL = /[*?[$`]|\bPATH=|-exec|\bxargs\b|\bparallel\b|\brun-parts\b/;
const PROJECT_ANYWHERE = /\$\{?(?:WAVE|CLAUDE)_PROJECT_DIR\}?/g;

/** Folders of the project that a command names, up to the first part that only the shell knows. The project itself is none. */
function foldersNamed(command: string, projectDir: string): string[] {
  const parts = [...command.matchAll(NAME)].flatMap(([source]) => source.split(":"));
  const folders = parts.map((part) => placeOf(part, projectDir));
  return [...new Set(folders)].filter(
    (path) => path !== projectDir && isInside(projectDir, path) && isFolder(path),
  );
}

/** A source file is data to whoever formats or checks a folder; what is started by its name alone is not. */
function isRunByName(path: string): boolean {
  return (
    ((statOf(path)?.mode ?? 0) & 0o111) !== 0 ||
    /\.(?:sh|bash|zsh|fish)$/.test(path) ||
    fileStart(path, 2)?.toString("latin1") === "#!"
  );
}

/** A script may also mention data, which changes every day and decides nothing about what runs. */
function looksRunnable({ path, bytes, mode }: ReadFile): boolean {
  return (mode & 0o111) !== 0 || isScriptName(path) || bytes.toString("latin1", 0, 2) === "#!";
}

function readPinned(path: string, projectDir: string): ReadFile | "too long" | undefined {
  try {
    const bytes = readPlainFile(path, MOST_BYTES);
    const { mode } = statSync(path);
    const real = realpathSync(path);
    const leaves = !isInside(realpathSync(projectDir), real);
    return {
      path: relative(projectDir, path),
      sha256: sha256(whatCounts(path, bytes)),
      bytes,
      mode: mode & 0o777,
      ...(leaves || lstatSync(path).isSymbolicLink() ? { leadsTo: real } : {}),
    };
  } catch (error) {
    if (error instanceof NotPlainFile && error.code === "EFBIG") return "too long";
    // It can be seen and not be read: then it cannot run either, and the hook fails loudly when it is asked.
    return undefined;
  }
}
