import type { z } from "zod";
import { isOfProject, type SettingsScope } from "../../hooks/definition.ts";
import { HOOK_EVENT_NAMES, type HookEvent } from "../../hooks/events.ts";
import { sessionsSchema, settingsSchema } from "./schema.ts";
import { RULE_BEHAVIORS } from "../../permissions/matchRules.ts";
import { misspeltName, nearestName } from "../../utils/nearestName.ts";
import { quoted } from "../../utils/quoted.ts";
import { fieldOf, kindOf, plainValue, type SettingsObject } from "./node.ts";
import { isMeantAsHookDefaults } from "./onErrorSetting.ts";
import { whyWrong, type Report } from "./problem.ts";
import { isReservedVariable } from "./projectLimits.ts";
import { once } from "../../utils/once.ts";

const keys = once(() => Object.keys(settingsSchema().shape));

/** Keys of Claude Code's settings that people bring along. They do nothing here, which is said once for all of them. */
const KEYS_OF_OTHERS: ReadonlySet<string> = new Set(
  `additionalDirectories allowManagedHooksOnly alwaysThinkingEnabled apiKeyHelper attribution
  autoUpdatesChannel availableModels awsAuthRefresh awsCredentialExport cleanupPeriodDays companyAnnouncements
  disabledMcpjsonServers effortLevel enableAllProjectMcpServers enabledMcpjsonServers enabledPlugins
  extraKnownMarketplaces fileSuggestion forceLoginMethod forceLoginOrgUUID includeCoAuthoredBy
  language otelHeadersHelper outputStyle plansDirectory respectGitignore showThinkingSummaries
  skipDangerousModePermissionPrompt spinnerTipsEnabled spinnerVerbs statusLine strictPluginOnlyCustomization theme
  viewMode`.split(/\s+/),
);

export function reportUnknownKeys(root: SettingsObject, report: Report): void {
  const unused = root.entries.filter(({ key }) => KEYS_OF_OTHERS.has(key));
  if (unused[0])
    report(
      "warning",
      { ...unused[0].node, path: "" },
      `not used by Wave: ${unused.map(({ key }) => key).join(", ")}`,
    );
  for (const { key, node } of root.entries) {
    if (keys().includes(key) || KEYS_OF_OTHERS.has(key)) continue;
    if (key === "disableAllHooks") {
      report(
        "warning",
        node,
        "disableAllHooks does not switch hooks off in Wave; start it with --no-hooks for that",
      );
      continue;
    }
    // Read, with a word about it, by whoever reads the defaults.
    if (isMeantAsHookDefaults(key)) continue;
    if (RULE_LISTS.includes(key.toLowerCase())) {
      report(
        "fatal",
        node,
        `${quoted(key)} belongs in permissions and would guard nothing here; write "permissions": {${quoted(key.toLowerCase())}: …}`,
      );
      continue;
    }
    const guard = misspeltName(key, GUARDS);
    if (guard !== undefined) {
      report("fatal", node, guardMisspelt(key, "a setting of Wave", guard));
      continue;
    }
    const nearest = nearestName(key, keys());
    const hint =
      nearest === undefined ? `the settings are ${keys().join(", ")}` : `did you mean ${quoted(nearest)}?`;
    report("warning", node, `${quoted(key)} is not a setting of Wave and is not used; ${hint}`);
  }
}

/** Passed over with a warning, everything in it would guard nothing. */
const GUARDS = ["hooks", "permissions", "sandbox"] as const;

/** Rules outside of permissions are read by nobody. */
const RULE_LISTS: readonly string[] = RULE_BEHAVIORS;

/** Other unknown names cost a warning, so that newer files still load; one of these would cost what should guard. */
export const guardMisspelt = (key: string, what: string, meant: string) =>
  `${quoted(key)} is not ${what} and would guard nothing; did you mean ${quoted(meant)}? Write that, or remove it`;

export function readModel(root: SettingsObject, report: Report): string | undefined {
  const field = fieldOf(root, "model");
  if (field === undefined) return undefined;
  const parsed = settingsSchema().shape.model.safeParse(plainValue(field));
  if (!parsed.success) report("error", field, whyWrong("model", parsed.error, field));
  return parsed.data;
}

export function readContextSize(root: SettingsObject, report: Report): number | undefined {
  const field = fieldOf(root, "contextSize");
  if (field === undefined) return undefined;
  const parsed = settingsSchema().shape.contextSize.safeParse(plainValue(field));
  if (!parsed.success) report("error", field, whyWrong("contextSize", parsed.error, field));
  return parsed.data;
}

/** Characters of one hook's text that the model gets. */
export type ContextLimits = { [E in HookEvent]?: number | undefined };

