import { join } from "node:path";
import { isOfProject, type HookDefinition, type SettingsScope } from "../../hooks/definition.ts";
import type { PermissionMode } from "../../permissions/modes.ts";
import { RULE_TOOLS } from "../../permissions/rules.ts";
import type { SandboxSettings } from "../../permissions/sandbox.ts";
import type { ProjectSetting } from "../../hooks/fingerprint.ts";
import type { HookDefaults } from "../../hooks/hookDefaults.ts";
import type { Notifications } from "../../hooks/screenSettings.ts";
import type { LeftOutHook } from "../../hooks/leftOut.ts";
import { whyNoHome } from "../projectDir.ts";
import { readHooks } from "./hookEvents.ts";
import {
  readBaseUrl,
  readContextLimits,
  type ContextLimits,
  readContextSize,
  readEnv,
  readKeepDays,
  readModel,
  readModelTimeout,
  readNotifications,
  readWindowTitle,
  reportUnknownKeys,
} from "./keys.ts";
import { fieldsOf, type SettingsObject } from "./node.ts";
import { readHookDefaults } from "./onErrorSetting.ts";
import { readPermissions, type PermissionRuleSource, type PermissionsPlace } from "./permissions.ts";
import { reportInto, type SettingsProblem } from "./problem.ts";
import { onlyBelieved, settingsOfLayer } from "./projectSettings.ts";
import { hooksOfOtherAgents } from "./otherAgents.ts";
import { isStricter } from "./projectLimits.ts";
import { readProtectEnv, withoutProtectedEnv, withoutProtectedHookEnv } from "./protectedEnv.ts";
import { readSettingsFile } from "./readFile.ts";
import { reportRepeatedNames } from "./repeatedNames.ts";
import { readSandbox, reportLooserHooks, sandboxOfOption, settleSandbox } from "./sandboxSetting.ts";

export interface Settings {
  hooks: HookDefinition[];
  /** Entries under `hooks` that cannot be used; `problems` says why. `hooksNotThere` counts them. */
  leftOut: LeftOutHook[];
  hookDefaults: HookDefaults;
  /** Characters of one hook's text that the model gets; where nothing is said the default holds. */
  contextLimits: ContextLimits;
  permissions: { rules: PermissionRuleSource[]; defaultMode: PermissionMode | undefined };
  model: string | undefined;
  /** In tokens. */
  contextSize: number | undefined;
  baseUrl: string | undefined;
  /** In seconds. */
  modelTimeout: number | undefined;
  /** How a terminal says that Wave waits for somebody. */
  notifications: Notifications;
  windowTitle: boolean;
  env: Record<string, string>;
  sandbox: SandboxSettings;
  sessionsKeepDays: number | undefined;
  /** What of `model`, `contextSize` and `env` the project's files say, whether or not another file wins: it needs a yes. */
  ofProject: ProjectSetting[];
  /** The files that were found and read, in order. */
  files: { scope: SettingsScope; file: string }[];
  problems: SettingsProblem[];
}

export interface SettingsPlaces {
  projectDir: string;
  /** $WAVE_HOME, default ~/.wave. */
  home: string;
  /** /etc/wave/settings.json. */
  managedFile: string;
  /** The person's home folder, where other agents keep their settings. Absent: nobody looks there. */
  personHome?: string;
  /** `--settings <file>`. */
  extraFile?: string;
  /** A program named the home itself, and may put it wherever it likes. */
  homeIsVouched?: boolean;
  /** Names that rules may mean. Default: the tools whose rules may have (…). */
  knownTools?: readonly string[];
  /** `sandbox` of Agent.create. */
  sandbox?: unknown;
  /** Which settings of the project count: it may hold back, and has no say in anything else (G18). Default: all. */
  believes?: (setting: ProjectSetting) => boolean;
}

