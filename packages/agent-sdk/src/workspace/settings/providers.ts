import { isOfProject, type SettingsScope } from "../../hooks/definition.ts";
import { providerIdSchema, providerSchema, type ProviderSetting } from "./providersSchema.ts";
import { MODEL_PROVIDERS } from "../../utils/modelProviders.ts";
import { quoted } from "../../utils/quoted.ts";
import { fieldOf, kindOf, plainValue, type SettingsNode, type SettingsObject } from "./node.ts";
import { whyWrong, type Report } from "./problem.ts";

export type ProviderSettings = Readonly<Record<string, ProviderSetting>>;

/** Where providers of models are, and what is sent to them. A project has no say in it: it would get the key. */
export function readProviders(root: SettingsObject, scope: SettingsScope, report: Report): ProviderSettings {
  const field = fieldOf(root, "providers");
  if (field === undefined) return {};
  if (isOfProject(scope)) {
    const why = "a project must not redirect your keys; set them in your own settings";
    report("warning", field, `providers in a project's file are not used: ${why}`);
    return {};
  }
  if (field.type !== "object") {
    report("error", field, `providers must be an object such as {"anthropic": {…}}, not ${kindOf(field)}`);
    return {};
  }
  const read = field.entries.flatMap(({ key, node }) => {
    const provider = readProvider(key, node, report);
    return provider ? [[key, provider] as const] : [];
  });
  return Object.fromEntries(read);
}

/** Left out when it is wrong: half of it could send a key to the wrong place. */
function readProvider(id: string, node: SettingsNode, report: Report): ProviderSetting | undefined {
  const named = providerIdSchema().safeParse(id);
  if (!named.success) {
    report(
      "error",
      node,
      `a provider's name ${named.error.issues[0]?.message}, not ${quoted(id)}; it is not used`,
    );
    return undefined;
  }
  if (node.type !== "object") {
    report("error", node, `${quoted(id)} must be an object such as {"baseUrl": "…"}, not ${kindOf(node)}`);
    return undefined;
  }
  const known = Object.keys(providerSchema().shape);
  const wrong = node.entries.flatMap(({ key, node: value }) => {
    const field = Object.entries(providerSchema().shape).find(([name]) => name === key)?.[1];
    if (!field) {
      report(
        "error",
        value,
        `${quoted(key)} is not a setting of a provider; they are ${known.join(", ")}; it is not used`,
      );
      return [key];
    }
    const parsed = field.safeParse(plainValue(value));
    if (!parsed.success)
      report("error", value, `${whyWrong(key, parsed.error, value)}; ${quoted(id)} is not used`);
    return parsed.success ? [] : [key];
  });
  if (wrong.length > 0) return undefined;
  const provider = providerSchema().parse(plainValue(node));
  const isWaves = MODEL_PROVIDERS.some((one) => one.id === id);
  if (isWaves || provider.baseUrl !== undefined) return provider;
  const names = MODEL_PROVIDERS.map((one) => one.id).join(", ");
  report("error", node, `${quoted(id)} needs a baseUrl, as it is not one of ${names}; it is not used`);
  return undefined;
}
