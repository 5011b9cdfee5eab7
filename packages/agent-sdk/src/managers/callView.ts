import { isAbsolute } from "node:path";
import { personHome } from "../services/personHome.ts";
import type { HookFacts } from "../hooks/events.ts";
import { analyseCommand, type ShellAnalysis } from "../permissions/analysis/analyse.ts";
import type { Supposition } from "../permissions/analysis/call.ts";
import { gapped, isLiteral, isUnknown, mayBeginWithDot, shown } from "../permissions/analysis/gaps.ts";
import { settingsOf } from "../permissions/analysis/readerTable.ts";
import type { ToolEffect } from "../permissions/effect.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { CallOrigin } from "../permissions/origin.ts";
import { isInside } from "../permissions/paths.ts";
import { choosersOf, HEEDED, type ProjectSettings } from "../permissions/projectSettings.ts";
import {
  ANY_DEPTH,
  isPartly,
  placeAccess,
  placePath,
  type Touched,
  type TouchedFolders,
} from "../permissions/touched.ts";
import { canMeet } from "../permissions/wildcard.ts";
import {
  exists,
  namesIn,
  placesFor,
  programOnPath,
  realPath,
  statOf,
  treeBelow,
} from "../services/fileFacts.ts";
import { heededFile } from "../services/heededFiles.ts";
import { viewGit } from "./gitView.ts";
import { namesOfProject } from "../services/projectDir.ts";
import type { Tool, ToolPlace } from "../tools/tool.ts";
import { shortened } from "../utils/quoted.ts";

/** What a call would touch, seen before it runs: for hooks, for rules, and for the modes. */
export interface CallView {
  /** For rules: with every spelling of every path. */
  effect: ToolEffect;
  /** For modes: a command that is known to only read counts as reading. */
  counts: ToolEffect;
  /** Every path of `counts` lies in the project, links followed. */
  insideProject: boolean;
  /** A command that is known to only read and to write text into files of the project, such as `npm test | tee test.log`. */
  edits: boolean;
  /** Why a command does not count as reading. */
  unproven: string | undefined;
  touched: readonly Touched[];
  /** The commands of a command line, also those inside others. */
  commands: readonly string[] | undefined;
  /** Why not everything that is touched is known. */
  unclear: string | undefined;
  /** A folder outside of the project in which a program of the line would work. */
  elsewhere?: string;
}

export type SeenCall = Pick<CallView, "touched" | "commands" | "unclear">;

/** Nothing is known about what it would touch. */
export const UNSEEN: SeenCall = {
  touched: [],
  commands: undefined,
  unclear: "the call cannot be read",
};

/** Also for a tool that does not exist and for arguments that do not fit. */
export function seeCall(
  tool: Tool | undefined,
  input: Record<string, unknown>,
  session: ToolPlace,
): SeenCall {
  const parsed = tool?.input.safeParse(input);
  return tool && parsed?.success ? viewCall(tool, parsed.data, session) : UNSEEN;
}

export function viewCall(tool: Tool, input: Record<string, unknown>, session: ToolPlace): CallView {
  const effect = tool.effect(input, session);
  // Wave itself opens it, without `..`: there is one way to go.
  const folders = { cwd: session.cwd, leadsTo: (path: string) => [realPath(path)] };
  switch (effect.does) {
    case "nothing":
      return { ...VIEW, effect, counts: effect };
    case "run":
      return viewCommand(effect, session);
    default: {
      const access = effect.does === "edit" ? "write" : "read";
      const below = effect.does === "read" && effect.below === true;
      const touched = effect.paths.map((path) => ({ ...placePath(access, path, folders), below }));
      const placed = { ...effect, paths: [...new Set(touched.flatMap(({ spellings }) => spellings))] };
      const names = namesOfProject(session.projectDir, session.env);
      const insideProject = touched.every((one) => isInProject(one, names));
      return { ...VIEW, effect: placed, counts: placed, insideProject, touched };
    }
  }
}

const VIEW = {
  insideProject: false,
  edits: false,
  unproven: undefined,
  touched: [],
  commands: undefined,
  unclear: undefined,
};

