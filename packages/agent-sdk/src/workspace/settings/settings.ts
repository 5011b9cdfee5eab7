import { join } from "node:path";
import type { HookDefaults } from "../../hooks/hookDefaults.ts";
import { isOfProject, type HookDefinition, type SettingsScope } from "../../hooks/definition.ts";
import type { HookKindRow, HookLimits } from "../../hooks/kinds/kind.ts";
import type { PermissionMode } from "../../permissions/modes.ts";
import { RULE_TOOLS } from "../../permissions/parseRule.ts";
import type { SandboxSettings } from "../../permissions/sandbox.ts";
import type { ProjectSetting } from "../../hooks/fingerprint.ts";
import type { InProcessServer, McpServerConfig } from "../../hooks/mcpServers.ts";
import type { Notifications } from "../../hooks/screenSettings.ts";
import type { LeftOutHook } from "../../hooks/leftOut.ts";
import { findPlugins } from "../plugins/findPlugins.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { whyNoHome } from "../projectDir.ts";
import { hookLimitsOf } from "./hookLimits.ts";
import { readHooksFrom, type ContextLimits } from "./keys.ts";
import { readLayer } from "./layer.ts";
import {
  mcpFilesOf,
  readMcpServers,
  serversOfOption,
  serversOfPlugin,
  type NamedServer,
} from "./mcpServers.ts";
import { MERGE_RULES, OWN_SCOPES, type Read } from "./merge.ts";
import { fieldOf, type SettingsObject } from "./node.ts";
import { readHookDefaults } from "./onErrorSetting.ts";
import type { PermissionRuleSource } from "./permissions.ts";
import { reportInto, type Report, type SettingsProblem } from "./problem.ts";
import { onlyBelieved, settingsOfLayer } from "./projectSettings.ts";
import { hooksNotWanted } from "./otherAgents.ts";
import { readSettingsFile, type SettingsFile } from "./readFile.ts";
import type { ProviderSettings } from "./providers.ts";
import { reportLooserHooks } from "./sandboxSetting.ts";
import { settingsFilesOf, type SettingsFolders, type SettingsSource, type SourceFile } from "./sources.ts";

export interface Settings {
  hooks: HookDefinition[];
  /** Entries under `hooks` that cannot be used; `problems` says why. `hooksNotThere` counts them. */
  leftOut: LeftOutHook[];
  hookDefaults: HookDefaults;
  /** What hooks of some kinds may not do, whoever gives them. */
  hookLimits: HookLimits;
  /** Characters of one hook's text that the model gets; where nothing is said the default holds. */
  contextLimits: ContextLimits;
  permissions: { rules: PermissionRuleSource[]; defaultMode: PermissionMode | undefined };
  model: string | undefined;
  /** In tokens. */
  contextSize: number | undefined;
  baseUrl: string | undefined;
  /** By the name before the "/" of their models. */
  providers: ProviderSettings;
  /** In seconds. */
  modelTimeout: number | undefined;
  /** How many work at once. */
  maxSubagents: number;
  /** How a terminal says that Wave waits for somebody. */
  notifications: Notifications;
  windowTitle: boolean;
  env: Record<string, string>;
  /** By name. */
  mcpServers: NamedServer[];
  sandbox: SandboxSettings;
  sessionsKeepDays: number | undefined;
  /** What of `model`, `contextSize` and `env` the project's files say, whether or not another file wins: it needs a yes. */
  ofProject: ProjectSetting[];
  /** The files that were found and read, in order. */
  files: { scope: SettingsScope; file: string }[];
  problems: SettingsProblem[];
}

export interface SettingsPlaces extends SettingsFolders {
  /** `--mcp-config <file>`. */
  mcpFile?: string;
  /** `mcpServers` of Agent.create. */
  mcpServers?: Record<string, McpServerConfig | InProcessServer> | undefined;
  /** A program named the home itself, and may put it wherever it likes. */
  homeIsVouched?: boolean;
  /** Names that rules may mean. Default: the tools whose rules may have (…). */
  knownTools?: readonly string[];
  /** `sandbox` of Agent.create. */
  sandbox?: unknown;
  /** Which settings of the project count: it may hold back, and has no say in anything else (G18). Default: all. */
  believes?: (setting: ProjectSetting) => boolean;
  /** Default: all that there are. */
  sources?: readonly SettingsSource[];
  /** Default: all that there are. */
  kinds?: readonly HookKindRow[];
}

