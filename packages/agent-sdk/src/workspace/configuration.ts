import { personHome } from "./personHome.ts";
import { join, resolve } from "node:path";
import type { AgentOptions } from "../agentOptions.ts";
import { OptionsError, SettingsError } from "../errors.ts";
import { hookIdOf, type HookDefinition } from "../hooks/definition.ts";
import { onErrorFor } from "../hooks/failurePolicy.ts";
import { offByScope } from "../hooks/plan.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import { hookSandbox } from "../permissions/sandbox.ts";
import { understandRule } from "../permissions/understandRule.ts";
import { workdirOf } from "../options/checkOptions.ts";
import { deepFreeze } from "../utils/deepFreeze.ts";
import { believeProject } from "./trust/projectTrust.ts";
import { findProjectDir, guardedAbove } from "./projectDir.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { checkHooks, missingPrograms, whyNeverRuns } from "./settings/checkHooks.ts";
import { describeProblem, reportInto } from "./settings/problem.ts";
import { foldProblems } from "./settings/problemOrder.ts";
import { hooksFromOption } from "./settings/hooksFromOption.ts";
import { reportLooserHooks } from "./settings/sandboxSetting.ts";
import { loadSettings, type Settings } from "./settings/settings.ts";
import { findPlugins } from "./plugins/findPlugins.ts";
import { settingsFilesOf, type SourceFile } from "./settings/sources.ts";
import type { PermissionRuleSource } from "./settings/permissions.ts";
import type { AgentDefinition } from "./agents/definition.ts";
import { readDefinitions } from "./agents/readDefinitions.ts";
import { placedTexts, type PlacedText } from "./texts/placedTexts.ts";
import type { ProjectTrust } from "./trust/trust.ts";

/** What files, options and environment say together, with everything a person should know about it. */
export interface Configuration {
  /** Where the session begins to work. */
  workdir: string;
  /** Where its settings are and its hooks run; `workdir` or a folder above it. */
  projectDir: string;
  home: string;
  env: Record<string, string | undefined>;
  settings: Settings;
  /** Where settings are looked for, whether or not there are any. */
  settingsFiles: SourceFile[];
  /** All hooks, also those that are off: a plan says why each does not run. */
  hooks: HookDefinition[];
  off: (hook: HookDefinition) => string | undefined;
  /** Ids of the project's hooks that nobody approved. */
  unreviewed: ReadonlySet<string>;
  /** The state of the repository may be read for the model. */
  believesFolder: boolean;
  /** What the model is told of AGENTS.md. */
  instructions: string;
  /** Commands and skills of the project, as far as they are approved, and of the person. */
  texts: readonly PlacedText[];
  /** The sub-agents that can be started: of the program, of files, and Wave's own. */
  agents: readonly AgentDefinition[];
  /** What the project's files bring along, and what of it is approved; undefined when the program vouches for it. */
  project: ProjectTrust | undefined;
  /** What a person types in this program to look at what waits for an approval. */
  reviewCommand: string | undefined;
  rules: PermissionRuleSource[];
  mode: PermissionMode;
  /** Where commands run in, if anything asks for it. */
  sandbox?: Sandbox;
  notices: { level: "info" | "warning" | "error"; text: string; about?: "project-hooks" }[];
}