function viewCommand(effect: Extract<ToolEffect, { does: "run" }>, session: ToolPlace): CallView {
  const { cwd, env, projectDir } = session;
  const variables = { HOME: personHome(env), TMPDIR: env["TMPDIR"], CDPATH: env["CDPATH"] };
  const analysis = analyseCommand(effect.command, { folder: cwd, variables });
  const folders: TouchedFolders = {
    cwd,
    leadsTo: placesFor(analysis.links),
    isNoFolder: (path) => analysis.makesNoFolder && isNoFolder(path, analysis.links),
  };
  const git = viewGit(analysis.git, folders);
  const touched = [...analysis.accesses.flatMap((access) => placeAccess(access, folders)), ...git.touched];
  const anywhere = touched.find(({ spellings }) => spellings.length === 0);
  const disk = () => git.unproven() ?? whyUnproven(analysis, touched, session);
  const unproven = analysis.beyondReading ?? disk();
  const paths = touched.flatMap(({ spellings }) => spellings);
  const names = namesOfProject(projectDir, env);
  const insideProject = touched.every((one) => isInProject(one, names) && linksStayInside(one, projectDir));
  const isEdit =
    unproven !== undefined &&
    insideProject &&
    analysis.beyondEditing === undefined &&
    touched.every((one) => one.names.length === 0 && (one.access === "read" || takesText(one, names))) &&
    disk() === undefined;
  return {
    effect,
    counts: unproven === undefined ? { does: "read", paths } : effect,
    insideProject,
    edits: isEdit,
    unproven,
    touched,
    commands: analysis.commands,
    unclear: analysis.unclear ?? (anywhere && `${anywhere.shown} may be any file`),
    ...elsewhereOf(analysis, folders, { projectDir, names }),
  };
}

function elsewhereOf(
  analysis: ShellAnalysis,
  folders: TouchedFolders,
  { projectDir, names }: { projectDir: string; names: readonly string[] },
): Pick<CallView, "elsewhere"> {
  const outside = analysis.folders.find((folder) => {
    const access = { path: folder, shown: folder, access: "read", below: false } as const;
    return placeAccess(access, folders).some(
      (placed) => !isInProject(placed, names) || !linksStayInside(placed, projectDir),
    );
  });
  if (outside === undefined) return {};
  return { elsewhere: isUnknown(outside) ? "a folder that only the shell knows" : shown(outside) };
}

