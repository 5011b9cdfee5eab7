import { isOfProject, type HookDefinition, type SettingsScope } from "../../hooks/definition.ts";
import type { HookDefaults } from "../../hooks/hookDefaults.ts";
import type { PermissionMode } from "../../permissions/modes.ts";
import type { ContextLimits } from "./keys.ts";
import type { Layer } from "./layer.ts";
import { mergeServers, type ServerLayer } from "./mcpServers.ts";
import { reportInto, type SettingsProblem } from "./problem.ts";
import { isStricter } from "./projectLimits.ts";
import { withoutProtectedEnv, withoutProtectedHookEnv } from "./protectedEnv.ts";
import type { ProviderSettings } from "./providers.ts";
import { sandboxOfOption, settleSandbox } from "./sandboxSetting.ts";

/** What was read, in declared order. */
export interface Read {
  layers: readonly Layer[];
  /** `hookDefaults` of all files, which are read before the hooks of any. */
  defaults: HookDefaults;
  /** `sandbox` of Agent.create. */
  sandboxOption: unknown;
  /** MCP servers that are not named in settings. */
  servers: readonly ServerLayer[];
  problems: SettingsProblem[];
}

/** How the words of several files about one key become one. */
export type Counting =
  /** All of them count. */
  | "all"
  /** The strictest counts: a second file can only tighten. */
  | "strictest"
  /** The nearest counts; of the managed ones always. */
  | "nearest"
  /** The nearest counts, and a project has no say. */
  | "own"
  /** As "nearest", for each name in it. */
  | "by-name"
  /** No setting. */
  | "unused";

interface MergeRule {
  counts: Counting;
  of(read: Read): unknown;
}

/** One rule for each key of the settings. */
export const MERGE_RULES = {
  $schema: { counts: "unused", of: () => undefined },
  hooks: { counts: "all", of: hooksOf },
  hookDefaults: { counts: "strictest", of: ({ defaults }: Read) => defaults },
  hooksFrom: { counts: "own", of: ({ layers }: Read) => own(layers, ({ hooksFrom }) => hooksFrom) },
  allowedHttpHookUrls: {
    counts: "strictest",
    of: ({ layers }: Read) => layers.flatMap(({ httpUrls }) => (httpUrls ? [httpUrls] : [])),
  },
  httpHookAllowedEnvVars: {
    counts: "strictest",
    of: ({ layers }: Read) => layers.flatMap(({ httpVariables }) => (httpVariables ? [httpVariables] : [])),
  },
  hookContextLimit: { counts: "by-name", of: ({ layers }: Read) => contextLimits(layers) },
  permissions: {
    counts: "strictest",
    of: ({ layers, problems }: Read) => ({
      rules: layers.flatMap(({ rules }) => rules),
      defaultMode: mergeModes(layers, problems),
    }),
  },
  model: { counts: "nearest", of: ({ layers }: Read) => nearest(layers, ({ model }) => model) },
  contextSize: {
    counts: "nearest",
    of: ({ layers }: Read) => nearest(layers, ({ contextSize }) => contextSize),
  },
  baseUrl: { counts: "own", of: ({ layers }: Read) => own(layers, ({ baseUrl }) => baseUrl) },
  providers: { counts: "by-name", of: ({ layers }: Read) => providersOf(layers) },
  modelTimeout: { counts: "own", of: ({ layers }: Read) => own(layers, ({ modelTimeout }) => modelTimeout) },
  maxSubagents: {
    counts: "own",
    of: ({ layers }: Read) => own(layers, ({ maxSubagents }) => maxSubagents) ?? 4,
  },
  notifications: {
    counts: "own",
    of: ({ layers }: Read) => own(layers, ({ notifications }) => notifications) ?? "auto",
  },
  windowTitle: {
    counts: "own",
    of: ({ layers }: Read) => own(layers, ({ windowTitle }) => windowTitle) ?? true,
  },
  env: {
    counts: "by-name",
    of: (read: Read) => mergeEnv(withoutProtectedEnv(read.layers, declaredHooks(read), read.problems)),
  },
  sandbox: {
    counts: "strictest",
    of: ({ layers, sandboxOption, problems }: Read) =>
      settleSandbox([
        ...layers.flatMap(({ sandbox }) => sandbox ?? []),
        ...sandboxOfOption(sandboxOption, reportInto(problems, undefined)),
      ]),
  },
  protectEnv: { counts: "all", of: ({ layers }: Read) => layers.flatMap(({ protectEnv }) => protectEnv) },
  mcpServers: {
    counts: "by-name",
    of: ({ layers, servers }: Read) => mergeServers([...servers, ...layers]),
  },
  sessions: { counts: "own", of: ({ layers }: Read) => own(layers, ({ keepDays }) => keepDays) },
} as const satisfies Record<string, MergeRule>;