/** Throws SettingsError for a file that cannot be read or parsed: Wave does not run unguarded because of a comma. */
export function readConfiguration(options: AgentOptions, knownTools: readonly string[]): Configuration {
  const env = options.env ?? process.env;
  const workdir = workdirOf(options.workdir);
  const person = personHome(env);
  const home = resolve(options.waveHome ?? (env["WAVE_HOME"]?.trim() || join(person, ".wave")));
  const projectDir = findProjectDir(workdir, home, person);
  const found = findPlugins(home, options.plugins);
  const places = {
    projectDir,
    plugins: found.plugins,
    home,
    managedFile: options.managedSettingsFile ?? "/etc/wave/settings.json",
    personHome: person,
    homeIsVouched: options.waveHome !== undefined,
    knownTools,
    sandbox: options.sandbox,
    ...(options.settingsFile === undefined ? {} : { extraFile: resolve(options.settingsFile) }),
    ...(options.mcpFile === undefined ? {} : { mcpFile: resolve(options.mcpFile) }),
    mcpServers: options.mcpServers,
  };
  const all = loadSettings(places);
  all.problems.push(...found.problems);
  const given = hooksFromOption(
    options.hooks === undefined ? {} : options.hooks,
    all.hookDefaults,
    all.hookLimits,
  );
  const fatal = all.problems.filter((problem) => problem.severity === "fatal");
  if (fatal.length > 0) throw new SettingsError(fatal.map(describeProblem));
  const broken = [
    ...given.problems.filter(({ severity }) => severity !== "warning"),
    // One that holds things back while its program is missing guards all the same; the program may still come.
    ...missingPrograms(
      given.hooks.filter(({ onError }) => onErrorFor(onError, "missing") === "continue"),
      { knownTools, projectDir, env },
    ),
  ];
  if (broken.length > 0)
    throw new OptionsError(broken.map(({ path = "hooks", message }) => ({ path, problem: message })));

  const project = believeProject(options.trust ?? "store", options, { home, projectDir, settings: all });
  const { believes } = project;
  const settings = all.ofProject.every(believes) ? all : loadSettings({ ...places, believes });
  // A program may look at them through `agent.hooks`.
  const hooks = [...project.hooks, ...given.hooks].map((hook) => deepFreeze(inItsSandbox(hook, settings)));
  const off = offByScope(options.hookScope ?? "all");
  const ofChanged = hooks.filter(({ source }) =>
    found.plugins.some(({ hooksFile, isChanged }) => isChanged && hooksFile === source.file),
  );
  const unreviewed = new Set([...project.unreviewed, ...ofChanged.map(hookIdOf)]);
  reportLooserHooks(given.hooks, settings.sandbox, () => reportInto(given.problems, undefined));
  const problems = [
    ...settings.problems,
    ...given.problems,
    ...checkHooks(hooks, { knownTools, projectDir, env }),
  ];
  const givenRules = rulesOfOptions(options, { base: projectDir, knownTools });
  const notices: Configuration["notices"] = foldProblems(problems).map(({ severity, text }) => ({
    level: severity === "warning" ? "warning" : "error",
    text,
  }));
  const texts = placedTexts(project.texts, { projectDir, home, plugins: found.plugins });
  const agents = readDefinitions(texts, options.agents);
  return {
    workdir,
    projectDir,
    home,
    env,
    settings,
    settingsFiles: settingsFilesOf(places),
    hooks,
    off,
    unreviewed,
    believesFolder: project.folder,
    instructions: project.instructions,
    texts,
    agents: agents.definitions,
    project: project.project,
    reviewCommand: options.reviewCommand,
    rules: [...project.rules, ...givenRules.rules],
    mode: options.permissionMode ?? settings.permissions.defaultMode ?? "default",
    notices: [
      ...notices,
      ...givenRules.notices,
      ...agents.problems.map((text) => ({ level: "warning" as const, text })),
      ...noticesOnPlace(options, { projectDir, home, person }),
      ...project.notices,
      ...noticesOnHooks(
        hooks.filter((hook) => !unreviewed.has(hookIdOf(hook))),
        off,
        (hook) => whyNeverRuns(hook, { knownTools, projectDir, env }),
      ),
    ],
  };
}

