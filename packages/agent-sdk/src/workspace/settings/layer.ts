import type { HookDialect } from "../../hooks/dialect.ts";
import type { HookKindRow, HookLimits } from "../../hooks/kinds/kind.ts";
import type { HookDefaults } from "../../hooks/hookDefaults.ts";
import { readHooks } from "./hookEvents.ts";
import {
  readBaseUrl,
  readContextLimits,
  readContextSize,
  readEnv,
  readHooksFrom,
  readHttpUrls,
  readHttpVariables,
  readKeepDays,
  readModel,
  readMaxSubagents,
  readModelTimeout,
  readNotifications,
  readWindowTitle,
  reportUnknownKeys,
} from "./keys.ts";
import { readMcpServers } from "./mcpServers.ts";
import { fieldsOf, type SettingsObject } from "./node.ts";
import { readPermissions, type PermissionsPlace } from "./permissions.ts";
import type { Report } from "./problem.ts";
import { readProtectEnv } from "./protectedEnv.ts";
import { readProviders } from "./providers.ts";
import { reportRepeatedNames } from "./repeatedNames.ts";
import { readSandbox } from "./sandboxSetting.ts";

export interface LayerPlace extends PermissionsPlace {
  defaults: HookDefaults;
  dialect?: HookDialect;
  kinds?: readonly HookKindRow[];
  limits?: HookLimits;
  variables?: Readonly<Record<string, string>>;
}

/** What one file says, before it is put together with the others. */
export type Layer = ReturnType<typeof readLayer>;

export function readLayer(root: SettingsObject, place: LayerPlace, report: Report) {
  const { scope, file } = place;
  reportRepeatedNames(root, report);
  reportUnknownKeys(root, report);
  const read = fieldsOf(root, "hooks").map((node) => readHooks(node, place, report));
  return {
    scope,
    file,
    hooks: read.flatMap(({ hooks }) => hooks),
    leftOut: read.flatMap(({ leftOut }) => leftOut),
    ...readPermissions(root, place, report),
    hooksFrom: readHooksFrom(root, scope, report),
    httpUrls: readHttpUrls(root, scope, report),
    httpVariables: readHttpVariables(root, scope, report),
    model: readModel(root, report),
    contextSize: readContextSize(root, report),
    contextLimits: readContextLimits(root, scope, report),
    baseUrl: readBaseUrl(root, scope, report),
    providers: readProviders(root, scope, report),
    modelTimeout: readModelTimeout(root, scope, report),
    maxSubagents: readMaxSubagents(root, scope, report),
    notifications: readNotifications(root, scope, report),
    windowTitle: readWindowTitle(root, scope, report),
    env: readEnv(root, scope, report),
    mcpServers: readMcpServers(root, report),
    protectEnv: readProtectEnv(root, report),
    keepDays: readKeepDays(root, scope, report),
    sandbox: readSandbox(root, { scope, from: file }, report),
  };
}
