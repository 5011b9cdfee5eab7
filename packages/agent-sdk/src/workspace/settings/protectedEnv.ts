import { isOfProject, type HookDefinition, type SettingsScope } from "../../hooks/definition.ts";
import { settingsSchema } from "./schema.ts";
import { quoted } from "../../utils/quoted.ts";
import type { SettingsProblem } from "./problem.ts";
import { fieldOf, plainValue, type SettingsObject } from "./node.ts";
import { whyWrong, type Report } from "./problem.ts";

/** Names of variables that a file wants left alone. */
export function readProtectEnv(root: SettingsObject, report: Report): readonly string[] {
  const field = fieldOf(root, "protectEnv");
  if (field === undefined) return [];
  const parsed = settingsSchema().shape.protectEnv.safeParse(plainValue(field));
  if (!parsed.success)
    report("error", field, `${whyWrong("protectEnv", parsed.error, field)}; nothing is protected`);
  return parsed.data ?? [];
}

interface EnvLayer {
  scope: SettingsScope;
  file: string;
  env: [name: string, value: string][];
  protectEnv: readonly string[];
}

/** What a hook or a file declares as protected is set by managed settings or by nobody: a guard can rely on it (T84). */
export function withoutProtectedEnv<Layer extends EnvLayer>(
  layers: readonly Layer[],
  hooks: readonly HookDefinition[],
  problems: SettingsProblem[],
): Layer[] {
  return layers.map((layer) => {
    if (layer.scope === "managed") return layer;
    const names = protectedFrom(layer.scope, layers, hooks);
    const kept = layer.env.filter(([name]) => !names.has(name));
    for (const [name] of layer.env) {
      if (!names.has(name)) continue;
      const message = `${quoted(name)} in env ${IS_PROTECTED}`;
      problems.push({ severity: "warning", file: layer.file, line: undefined, path: `env.${name}`, message });
    }
    return { ...layer, env: kept };
  });
}

/** The same for what single hooks set for themselves. A hook may set what only it protects. */
export function withoutProtectedHookEnv(
  hooks: readonly HookDefinition[],
  layers: readonly EnvLayer[],
  problems: SettingsProblem[],
): HookDefinition[] {
  return hooks.map((hook) => {
    const { env, source } = hook;
    if (env === undefined || source.scope === "managed") return hook;
    const others = hooks.filter((one) => one !== hook);
    const names = protectedFrom(source.scope, layers, others);
    for (const name of Object.keys(env).filter((one) => names.has(one))) {
      const { file, line, path } = source;
      const message = `${quoted(name)} in env ${IS_PROTECTED}`;
      problems.push({ severity: "warning", file, line, path: `${path}.env`, message });
    }
    return { ...hook, env: Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name))) };
  });
}

const IS_PROTECTED =
  "is not used: a hook or other settings protect this variable (protectEnv), so only managed settings set it";

function protectedFrom(
  scope: SettingsScope,
  layers: readonly EnvLayer[],
  hooks: readonly HookDefinition[],
): ReadonlySet<string> {
  const declared = [
    ...layers,
    ...hooks.map(({ source, protectEnv = [] }) => ({ scope: source.scope, protectEnv })),
  ];
  // A repository has no say in what a person's own settings set.
  const heard = declared.filter((one) => isOfProject(scope) || !isOfProject(one.scope));
  return new Set(heard.flatMap(({ protectEnv }) => protectEnv));
}