/** A repository has no say in how much of a person's own hooks is heard. */
export function readContextLimits(
  root: SettingsObject,
  scope: SettingsScope,
  report: Report,
): ContextLimits | undefined {
  const field = fieldOf(root, "hookContextLimit");
  if (field === undefined) return undefined;
  if (isOfProject(scope)) {
    report(
      "warning",
      field,
      "hookContextLimit is not read from a project's files; set it in your own settings",
    );
    return undefined;
  }
  const parsed = settingsSchema().shape.hookContextLimit.safeParse(plainValue(field));
  if (!parsed.success)
    report(
      "error",
      field,
      `${whyWrong("hookContextLimit", parsed.error, field)}; the default of 16 KiB holds`,
    );
  const { data } = parsed;
  if (typeof data !== "number") return data;
  return Object.fromEntries(HOOK_EVENT_NAMES.map((event) => [event, data]));
}

type Values = z.infer<ReturnType<typeof settingsSchema>>;

/** Reads a setting that a project has no say in, for the reason given. */
const ownSetting =
  <K extends OwnKey>(key: K, why: string) =>
  (root: SettingsObject, scope: SettingsScope, report: Report): Values[K] => {
    const field = fieldOf(root, key);
    if (field === undefined) return undefined;
    if (isOfProject(scope)) {
      report("warning", field, `${key} in a project's file is not used: ${why}; set it in your own settings`);
      return undefined;
    }
    const parsed = settingsSchema().shape[key].safeParse(plainValue(field));
    if (!parsed.success) report("error", field, whyWrong(key, parsed.error, field));
    return parsed.data as Values[K];
  };

type OwnKey =
  | "allowedHttpHookUrls"
  | "httpHookAllowedEnvVars"
  | "baseUrl"
  | "hooksFrom"
  | "maxSubagents"
  | "modelTimeout"
  | "notifications"
  | "windowTitle";

export const readBaseUrl = ownSetting("baseUrl", "a project must not redirect your key");
/** Other agents whose hooks in the person's own home are run, too. */
export const readHooksFrom = ownSetting("hooksFrom", "which of your own hooks run is yours to say");
export const readHttpUrls = ownSetting("allowedHttpHookUrls", "whom hooks may ask is yours to say");
export const readHttpVariables = ownSetting("httpHookAllowedEnvVars", "what hooks may send is yours to say");
/** In seconds. */
export const readModelTimeout = ownSetting("modelTimeout", "how long to wait is yours to say");
export const readMaxSubagents = ownSetting("maxSubagents", "how much works at once is yours to say");
export const readNotifications = ownSetting("notifications", "how you are told is yours to say");
export const readWindowTitle = ownSetting("windowTitle", "your window is yours");

export function readKeepDays(root: SettingsObject, scope: SettingsScope, report: Report): number | undefined {
  const sessions = fieldOf(root, "sessions");
  if (sessions === undefined) return undefined;
  if (sessions.type !== "object") {
    report("error", sessions, `sessions must be an object such as {"keepDays": 30}, not ${kindOf(sessions)}`);
    return undefined;
  }
  for (const { key, node } of sessions.entries) {
    if (!Object.hasOwn(sessionsSchema().shape, key))
      report("warning", node, `${quoted(key)} is not a setting of sessions and is not used`);
  }
  const field = fieldOf(sessions, "keepDays");
  if (field === undefined) return undefined;
  if (isOfProject(scope)) {
    report(
      "warning",
      field,
      "sessions.keepDays in a project's file is not used: a project must not delete your sessions",
    );
    return undefined;
  }
  const parsed = sessionsSchema().shape.keepDays.safeParse(plainValue(field));
  if (!parsed.success)
    report("error", field, `${whyWrong("keepDays", parsed.error, field)}; nothing is deleted`);
  return parsed.data;
}

export function readEnv(
  root: SettingsObject,
  scope: SettingsScope,
  report: Report,
): [name: string, value: string][] {
  const env = fieldOf(root, "env");
  if (env === undefined) return [];
  if (env.type !== "object") {
    report("error", env, `env must be an object with names and values, not ${kindOf(env)}`);
    return [];
  }
  return env.entries.flatMap(({ key, node }): [string, string][] => {
    const parsed = settingsSchema().shape.env.unwrap().valueType.safeParse(plainValue(node));
    // Starting a process with such a name or value throws, and every tool and hook would fail.
    const isUsable = /^[^=\0]+$/.test(key) && !parsed.data?.includes("\0");
    if (!parsed.success) {
      report("error", node, whyWrong(`the variable ${quoted(key)}`, parsed.error, node));
      return [];
    }
    if (!isUsable) {
      report("error", node, `${quoted(key)} cannot be an environment variable`);
      return [];
    }
    if (isOfProject(scope) && isReservedVariable(key)) {
      report(
        "warning",
        node,
        `${quoted(key)} in a project's env is not used: it could redirect programs or your key; set it in your own settings`,
      );
      return [];
    }
    return [[key, parsed.data]];
  });
}