/** Reads and merges all settings files. Never throws: what is wrong is in `problems`, and the rest still counts. */
export function loadSettings(given: SettingsPlaces): Settings {
  const problems: SettingsProblem[] = [];
  const places = given.plugins ? given : { ...given, plugins: pluginsThatCount(given.home, problems) };
  const files = readFiles(places, problems);
  const { projectDir, knownTools = RULE_TOOLS, kinds } = places;
  // Of all files before the hooks of any: what one of them says holds for the hooks of the others.
  const defaults = readHookDefaults(files, (file) => reportInto(problems, file));
  const limits = hookLimitsOf(files);
  const layers = files.map(({ source, scope, file, root }) => {
    const { hookDialect: dialect } = source.dialect;
    const place = {
      scope,
      file,
      projectDir,
      knownTools,
      defaults,
      limits,
      ...(kinds && { kinds }),
      ...(dialect && { dialect }),
      variables: source.variables(places),
    };
    const layer = readLayer(root, place, reportOn(source, file, problems));
    return isOfProject(scope) ? onlyBelieved(layer, places) : layer;
  });
  const serverFiles = readServerFiles(places, problems);
  const servers = [
    ...serverFiles.map((layer) => (isOfProject(layer.scope) ? onlyBelieved(layer, places) : layer)),
    serversOfOption(places.mcpServers),
  ];
  const read: Read = { layers, defaults, sandboxOption: places.sandbox, servers, problems };
  const hooks = MERGE_RULES.hooks.of(read);
  const sandbox = MERGE_RULES.sandbox.of(read);
  reportLooserHooks(hooks, sandbox, (file) => reportInto(problems, file));
  return {
    hookDefaults: MERGE_RULES.hookDefaults.of(read),
    hookLimits: limits,
    hooks,
    leftOut: layers.flatMap(({ leftOut }) => leftOut),
    sandbox,
    permissions: MERGE_RULES.permissions.of(read),
    model: MERGE_RULES.model.of(read),
    contextLimits: MERGE_RULES.hookContextLimit.of(read),
    contextSize: MERGE_RULES.contextSize.of(read),
    baseUrl: MERGE_RULES.baseUrl.of(read),
    providers: MERGE_RULES.providers.of(read),
    modelTimeout: MERGE_RULES.modelTimeout.of(read),
    maxSubagents: MERGE_RULES.maxSubagents.of(read),
    notifications: MERGE_RULES.notifications.of(read),
    windowTitle: MERGE_RULES.windowTitle.of(read),
    env: MERGE_RULES.env.of(read),
    mcpServers: MERGE_RULES.mcpServers.of(read),
    sessionsKeepDays: MERGE_RULES.sessions.of(read),
    ofProject: [...layers, ...serverFiles].flatMap((layer) =>
      isOfProject(layer.scope) ? settingsOfLayer(layer, places.projectDir).map(({ setting }) => setting) : [],
    ),
    files: layers.map(({ scope, file }) => ({ scope, file })),
    problems,
  };
}

/** For whoever has not looked for them. What is not as it was added is reported, and nothing of it counts. */
function pluginsThatCount(home: string, problems: SettingsProblem[]): Plugin[] {
  const found = findPlugins(home);
  problems.push(...found.problems);
  return found.plugins.filter(({ isChanged }) => !isChanged);
}

interface ReadSource extends SourceFile {
  root: SettingsObject;
}

/** All files that are there, each once, in Wave's own words. */
function readFiles(places: SettingsPlaces, problems: SettingsProblem[]): ReadSource[] {
  const noHome = places.homeIsVouched
    ? undefined
    : whyNoHome(places.home, places.projectDir, places.personHome);
  if (noHome !== undefined) problems.push(wrongVariable(noHome));
  const seen = new Set<string>();
  const found = settingsFilesOf(places).flatMap((one) => {
    if (one.scope === "user" && noHome !== undefined) return [];
    const read = readSettingsFile(one.scope, one.file);
    // In the home folder the user's file and the project's are one file: it counts once, for the first of its scopes.
    if (read.found === "nothing" || (read.found === "settings" && seen.has(read.real))) return [];
    if (read.found === "settings") seen.add(read.real);
    return [{ ...one, read }];
  });
  const wanted = agentsWanted(found);
  return found.flatMap(({ read, ...one }): ReadSource[] => {
    const { dialect, isRead } = one.source;
    if (isRead === "if-wanted" && !wanted?.includes(dialect.id)) {
      if (wanted === undefined)
        problems.push(...hooksNotWanted(one, read, join(places.home, "settings.json")));
      return [];
    }
    if (read.found === "problem") {
      problems.push(dialect.isOwn ? read.problem : { ...read.problem, severity: "error" });
      return [];
    }
    const report = reportInto(problems, one.file);
    return [{ ...one, root: dialect.translate(read.root, report) }];
  });
}

/** Undefined: nobody has said anything about it. */
function agentsWanted(found: readonly (SourceFile & { read: SettingsFile })[]): string[] | undefined {
  const words = OWN_SCOPES.flatMap((scope) => found.filter((one) => one.scope === scope)).map(
    ({ source, scope, read }) =>
      source.dialect.isOwn && read.found === "settings"
        ? readHooksFrom(read.root, scope, () => undefined)
        : undefined,
  );
  return words.find((word) => word !== undefined);
}

/** What is wrong in another program's file never keeps Wave from starting. */
function reportOn({ dialect }: SettingsSource, file: string, problems: SettingsProblem[]): Report {
  const report = reportInto(problems, file);
  if (dialect.isOwn) return report;
  return (severity, ...rest) => report(severity === "fatal" ? "error" : severity, ...rest);
}

/** Files that name servers and nothing else. */
function readServerFiles(places: SettingsPlaces, problems: SettingsProblem[]) {
  return mcpFilesOf(places).flatMap(({ scope, file, plugin }) => {
    const read = readSettingsFile(scope, file);
    // It guards nothing, so one of a project stops nobody from working. What is wrong with its folder was said already.
    if (read.found === "problem" && !problems.some(({ message }) => message === read.problem.message))
      problems.push({ ...read.problem, severity: isOfProject(scope) || plugin ? "error" : "fatal" });
    if (read.found !== "settings") return [];
    const root = plugin ? inTheirField(read.root) : read.root;
    const named = readMcpServers(root, reportInto(problems, file));
    const mcpServers = plugin ? serversOfPlugin(plugin, named) : named;
    return [{ scope, file, model: undefined, contextSize: undefined, env: [], mcpServers }];
  });
}

/** Plugins may name their servers at the top of `.mcp.json`, without a field around them. */
function inTheirField(root: SettingsObject): SettingsObject {
  if (fieldOf(root, "mcpServers") !== undefined) return root;
  return { ...root, entries: [{ key: "mcpServers", node: root }] };
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