/** What differs and is read only when a session begins; the sandbox has a sentence of its own. */
export function countsLater(before: Settings, after: Settings): string[] {
  const facts: [name: string, of: (settings: Settings) => unknown][] = [
    ["env", ({ env }) => JSON.stringify(env)],
    ["model", ({ model }) => model],
    ["baseUrl", ({ baseUrl }) => baseUrl],
    ["providers", ({ providers }) => JSON.stringify(providers)],
    ["contextSize", ({ contextSize }) => contextSize],
    ["modelTimeout", ({ modelTimeout }) => modelTimeout],
    ["maxSubagents", ({ maxSubagents }) => maxSubagents],
    ["mcpServers", ({ mcpServers }) => JSON.stringify(mcpServers)],
    ["defaultMode", ({ permissions }) => permissions.defaultMode],
  ];
  return facts.flatMap(([name, of]) => (of(before) === of(after) ? [] : [name]));
}

function noticesOnPlace(
  { allowSelfConfig }: AgentOptions,
  { projectDir, home, person }: { projectDir: string; home: string; person: string },
): Configuration["notices"] {
  const outer = guardedAbove(projectDir, home, person);
  return [
    ...(allowSelfConfig ? [{ level: "warning" as const, text: SELF_CONFIG }] : []),
    ...(outer === undefined
      ? []
      : [
          {
            level: "warning" as const,
            text: `hooks and rules of ${outer} do not hold here: ${projectDir} is a project of its own inside it; start Wave in ${outer} for them to hold`,
          },
        ]),
  ];
}

const SELF_CONFIG =
  "the model may change Wave's own configuration (--allow-self-config): protected files, such as settings, hooks, approvals and what git and shells run, are treated like any other file";

/** With the sandbox that holds for it, where there is one. */
function inItsSandbox(hook: HookDefinition, { sandbox }: Settings): HookDefinition {
  const { sandbox: _ownWord, ...rest } = hook;
  const mode = hookSandbox(hook, sandbox);
  return mode === "off" ? rest : { ...rest, sandbox: mode };
}

/** Whoever reads the rules tells of an allow rule that cannot be read; it lets nothing through. */
function rulesOfOptions(
  { permissions = {} }: AgentOptions,
  { base, knownTools }: { base: string; knownTools: readonly string[] },
): { rules: PermissionRuleSource[]; notices: Configuration["notices"] } {
  const place = { scope: "sdk" as const, file: undefined, line: undefined, base };
  const allow = (permissions.allow ?? []).map((rule) => ({ rule, behavior: "allow" as const, ...place }));
  const holding = (["ask", "deny"] as const).flatMap((behavior) =>
    (permissions[behavior] ?? []).map((text) => understandRule(text, behavior, knownTools)),
  );
  return {
    rules: [...allow, ...holding.flatMap(({ rule }) => (rule === undefined ? [] : [{ ...rule, ...place }]))],
    notices: holding.flatMap(({ said }) =>
      said === undefined ? [] : [{ level: said.severity, text: `the options of this run: ${said.message}` }],
    ),
  };
}

/** Hooks of a repository run programs of the repository: said once, as long as nothing asks before (trust comes later). */
function noticesOnHooks(
  hooks: readonly HookDefinition[],
  off: Configuration["off"],
  neverRuns: (hook: HookDefinition) => string | undefined,
): Configuration["notices"] {
  const notices: Configuration["notices"] = [];
  const project = hooks.filter((hook) => hook.source.scope === "project" || hook.source.scope === "local");
  const running = project.filter((hook) => off(hook) === undefined && neverRuns(hook) === undefined);
  if (running.length > 0) {
    const files = [...new Set(running.flatMap((hook) => hook.source.file ?? []))].join(", ");
    notices.push({
      level: "info",
      text: `${count(running.length, "hook")} of this project will run, from ${files}`,
      about: "project-hooks",
    });
  }
  const silenced = hooks.filter((hook) => off(hook) !== undefined);
  const [first] = silenced;
  if (first) {
    const names = silenced.map((hook) => hook.name).join(", ");
    notices.push({
      level: "warning",
      text: `${count(silenced.length, "hook")} off, because ${off(first)}: ${names}`,
    });
  }
  return notices;
}

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