const declaredHooks = ({ layers }: Read): HookDefinition[] => layers.flatMap(({ hooks }) => hooks);

function hooksOf(read: Read): HookDefinition[] {
  return withoutProtectedHookEnv(declaredHooks(read), read.layers, read.problems);
}

/** Nearest first. The owner of the machine has the last word. */
const NEAREST: readonly SettingsScope[] = ["managed", "flag", "local", "project", "user"];
export const OWN_SCOPES: readonly SettingsScope[] = ["managed", "flag", "user"];

const nearest = <T>(layers: readonly Layer[], pick: (layer: Layer) => T | undefined) =>
  wordsOf(layers, NEAREST, pick)[0];

const own = <T>(layers: readonly Layer[], pick: (layer: Layer) => T | undefined) =>
  wordsOf(layers, OWN_SCOPES, pick)[0];

/** What files of these scopes say, the nearest first: by scope, and of one scope the last file. */
function wordsOf<T>(
  layers: readonly Layer[],
  scopes: readonly SettingsScope[],
  pick: (layer: Layer) => T | undefined,
): T[] {
  return scopes.flatMap((scope) =>
    layers
      .filter((layer) => layer.scope === scope)
      .toReversed()
      .flatMap((layer) => pick(layer) ?? []),
  );
}

function contextLimits(layers: readonly Layer[]): ContextLimits {
  const words = wordsOf(layers, OWN_SCOPES, ({ contextLimits: limits }) => limits);
  return Object.assign({}, ...words.toReversed());
}

/** A project has no say in it. */
function providersOf(layers: readonly Layer[]): ProviderSettings {
  return Object.assign(
    {},
    ...wordsOf(layers, OWN_SCOPES, ({ providers }) => providers).toReversed(),
  ) as ProviderSettings;
}

/**
 * Whoever stands first in managed, --settings and a person's own files says what holds; of several files with the same voice the
 * strictest. A project may make a session stricter than that, never looser; of its files, too, the strictest counts.
 */
function mergeModes(layers: readonly Layer[], problems: SettingsProblem[]): PermissionMode | undefined {
  const saidBy = (...scopes: SettingsScope[]) => layers.filter(({ scope }) => scopes.includes(scope));
  const fixed = strictestMode(saidBy("managed")) ?? strictestMode(saidBy("flag"));
  if (fixed !== undefined) return fixed;
  const ofPerson = strictestMode(saidBy("user"));
  const project = layers.filter(({ scope, defaultMode }) => isOfProject(scope) && defaultMode);
  const wished = strictestMode(project);
  const isTooLoose = wished === undefined || (ofPerson !== undefined && !isStricter(wished, ofPerson));
  const counts = isTooLoose ? ofPerson : wished;
  const nearestWord = project.at(-1)?.defaultMode;
  if (nearestWord === counts) return counts;
  for (const { file, defaultMode, modeLine: line } of project) {
    if (defaultMode !== nearestWord) continue;
    const why =
      ofPerson === counts
        ? `your own settings say "${counts}", and a project may only be stricter`
        : `another file of this project says "${counts}", and the stricter one counts`;
    const message = `"${nearestWord}" is not used: ${why}`;
    problems.push({ severity: "warning", file, line, path: "permissions.defaultMode", message });
  }
  return counts;
}

function strictestMode(layers: readonly Layer[]): PermissionMode | undefined {
  const modes = layers.flatMap(({ defaultMode }) => defaultMode ?? []);
  return modes.reduce<PermissionMode | undefined>(
    (strict, mode) => (strict === undefined || isStricter(mode, strict) ? mode : strict),
    undefined,
  );
}

/** For one variable a later file wins, and the managed one over all. */
function mergeEnv(layers: readonly Layer[]): Record<string, string> {
  const managed = layers.filter(({ scope }) => scope === "managed");
  const others = layers.filter(({ scope }) => scope !== "managed");
  return Object.fromEntries([...others, ...managed].flatMap(({ env }) => env));
}