/** Reads and merges all settings files. Never throws: what is wrong is in `problems`, and the rest still counts. */
export function loadSettings(places: SettingsPlaces): Settings {
  const noHome = places.homeIsVouched
    ? undefined
    : whyNoHome(places.home, places.projectDir, places.personHome);
  const problems: SettingsProblem[] = noHome === undefined ? [] : [wrongVariable(noHome)];
  const seen = new Set<string>();
  const files: { scope: SettingsScope; file: string; root: SettingsObject }[] = [];
  for (const { scope, file } of settingsFilesOf(places)) {
    if (scope === "user" && noHome !== undefined) continue;
    const read = readSettingsFile(scope, file);
    if (read.found === "problem") problems.push(read.problem);
    // In the home folder the user's file and the project's are one file: it counts once, for the first of its scopes.
    if (read.found !== "settings" || seen.has(read.real)) continue;
    seen.add(read.real);
    files.push({ scope, file, root: read.root });
  }
  // Of all files before the hooks of any: what one of them says holds for the hooks of the others.
  const defaults = readHookDefaults(files, (file) => reportInto(problems, file));
  const layers = files.map(({ scope, file, root }) => {
    const layer = readLayer(root, { scope, file, ...placesOfRules(places), defaults }, problems);
    return isOfProject(scope) ? onlyBelieved(layer, places) : layer;
  });
  const declared = layers.flatMap((layer) => layer.hooks);
  const hooks = withoutProtectedHookEnv(declared, layers, problems);
  const sandbox = settleSandbox([
    ...layers.flatMap((layer) => layer.sandbox ?? []),
    ...sandboxOfOption(places.sandbox, reportInto(problems, undefined)),
  ]);
  reportLooserHooks(hooks, sandbox, (file) => reportInto(problems, file));
  problems.push(...hooksOfOtherAgents({ project: places.projectDir, home: places.personHome }));
  return {
    hookDefaults: defaults,
    hooks,
    leftOut: layers.flatMap(({ leftOut }) => leftOut),
    sandbox,
    permissions: { rules: layers.flatMap(({ rules }) => rules), defaultMode: mergeModes(layers, problems) },
    model: firstOf(layers, NEAREST_FIRST, ({ model }) => model),
    contextLimits: (["user", "flag", "managed"] as const).reduce<Settings["contextLimits"]>(
      (limits, scope) => ({ ...limits, ...firstOf(layers, [scope], ({ contextLimits }) => contextLimits) }),
      {},
    ),
    contextSize: firstOf(layers, NEAREST_FIRST, ({ contextSize }) => contextSize),
    baseUrl: firstOf(layers, ["managed", "flag", "user"], ({ baseUrl }) => baseUrl),
    modelTimeout: firstOf(layers, ["managed", "flag", "user"], ({ modelTimeout }) => modelTimeout),
    notifications:
      firstOf(layers, ["managed", "flag", "user"], ({ notifications }) => notifications) ?? "auto",
    windowTitle: firstOf(layers, ["managed", "flag", "user"], ({ windowTitle }) => windowTitle) ?? true,
    env: mergeEnv(withoutProtectedEnv(layers, hooks, problems)),
    sessionsKeepDays: firstOf(layers, ["managed", "flag", "user"], ({ keepDays }) => keepDays),
    ofProject: layers.flatMap((layer) =>
      isOfProject(layer.scope) ? settingsOfLayer(layer, places.projectDir).map(({ setting }) => setting) : [],
    ),
    files: layers.map(({ scope, file }) => ({ scope, file })),
    problems,
  };
}

function wrongVariable(message: string): SettingsProblem {
  return {
    severity: "fatal",
    from: "environment",
    file: undefined,
    line: undefined,
    path: undefined,
    message,
  };
}

/** What one person settled for a project, and is no part of the repository. */
export function localSettingsFile(projectDir: string): string {
  return join(projectDir, ".wave", "settings.local.json");
}

