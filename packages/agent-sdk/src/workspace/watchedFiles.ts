import { join } from "node:path";
import { hookIdOf, type SettingsScope } from "../hooks/definition.ts";
import type { HookFacts } from "../hooks/events.ts";
import { ABSENT, changeOf, stateOf, type FileState } from "./settings/configFiles.ts";
import { exists } from "./files/fileFacts.ts";
import { scriptsOf } from "./trust/hookScripts.ts";
import type { Configuration } from "./configuration.ts";

export type WatchedSource = HookFacts<"ConfigChange">["source"];

/** A settings file or a script of a hook, as it was read. */
export interface Watched {
  file: string;
  source: WatchedSource;
  /** Hooks that run it, when it is a script. */
  hooks: readonly string[];
  /** What was read, and counts. */
  inForce: FileState;
  stamp: string;
  /** The content that was spoken about last. */
  seen: string;
}

const SOURCES: Record<Exclude<SettingsScope, "sdk">, WatchedSource> = {
  managed: "policy_settings",
  user: "user_settings",
  project: "project_settings",
  local: "local_settings",
  flag: "flag_settings",
  // A person added it for all of their projects.
  plugin: "user_settings",
};

export function watchedFiles(configuration: Configuration): Watched[] {
  const settings = configuration.settingsFiles.flatMap(({ file, scope }) =>
    scope === "sdk" ? [] : [watch(file, SOURCES[scope], [])],
  );
  const scripts = new Map<string, Set<string>>();
  for (const { file, hook } of scriptsIn(configuration))
    scripts.set(file, (scripts.get(file) ?? new Set()).add(hook));
  return [...settings, ...[...scripts].map(([file, ids]) => watch(file, "hook_script", [...ids]))];
}

/** The scripts that commands name, and what a yes covers besides: the scripts that those name in turn. */
function scriptsIn({ hooks, projectDir, env, project }: Configuration): { file: string; hook: string }[] {
  const place = { projectDir, home: env["HOME"] };
  const named = hooks.flatMap((hook) =>
    scriptsOf(hook.action.command, place).map((file) => ({ file, hook: hookIdOf(hook) })),
  );
  const reviewed = (project?.items ?? []).flatMap(({ item, files, state }) =>
    item.kind === "hook" && state === "reviewed"
      ? files.map(({ path }) => ({ file: join(projectDir, path), hook: hookIdOf(item.hook) }))
      : [],
  );
  return [...named, ...reviewed];
}

function watch(file: string, source: WatchedSource, hooks: readonly string[]): Watched {
  const inForce = stateOf(file);
  return { file, source, hooks, inForce, stamp: inForce.stamp, seen: inForce.hash };
}

/** What hooks would load, and was not there when they were read. */
export function watchAppeared({ file, hooks }: { file: string; hooks: readonly string[] }): Watched {
  // No file, but more of them than can be looked at: that differs from anything that was read.
  const inForce = exists(file) ? ABSENT : { ...ABSENT, hash: "within bounds" };
  return { file, source: "hook_script", hooks, inForce, stamp: "not looked at", seen: inForce.hash };
}

/** One sentence on a change, for whoever is at hand to read it. */
export function describeChange(
  { file, source, inForce, hooks }: Watched,
  after: FileState,
  said: { refused: string | undefined; reviewCommand: string | undefined },
): string {
  const what = `${file} was ${changeOf(inForce, after)} while Wave runs`;
  const stays =
    source === "hook_script"
      ? `${hooks.length === 1 ? "its hook goes" : "its hooks go"} on with the script as it was`
      : "the old version stays active";
  return `${what}; ${stays}; ${nextStep(said)}`;
}

function nextStep({ refused, reviewCommand }: Parameters<typeof describeChange>[2]): string {
  if (refused !== undefined) return `a hook refuses it: ${refused}`;
  return reviewCommand === undefined
    ? "it counts when settings are read again, in the next session at the latest"
    : `${reviewCommand} shows the difference and activates it`;
}
