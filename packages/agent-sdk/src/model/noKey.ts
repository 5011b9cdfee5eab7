import { OTHER_KEYS, type ModelProvider } from "../utils/modelProviders.ts";
import type { Found } from "./found.ts";

/** Why there is no key, in one sentence: what to set, and what is set and of no use here. */
export function noKey(missing: {
  providers: readonly ModelProvider[];
  provider: ModelProvider;
  model: Found | undefined;
  address: string;
  env: Record<string, string | undefined>;
}): string {
  const { providers, provider, model, address, env } = missing;
  const isSet = (name: string) => (env[name] ?? "").trim() !== "";
  const set = providers.filter(({ keys }) => keys.some(isSet));
  const others = Object.keys(OTHER_KEYS).filter(isSet);
  const known = providers.includes(provider);
  const nobodyAsked = known && set.length === 0 && (model === undefined || model.from === "the default");
  const what = nobodyAsked
    ? `No API key is set: set ${either(providers.flatMap(({ keys }) => keys.slice(0, 1)))} (WAVE_API_KEY and WAVE_BASE_URL for a server of your own)`
    : `No API key for ${known ? provider.name : `the model at ${address}`}${asked(model, known)}: set ${either(["WAVE_API_KEY", ...provider.keys])}`;
  const anyWord = known ? "" : " (any word will do if the server asks for none)";
  const unusable = [
    ...set.map(({ name, keys }) => `${keys.find(isSet)} is set, and is ${name}'s`),
    ...others.map(
      (name) =>
        `${name} is set, and counts only with WAVE_BASE_URL=${OTHER_KEYS[name]} and WAVE_API_KEY=$${name}`,
    ),
  ];
  return `${[`${what}${anyWord}, or run \`wave demo\`, which needs none`, ...unusable].join("; ")}.`;
}

function asked(model: Found | undefined, known: boolean): string {
  return known && model ? `, whose model "${model.value}" comes from ${model.from}` : "";
}

const either = (names: readonly string[]) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
