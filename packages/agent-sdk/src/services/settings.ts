import { join } from "node:path";
import { isOfProject, type HookDefinition, type SettingsScope } from "../hooks/definition.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import { readHooks } from "./settings/hookEvents.ts";
import { readBaseUrl, readEnv, readKeepDays, readModel, reportUnknownKeys } from "./settings/keys.ts";
import type { SettingsObject } from "./settings/node.ts";
import { readPermissions } from "./settings/permissions.ts";
import { reportInto } from "./settings/problem.ts";
import { isStricter } from "./settings/projectLimits.ts";
import { readSettingsFile } from "./settings/readFile.ts";
import { reportRepeatedNames } from "./settings/repeatedNames.ts";

export interface SettingsProblem {
  /** fatal: the file cannot be read or parsed, so Wave cannot know what should guard it. */
  severity: "fatal" | "error" | "warning";
  file: string | undefined;
  line: number | undefined;
  /** Where the text stops being JSON; other problems have a path instead. */
  column?: number;
  /** JSON path, e.g. `hooks.PreToolUse[0].matcher`. */
  path: string | undefined;
  /** One sentence: what is wrong and what to do. */
  message: string;
}

export interface PermissionRuleSource {
  rule: string;
  behavior: "allow" | "ask" | "deny";
  scope: SettingsScope;
  file: string | undefined;
  line: number | undefined;
  /** What a relative path in the rule is relative to. */
  base: string;
}

export interface Settings {
  hooks: HookDefinition[];
  permissions: { rules: PermissionRuleSource[]; defaultMode: PermissionMode | undefined };
  model: string | undefined;
  baseUrl: string | undefined;
  env: Record<string, string>;
  sessionsKeepDays: number | undefined;
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
  /** `--settings <file>`. */
  extraFile?: string;
}

/** Reads and merges all settings files. Never throws: what is wrong is in `problems`, and the rest still counts. */
export function loadSettings(places: SettingsPlaces): Settings {
  const problems: SettingsProblem[] = [];
  const seen = new Set<string>();
  const layers: Layer[] = [];
  for (const { scope, file } of filesOf(places)) {
    const read = readSettingsFile(scope, file);
    if (read.found === "problem") problems.push(read.problem);
    // In the home folder the user's file and the project's are one file: it counts once, for the first of its scopes.
    if (read.found !== "settings" || seen.has(read.real)) continue;
    seen.add(read.real);
    layers.push(readLayer(read.root, { scope, file, projectDir: places.projectDir }, problems));
  }
  return {
    hooks: layers.flatMap(({ hooks }) => hooks),
    permissions: { rules: layers.flatMap(({ rules }) => rules), defaultMode: mergeModes(layers, problems) },
    model: firstOf(layers, ["managed", "flag", "local", "project", "user"], ({ model }) => model),
    baseUrl: firstOf(layers, ["managed", "flag", "user"], ({ baseUrl }) => baseUrl),
    env: mergeEnv(layers),
    sessionsKeepDays: firstOf(layers, ["managed", "flag", "user"], ({ keepDays }) => keepDays),
    files: layers.map(({ scope, file }) => ({ scope, file })),
    problems,
  };
}

interface LayerPlace {
  scope: SettingsScope;
  file: string;
  projectDir: string;
}

/** What one file says, in the order of the scopes. */
type Layer = ReturnType<typeof readLayer>;

function filesOf({
  projectDir,
  home,
  managedFile,
  extraFile,
}: SettingsPlaces): { scope: SettingsScope; file: string }[] {
  return [
    { scope: "managed", file: managedFile },
    { scope: "user", file: join(home, "settings.json") },
    { scope: "project", file: join(projectDir, ".wave", "settings.json") },
    { scope: "local", file: join(projectDir, ".wave", "settings.local.json") },
    ...(extraFile === undefined ? [] : [{ scope: "flag" as const, file: extraFile }]),
  ];
}

function readLayer(root: SettingsObject, place: LayerPlace, problems: SettingsProblem[]) {
  const { scope, file } = place;
  const report = reportInto(problems, file);
  reportRepeatedNames(root, report);
  reportUnknownKeys(root, report);
  const hookFields = root.entries.filter(({ key }) => key === "hooks");
  return {
    scope,
    file,
    hooks: hookFields.flatMap(({ node }) => readHooks(node, place, report)),
    ...readPermissions(root, place, report),
    model: readModel(root, report),
    baseUrl: readBaseUrl(root, scope, report),
    env: readEnv(root, scope, report),
    keepDays: readKeepDays(root, scope, report),
  };
}

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