const placesOfRules = ({ projectDir, knownTools = RULE_TOOLS }: SettingsPlaces) => ({
  projectDir,
  knownTools,
});

interface LayerPlace extends PermissionsPlace {
  defaults: HookDefaults;
}

/** What one file says, in the order of the scopes. */
type Layer = ReturnType<typeof readLayer>;

/** Where settings are looked for, whether or not there are any. */
export function settingsFilesOf({
  projectDir,
  home,
  managedFile,
  extraFile,
}: SettingsPlaces): { scope: SettingsScope; file: string }[] {
  return [
    { scope: "managed", file: managedFile },
    { scope: "user", file: join(home, "settings.json") },
    { scope: "project", file: join(projectDir, ".wave", "settings.json") },
    { scope: "local", file: localSettingsFile(projectDir) },
    ...(extraFile === undefined ? [] : [{ scope: "flag" as const, file: extraFile }]),
  ];
}

function readLayer(root: SettingsObject, place: LayerPlace, problems: SettingsProblem[]) {
  const { scope, file } = place;
  const report = reportInto(problems, file);
  reportRepeatedNames(root, report);
  reportUnknownKeys(root, report);
  const read = fieldsOf(root, "hooks").map((node) => readHooks(node, place, report));
  return {
    scope,
    file,
    hooks: read.flatMap(({ hooks }) => hooks),
    leftOut: read.flatMap(({ leftOut }) => leftOut),
    ...readPermissions(root, place, report),
    model: readModel(root, report),
    contextSize: readContextSize(root, report),
    contextLimits: readContextLimits(root, scope, report),
    baseUrl: readBaseUrl(root, scope, report),
    modelTimeout: readModelTimeout(root, scope, report),
    notifications: readNotifications(root, scope, report),
    windowTitle: readWindowTitle(root, scope, report),
    env: readEnv(root, scope, report),
    protectEnv: readProtectEnv(root, report),
    keepDays: readKeepDays(root, scope, report),
    sandbox: readSandbox(root, { scope, from: file }, report),
  };
}

const NEAREST_FIRST: readonly SettingsScope[] = ["managed", "flag", "local", "project", "user"];

function firstOf<T>(
  layers: readonly Layer[],
  order: readonly SettingsScope[],
  pick: (layer: Layer) => T | undefined,
): T | undefined {
  const values = order
    .map((scope) => layers.find((layer) => layer.scope === scope))
    .map((layer) => layer && pick(layer));
  return values.find((value) => value !== undefined);
}

/** A project may make a session stricter than its user's own settings do, never looser. */
function mergeModes(layers: readonly Layer[], problems: SettingsProblem[]): PermissionMode | undefined {
  const fixed = firstOf(layers, ["managed", "flag"], ({ defaultMode }) => defaultMode);
  if (fixed !== undefined) return fixed;
  const own = firstOf(layers, ["user"], ({ defaultMode }) => defaultMode);
  const ofProject = layers.filter(({ scope }) => isOfProject(scope));
  const wished = firstOf(ofProject, ["local", "project"], ({ defaultMode }) => defaultMode);
  if (wished === undefined || wished === own) return own;
  if (isStricter(wished, own ?? "default") || (own === undefined && wished === "default")) return wished;
  for (const { file, defaultMode, modeLine } of ofProject) {
    if (defaultMode !== wished) continue;
    const message = `"${wished}" is not used: your own settings say "${own}", and a project may only be stricter`;
    problems.push({ severity: "warning", file, line: modeLine, path: "permissions.defaultMode", message });
  }
  return own;
}

/** For one variable a later file wins, and the managed one over all. */
function mergeEnv(layers: readonly Layer[]): Record<string, string> {
  const managed = layers.filter(({ scope }) => scope === "managed");
  const others = layers.filter(({ scope }) => scope !== "managed");
  return Object.fromEntries([...others, ...managed].flatMap(({ env }) => env));
}
