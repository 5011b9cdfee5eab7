import { readLine, type Doings } from "wave-shell-reader";
import { LINE_READING, type WithReading } from "../hooks/condition.ts";
import type { HookFacts } from "../hooks/events.ts";
import type { BelievedReading } from "../permissions/decide.ts";
import type { SeenEffect, ToolEffect } from "../permissions/effect.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { CallOrigin } from "../permissions/origin.ts";
import { isPartly, placePath, type Touched } from "../permissions/touched.ts";
import { realPath } from "../workspace/files/fileFacts.ts";
import { personHome } from "../workspace/personHome.ts";
import { namesOfProject } from "../workspace/projectDir.ts";
import type { Tool, ToolPlace } from "../tools/tool.ts";
import { shortened } from "../utils/quoted.ts";
import { isInProject, viewDoings } from "./doingsView.ts";

/** What a call would touch, seen before it runs: for hooks, for rules, and for the modes. */
export interface CallView {
  /** For rules: with every spelling of every path, and with the reading of a command line. */
  effect: SeenEffect;
  /** For modes: a command that is known to only read counts as reading, one that only changes files of the project as an edit. */
  counts: ToolEffect;
  /** Every path of `counts` lies in the project, links followed. */
  insideProject: boolean;
  /** Such an edit that puts text into new files and records only: what it says may come from a program that Wave cannot see through. */
  edits: boolean;
  /** Why a command does not count as reading. */
  unproven: string | undefined;
  /** Nothing says that a command does more than read, though that may not be proven. */
  believed?: BelievedReading;
  touched: readonly Touched[];
  /** The commands of a command line, also those inside others. */
  commands: readonly string[] | undefined;
  /** Why not everything that is touched is known. */
  unclear: string | undefined;
  /** A folder outside of the project in which a program of the line would work. */
  elsewhere?: string;
}

export type SeenCall = Pick<CallView, "touched" | "commands" | "unclear"> & { effect?: SeenEffect };

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
    case "leave-plan":
    case "ask-person":
      return { ...VIEW, effect, counts: effect };
    case "unknown": {
      const touched = effect.touches.map(({ access, path }) => placePath(access, path, folders));
      const unclear = `Wave cannot tell all that ${tool.name} touches`;
      return { ...VIEW, effect, counts: effect, touched, unclear };
    }
    case "run":
      return viewCommand(effect, session);
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

function viewCommand({ does, command }: Extract<ToolEffect, { does: "run" }>, session: ToolPlace): CallView {
  const { cwd, env } = session;
  const variables = { HOME: personHome(env), TMPDIR: env["TMPDIR"], CDPATH: env["CDPATH"] };
  const reading = readLine(command, { folder: cwd, variables });
  const effect = { does, command, reading };
  const { believed, ...rest } = viewDoings(reading, session);
  if (session.sandbox?.wasRefused(command))
    return { ...rest, effect, counts: effect, unproven: REFUSED_BEFORE, commands: reading.shown };
  const view = { ...rest, ...(believed && { believed }) };
  return { ...view, effect, counts: view.countsAs ?? effect, commands: reading.shown };
}

const REFUSED_BEFORE = "where it could only read, something was refused to it";

/** Whether commands of a line are known to do no more in the project than read, or what a mode lets Edit and Write do. */
export function needsNoRule(doings: Doings, session: ToolPlace, mode: PermissionMode): boolean {
  const view = viewDoings(doings, session);
  // They run beside what a rule allows, where nothing bounds them.
  return (view.unproven === undefined && view.insideProject) || (mode === "acceptEdits" && view.edits);
}

export type HookView = Pick<HookFacts<"PostToolUse">, "affected_paths" | "analysis" | "commands" | "source"> &
  WithReading;

/** The part of a view that hooks are told (T85), and whose call it is (T23). */
export function hookView({ touched, commands, unclear, effect }: SeenCall, origin: CallOrigin): HookView {
  return {
    affected_paths: touched.flatMap((one) => {
      const [path, real, ...others] = one.spellings;
      if (path === undefined || one.isWord || one.onlyLooks) return [];
      const rest = { access: one.access, ...(isPartly(one) ? { below: true } : {}) };
      return [
        { path, ...rest, ...(real === undefined ? {} : { real_path: real }) },
        // Behind a link `..` may lead to more than one place.
        ...others.map((other) => ({ path: other, ...rest })),
      ];
    }),
    analysis: unclear === undefined ? ("complete" as const) : ("incomplete" as const),
    ...(effect?.does === "run" ? { [LINE_READING]: effect.reading } : {}),
    ...(commands === undefined ? {} : { commands: commands.map((command) => shortened(command, 2_000)) }),
    ...(origin === "person" ? { source: "user" as const } : {}),
  };
}
