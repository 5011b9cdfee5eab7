import {
  analyseCommand,
  isLiteral,
  isUnknown,
  judgeWithinSteps,
  type ShellAnalysis,
  shown,
  type SimpleCommand,
} from "wave-shell-reader";
import type { HookFacts } from "../hooks/events.ts";
import type { ToolEffect } from "../permissions/effect.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { CallOrigin } from "../permissions/origin.ts";
import { isInside } from "../permissions/paths.ts";
import {
  ANY_DEPTH,
  isPartly,
  placeAccess,
  placePath,
  type Touched,
  type TouchedFolders,
} from "../permissions/touched.ts";
import { exists, placesFor, realPath, statOf } from "../workspace/files/fileFacts.ts";
import { personHome } from "../workspace/personHome.ts";
import { namesOfProject } from "../workspace/projectDir.ts";
import type { Tool, ToolPlace } from "../tools/tool.ts";
import { shortened } from "../utils/quoted.ts";
import { viewGit } from "./gitView.ts";
import { linksStayInside, oddNames, whyUnproven } from "./metOnDisk.ts";

/** What a call would touch, seen before it runs: for hooks, for rules, and for the modes. */
export interface CallView {
  /** For rules: with every spelling of every path. */
  effect: ToolEffect;
  /** For modes: a command that is known to only read counts as reading, one that only changes files of the project as an edit. */
  counts: ToolEffect;
  /** Every path of `counts` lies in the project, links followed. */
  insideProject: boolean;
  /** Such an edit that puts text into new files and records only: what it says may come from a program that Wave cannot see through. */
  edits: boolean;
  /** Why a command does not count as reading. */
  unproven: string | undefined;
  touched: readonly Touched[];
  /** The commands of a command line, also those inside others. */
  commands: readonly string[] | undefined;
  /** The same as words, for rules that hold back. */
  called?: readonly SimpleCommand[];
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

export function viewCall(tool: Tool, input: Record<string, unknown>, session: ToolPlace): CallView {
  const effect = tool.effect(input, session);
  // Wave itself opens it, without `..`: there is one way to go.
  const folders = { cwd: session.cwd, leadsTo: (path: string) => [realPath(path)] };
  switch (effect.does) {
    case "nothing":
    case "reach":
      return { ...VIEW, effect, counts: effect };
    case "unknown": {
      const touched = effect.touches.map(({ access, path }) => placePath(access, path, folders));
      const unclear = `Wave cannot tell all that ${tool.name} touches`;
      return { ...VIEW, effect, counts: effect, touched, unclear };
    }
    case "run":
      return judgeWithinSteps(effect.command, () => viewCommand(effect, session));
    case "read":
    case "edit": {
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
  const odd = oddNames(analysis);
  const touched = [
    ...analysis.accesses.flatMap((access) => placeAccess(access, folders)),
    ...git.touched,
    ...(odd === undefined ? [] : anyFile(odd)),
  ];
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
    touched.every((one) => (one.access === "read" ? !one.names.includes(ANY_DEPTH) : isOneFile(one))) &&
    disk() === undefined;
  return {
    effect,
    counts: unproven === undefined ? { does: "read", paths } : isEdit ? { does: "edit", paths } : effect,
    insideProject,
    edits: isEdit && touched.every((one) => !one.text || takesText(one, names)),
    unproven,
    touched,
    commands: analysis.commands,
    called: analysis.called,
    unclear: analysis.unclear ?? (anywhere && `${anywhere.shown} may be any file`),
    ...elsewhereOf(analysis, folders, { projectDir, names }),
  };
}

/** What a line touches of which some words may be anything. */
function anyFile(unread: string): Touched[] {
  const rest = { shown: "files that Wave could not look for", spellings: [], names: [], below: true, unread };
  return [
    { ...rest, access: "read" },
    { ...rest, access: "write" },
  ];
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

/** Never a whole folder with all that is in it, nor files that a pattern finds. */
function isOneFile({ access, spellings, names, below }: Touched): boolean {
  if (access !== "write" || names.length > 0) return false;
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
function isNoFolder(path: string, links: ShellAnalysis["links"]): boolean {
  if (!isLiteral(path) || links.filter(({ at }) => at === path).length > 1) return false;
  return placesFor([])(path)?.every((place) => statOf(place)?.isDirectory() !== true) ?? false;
}

function isInProject({ spellings }: Touched, tops: readonly string[]): boolean {
  return spellings.length > 0 && spellings.every((path) => tops.some((top) => isInside(top, path)));
}

export type HookView = Pick<HookFacts<"PostToolUse">, "affected_paths" | "analysis" | "commands" | "source">;

/** The part of a view that hooks are told (T85), and whose call it is (T23). */
export function hookView({ touched, commands, unclear }: SeenCall, origin: CallOrigin): HookView {
  return {
    affected_paths: touched.flatMap((one) => {
      const [path, real, ...others] = one.spellings;
      if (path === undefined || one.isWord) return [];
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
