import type { Doings } from "wave-shell-reader";
import type { BelievedReading } from "../permissions/decide.ts";
import type { ToolEffect } from "../permissions/effect.ts";
import { isInside } from "../permissions/paths.ts";
import { isAnyDepth, placeAccess, type Touched, type TouchedFolders } from "../permissions/touched.ts";
import type { ToolPlace } from "../tools/tool.ts";
import { exists, placesFor, statOf } from "../workspace/files/fileFacts.ts";
import { namesOfProject } from "../workspace/projectDir.ts";
import { copiedProtected } from "./copiedTrees.ts";
import { viewGit } from "./gitView.ts";
import { once } from "../utils/once.ts";
import {
  linksStayInside,
  MOST_LOOKS,
  oddNames,
  whyOtherPrograms,
  whyUnproven,
  wordsOnDisk,
} from "./metOnDisk.ts";

/** What commands of a line would meet on the disk. */
export interface DoingsView {
  touched: readonly Touched[];
  /** What they count as for modes, when that is less than running commands. */
  countsAs: Extract<ToolEffect, { does: "read" | "edit" }> | undefined;
  /** Everything that is touched lies in the project, links followed. */
  insideProject: boolean;
  /** An edit that puts text into new files and records only: what it says may come from a program that Wave cannot see through. */
  edits: boolean;
  /** Why they do not count as reading. */
  unproven: string | undefined;
  /** Nothing says that they do more than read, though that may not be proven. */
  believed?: BelievedReading;
  /** Why not everything that is touched is known. */
  unclear: string | undefined;
  /** A folder outside of the project in which a program would work. */
  elsewhere?: string;
}

export function viewDoings(doings: Doings, session: ToolPlace): DoingsView {
  const { cwd, env, projectDir } = session;
  const folders: TouchedFolders = {
    cwd,
    leadsTo: placesFor(doings.links),
    isNoFolder: (path) => doings.makesNoFolder && isNoFolder(path, doings.links),
  };
  const git = viewGit(doings.git, folders);
  const odd = oddNames(doings);
  const looks = { left: MOST_LOOKS };
  const touched = [
    ...doings.accesses.flatMap((access) => placeAccess(access, folders)),
    ...git.touched,
    ...wordsOnDisk(doings, looks).flatMap((access) => placeAccess(access, folders)),
    ...copiedProtected(doings.links, projectDir),
    ...(odd === undefined ? [] : anyFile(odd)),
  ];
  const anywhere = touched.find(({ spellings }) => spellings.length === 0);
  const other = once(() => whyOtherPrograms(doings, session));
  const disk = once(() => git.unproven() ?? other() ?? whyUnproven(doings, touched, session));
  const { certainty } = doings;
  const unproven = certainty.is === "proven" ? disk() : (doings.beyondReading ?? certainty.why);
  const isBelieved = certainty.is !== "unknown" && other() === undefined;
  const paths = touched.flatMap(({ spellings }) => spellings);
  const names = namesOfProject(projectDir, env);
  const isInside = (one: Touched) => isInProject(one, names) && linksStayInside(one, projectDir, looks);
  // A word may be no file at all (`export NODE_ENV=test` beside a folder `test`): only rules look at it.
  const files = touched.filter(({ isWord }) => !isWord);
  const insideProject = files.every(isInside);
  const isEdit =
    unproven !== undefined &&
    insideProject &&
    doings.beyondEditing === undefined &&
    files.every((one) => (one.access === "read" ? !one.names.some(isAnyDepth) : isOneFile(one))) &&
    disk() === undefined;
  return {
    countsAs: unproven === undefined ? { does: "read", paths } : isEdit ? { does: "edit", paths } : undefined,
    insideProject,
    edits: isEdit && touched.every((one) => !one.text || takesText(one, names)),
    unproven,
    ...(isBelieved
      ? {
          believed: {
            paths,
            insideProject: touched.filter(isKnownRead).every(isInside),
            git: gitAmong(doings),
          },
        }
      : {}),
    touched,
    unclear: doings.unclear ?? (anywhere && `${anywhere.shown} may be any file`),
    ...elsewhereOf(doings, folders, { projectDir, names }),
  };
}

function gitAmong({ git }: Doings): BelievedReading["git"] {
  if (git.length === 0) return "none";
  return git.some(({ shows }) => shows) ? "shows" : "reads";
}

/** What a command reads without doubt. Where it can do nothing else, the rest does not count. */
const isKnownRead = ({ access, spellings }: Touched) => access !== "write" && spellings.length > 0;

/** What a line touches of which some words may be anything. */
function anyFile(unread: string): Touched[] {
  const rest = { shown: "files that could not be looked for", spellings: [], names: [], below: true, unread };
  return [
    { ...rest, access: "read" },
    { ...rest, access: "write" },
  ];
}

function elsewhereOf(
  doings: Doings,
  folders: TouchedFolders,
  { projectDir, names }: { projectDir: string; names: readonly string[] },
): Pick<DoingsView, "elsewhere"> {
  const outside = doings.folders.find((folder) => {
    const access = { path: folder, shown: folder.shown, access: "read", below: false } as const;
    return placeAccess(access, folders).some(
      (placed) => !isInProject(placed, names) || !linksStayInside(placed, projectDir),
    );
  });
  if (outside === undefined) return {};
  return { elsewhere: outside.known === undefined ? "a folder that only the shell knows" : outside.shown };
}

const hasSeveralNames = (path: string) => {
  const stats = statOf(path);
  return stats?.isFile() === true && stats.nlink > 1;
};

/** Never a whole folder with all that is in it, nor files that a pattern finds. */
function isOneFile({ access, spellings, names, below, away }: Touched): boolean {
  if (access !== "write" || names.length > 0) return false;
  // Under another name it may lie anywhere, and a command writes into it.
  if (!away && spellings.some(hasSeveralNames)) return false;
  return !below || spellings.every((path) => statOf(path)?.isDirectory() !== true);
}

/**
 * A file that is not there yet, or a record. What a person wrote is for Edit and Write, which keep a copy of what was there;
 * and a name with a dot before it tells some program what to do.
 */
function takesText({ spellings, below }: Touched, tops: readonly string[]): boolean {
  return (
    !below &&
    spellings.every((path) => {
      const inner = tops.find((top) => isInside(top, path));
      if (inner === undefined || path.slice(inner.length).includes("/.")) return false;
      return !exists(path) || (/\.(log|out)$/.test(path) && statOf(path)?.isFile() === true);
    })
  );
}

/** Also what a link leads to is a folder, and the line may make several of one name. */
function isNoFolder(path: string, links: Doings["links"]): boolean {
  if (links.filter(({ at }) => at.known === path && at.names.length === 0).length > 1) return false;
  return placesFor([])(path)?.every((place) => statOf(place)?.isDirectory() !== true) ?? false;
}

export function isInProject({ spellings }: Touched, tops: readonly string[]): boolean {
  return spellings.length > 0 && spellings.every((path) => tops.some((top) => isInside(top, path)));
}
