import { personHome } from "./personHome.ts";
import { lstatSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, relative, resolve } from "node:path";
import { isInside } from "../permissions/paths.ts";
import { realPath } from "./files/fileFacts.ts";
import { INSTRUCTIONS_FILE } from "./instructions.ts";
import { projectSettingsFiles } from "./settings/sources.ts";

/**
 * The project a folder belongs to: the nearest folder at or above it that has settings of Wave's or is the top of a git
 * repository. Guards hold in every folder below them; without this, a `cd src` would be a way around every hook.
 */
export function findProjectDir(start: string, home: string, person = personHome()): string {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const settings = join(folder, ".wave");
    // The user's own settings live in a folder of the same name, which makes no project of the home folder.
    if (settings !== home && settings !== join(person, ".wave") && exists(settings)) return folder;
    if (exists(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return resolve(start);
  }
}

/**
 * The nearest project above this one whose settings stop holding because this one begins: a repository inside a repository, or
 * settings in a folder of a project. Whoever starts Wave in it has to hear of that (G21).
 */
export function guardedAbove(projectDir: string, home: string, person = personHome()): string | undefined {
  for (let folder = dirname(resolve(projectDir)); ; folder = dirname(folder)) {
    const settings = join(folder, ".wave");
    const own = settings === home || settings === join(person, ".wave");
    if (!own && SETTINGS_FILES.some((name) => exists(join(settings, name)))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

const SETTINGS_FILES = ["settings.json", "settings.local.json"];

/**
 * Whether a project has files that a person may have to approve, without a look into them. Cheap, and never a wrong no: what brings
 * hooks, rules, settings or instructions along is one of these.
 */
export const mayNeedReview = (projectDir: string): boolean =>
  [
    ...projectSettingsFiles(projectDir),
    ...projectServerFiles(projectDir),
    join(projectDir, INSTRUCTIONS_FILE),
  ].some(isThere);

/** Where a project names MCP servers beside its settings: the file that other agents read, and Wave's own. */
export const projectServerFiles = (projectDir: string): string[] => [
  join(projectDir, ".mcp.json"),
  join(projectDir, ".wave", "mcp.json"),
];

/** Also what cannot be looked at: a link that loops, a folder that may not be read. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/**
 * Why a folder cannot be $WAVE_HOME: what lies in a project would speak with the user's own voice, and could even approve
 * itself. A project that holds the person's whole home folder is that person's own.
 */
export function whyNoHome(home: string, projectDir: string, person = personHome()): string | undefined {
  const isUsual = home === join(person, ".wave");
  if (isUsual || !isInside(realPath(projectDir), realPath(home))) return undefined;
  if (isInside(realPath(projectDir), realPath(person))) return undefined;
  return `WAVE_HOME (${home}) lies in the project ${projectDir}, whose files could then speak as your own: set it to a folder outside`;
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // ELOOP, EACCES: there is something, and whoever reads it will say what is wrong with it.
    return true;
  }
}

/**
 * The names that the project goes by: as it was given, where that leads, and as the person came to it, through a link. A path that
 * begins with one of them is a path of the project, as far as its beginning goes.
 */
export function namesOfProject(projectDir: string, env: Readonly<Record<string, string>>): string[] {
  const real = realPath(projectDir);
  const came = env["PWD"] ?? "";
  const below = isAbsolute(came) ? relative(real, realPath(came)) : "..";
  const top = below === "" ? came : came.endsWith(`/${below}`) ? came.slice(0, -below.length - 1) : "";
  const isItself = !below.startsWith("..") && isAbsolute(top) && realPath(top) === real;
  return [...new Set([projectDir, real, ...(isItself ? [normalize(top)] : [])])];
}