/** Whether a command line is known to do no more in the project than read, or what a mode lets Edit and Write do. */
export function needsNoRule(command: string, session: ToolPlace, mode: PermissionMode): boolean {
  const view = viewCommand({ does: "run", command }, session);
  return (view.unproven === undefined && view.insideProject) || (mode === "acceptEdits" && view.edits);
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
function isNoFolder(path: string, links: ShellAnalysis["links"]): boolean {
  if (!isLiteral(path) || links.filter(({ at }) => at === path).length > 1) return false;
  return placesFor([])(path)?.every((place) => statOf(place)?.isDirectory() !== true) ?? false;
}

/** Part of every shell: there is no file that could be another program. */
const BUILTINS = new Set(
  "cd pushd popd command builtin echo printf pwd test [ true false : type wait exit break continue set export read".split(
    " ",
  ),
);

/** Why a line is not known to do only what the analysis says of it: what it would meet on the disk. */
function whyUnproven(
  analysis: ShellAnalysis,
  touched: readonly Touched[],
  { cwd, env, projectDir }: ToolPlace,
): string | undefined {
  const folders = [...new Set([cwd, ...analysis.folders])];
  const heeded = (settings: readonly ProjectSettings[]) =>
    folders.map((folder) => heededFile(folder, settings, personHome(env))).find((file) => file !== undefined);
  for (const name of analysis.programs) {
    const file = BUILTINS.has(name) ? "/builtin" : programOnPath(name, env["PATH"]);
    if (file === undefined) return `${name} is not a program of the system`;
    if (isInside(realPath(projectDir), realPath(file))) return `${name} is a program of the project`;
    const settings = env[settingsOf(name) ?? ""];
    if (settings && (!isAbsolute(settings) || isInside(realPath(projectDir), realPath(settings))))
      return `${name} takes options from ${settings}, a file of the project`;
    const chosen = heeded(choosersOf(file, realPath(file)));
    if (chosen !== undefined) return `${chosen} says which program ${name} is`;
  }
  const settings = heeded(analysis.heeding.flatMap((call) => HEEDED[call]));
  if (settings !== undefined) return `${settings} may have a program write or send something`;
  const exported = analysis.assigned.find((name) => Object.hasOwn(env, name));
  if (exported !== undefined) return `programs know the variable ${exported}, and it sets it`;
  const odd = analysis.suppositions.find((one) => !holdsOnDisk(one));
  if (odd) return `the name of a file among ${shown(odd.path)} may be something else to a program`;
  if (Object.hasOwn(env, "POSIXLY_CORRECT")) return "POSIXLY_CORRECT changes what options mean";
  const deep = touched.find((one) => one.names.includes(ANY_DEPTH) && !isPlainTree(one, projectDir));
  return deep && `links and odd names among ${deep.shown} may lead anywhere`;
}

function isInProject({ spellings }: Touched, tops: readonly string[]): boolean {
  return spellings.length > 0 && spellings.every((path) => tops.some((top) => isInside(top, path)));
}

/** Whether none of the names that are found is like what was ruled out. */
function holdsOnDisk({ path, unlike }: Supposition): boolean {
  if (isUnknown(path)) return false;
  const all = path.split("/");
  const at = all.findIndex((name) => !isLiteral(name));
  const folder = all.slice(0, at).join("/");
  const found = foundOnDisk([folder], all.slice(at));
  return found?.every((there) => !unlike.test(there.slice(folder.length + 1))) ?? false;
}

/** A star may find a link: what it leads to is what is read. */
function linksStayInside({ spellings, names }: Touched, projectDir: string): boolean {
  // Those at any depth are looked at elsewhere.
  if (names.length === 0 || names.includes(ANY_DEPTH)) return true;
  return (
    foundOnDisk(spellings, names)?.every((path) => isInside(realPath(projectDir), realPath(path))) ?? false
  );
}

/** What names with gaps find in these folders; undefined where it is too much to look at. */
function foundOnDisk(spellings: readonly string[], names: readonly string[]): readonly string[] | undefined {
  return names.reduce<readonly string[] | undefined>((folders, name) => {
    if (folders === undefined || folders.length > MOST_FOUND) return undefined;
    if (isLiteral(name)) return folders.map((folder) => `${folder}/${name}`);
    return folders.flatMap((folder) =>
      namesIn(folder)
        .filter(
          (there) => (!there.startsWith(".") || mayBeginWithDot(name)) && canMeet(gapped(name), [there]),
        )
        .map((there) => `${folder}/${there}`),
    );
  }, spellings);
}

/** More than this is not looked up file by file. */
const MOST_FOUND = 2_000;
const MOST_IN_TREE = 50_000;

/** What xargs would cut at, or take away. */
const ODD_NAME = /[\s'"\\]/;

/** Whether all that find comes across are files of the project, under names that stay one word each. */
function isPlainTree({ spellings, names: [depth, name, ...others] }: Touched, projectDir: string): boolean {
  if (spellings.length === 0 || depth !== ANY_DEPTH || others.length > 0) return false;
  const project = realPath(projectDir);
  // `-iname` finds letters of either case.
  const pattern = name === undefined ? undefined : gapped(name.toLowerCase());
  const isFound = (path: string) => {
    const last = path.slice(path.lastIndexOf("/") + 1);
    return pattern === undefined || canMeet(pattern, [last.toLowerCase()]);
  };
  // Behind a link `..` may lead to more than one place.
  return [...new Set(spellings.map((path) => realPath(path)))].every((top) => {
    const tree = isInside(project, top) ? treeBelow(top, MOST_IN_TREE) : undefined;
    return (
      tree?.every(
        ({ path, isLink }) =>
          !isFound(path) ||
          (!ODD_NAME.test(path) && (!isLink || isInside(project, realPath(`${top}/${path}`)))),
      ) ?? false
    );
  });
}

export type HookView = Pick<HookFacts<"PostToolUse">, "affected_paths" | "analysis" | "commands" | "source">;

/** The part of a view that hooks are told (T85), and whose call it is (T23). */
export function hookView({ touched, commands, unclear }: SeenCall, origin: CallOrigin): HookView {
  return {
    affected_paths: touched.flatMap((one) => {
      const [path, real, ...others] = one.spellings;
      if (path === undefined) return [];
      const rest = { access: one.access, ...(isPartly(one) ? { below: true } : {}) };
      return [
        { path, ...rest, ...(real === undefined ? {} : { real_path: real }) },
        // Behind a link `..` may lead to more than one place.
        ...others.map((other) => ({ path: other, ...rest })),
      ];
    }),
    analysis: unclear === undefined ? ("complete" as const) : ("incomplete" as const),
    ...(commands === undefined ? {} : { commands: commands.map((command) => shortened(command, 2_000)) }),
    ...(origin === "person" ? { source: "user" as const } : {}),
  };
}
