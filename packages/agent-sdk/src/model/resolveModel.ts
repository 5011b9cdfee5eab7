import { ModelError } from "../errors.ts";
import { MODEL_PROVIDERS, SPOKEN_EVERYWHERE, type ModelProvider } from "../utils/modelProviders.ts";
import type { ModelTarget } from "./call.ts";
import { first, type Found } from "./found.ts";
import { noKey } from "./noKey.ts";
import { isLoopback } from "./proxy.ts";
import type { ModelOptions } from "./request.ts";
import { PATIENCE, type Patience } from "./silence.ts";

/** Where a value comes from that nobody set. */
export const DEFAULT = "the default";

/** Which provider, under which name of its own, and who said so. */
interface Place {
  provider: ModelProvider;
  model: Found | undefined;
  baseUrl: Found;
  /** Keys that are not named after a provider are for this one. */
  takesAnyKey: boolean;
}

/**
 * Options, then WAVE_…, then OPENAI_…, then settings. A server that somebody named by its address is the only one, and names of models
 * are its own. Otherwise the name says the provider, or the key that is set does. Throws ModelError when the result cannot work.
 */
export function resolveModel(options: ModelOptions): ModelTarget {
  const providers = providersOf(options.settings);
  const place = placeOf({ ...options, providers });
  const { provider, model } = place;
  const baseUrl = readBaseUrl(place.baseUrl);
  const key = keyOf(place, options);
  const target: ModelTarget = {
    protocol: provider.protocol,
    provider: provider.id,
    baseUrl,
    address: addressOf(baseUrl),
    apiKey: key?.value,
    keyFrom: key?.from ?? "nowhere",
    headers: options.settings.providers?.[provider.id]?.headers ?? {},
    model: model?.value,
    modelFrom: model?.from ?? "nowhere",
    env: options.env,
  };
  if (key) checkKey(key);
  else if (!isLoopback(baseUrl) && baseUrl.username === "")
    throw new ModelError(
      "no-key",
      noKey({ providers, provider, model, address: target.address, env: options.env }),
    );
  return target;
}

/** The one in use, and every other provider whose key is set. Throws as `resolveModel` does. */
export function usableTargets(options: ModelOptions): ModelTarget[] {
  const inUse = resolveModel(options);
  if (inUse.provider === OWN_SERVER) return [inUse];
  const others = providersOf(options.settings).flatMap(({ id }) => {
    try {
      const target = resolveModel({ ...options, chosenModel: `${id}/any` });
      return id !== inUse.provider && target.provider === id ? [target] : [];
    } catch (error) {
      // No key, or no address that works: whoever wants this one hears of it.
      if (error instanceof ModelError) return [];
      throw error;
    }
  });
  return [inUse, ...others];
}

/** The name by which a person finds the same model again. */
export function fullName({ provider, model }: Pick<ModelTarget, "provider" | "model">): string | undefined {
  return model === undefined || provider === OWN_SERVER ? model : `${provider}/${model}`;
}

/** What is asked, and whom it may be asked of. */
type Asked = ModelOptions & { providers: readonly ModelProvider[] };

function placeOf(options: Asked): Place {
  const { env, settings } = options;
  const chosen = first([["the choice in this session", options.chosenModel]]);
  const named = first([
    ["the model option", options.model],
    ["the model server on this machine", options.localModel],
    ["WAVE_MODEL", env["WAVE_MODEL"]],
    ['"model" in settings', settings.model],
  ]);
  const address = first([
    ["the baseUrl option", options.baseUrl],
    ["WAVE_BASE_URL", env["WAVE_BASE_URL"]],
    ["OPENAI_BASE_URL", env["OPENAI_BASE_URL"]],
    ['"baseUrl" in settings', settings.baseUrl],
  ]);
  if (address) return atAddress(address, chosen ?? named, options.providers);
  const home = byName(named, options) ?? byKey(named, options);
  const place = chosen ? (byName(chosen, options) ?? { ...home, model: chosen }) : home;
  const { provider } = place;
  const model = place.model ?? defaultOf(provider);
  const takesAnyKey = provider.id === home.provider.id;
  return { provider, model, baseUrl: baseUrlOf(provider, options), takesAnyKey };
}

/** The address of a provider is that provider's; any other server is asked in the protocol that most of them speak. */
function atAddress(address: Found, named: Found | undefined, providers: readonly ModelProvider[]): Place {
  const host = URL.canParse(address.value) ? new URL(address.value).hostname : undefined;
  const known = MODEL_PROVIDERS.find(({ baseUrl }) => new URL(baseUrl).hostname === host);
  const own: ModelProvider = {
    id: OWN_SERVER,
    name: "your own server",
    protocol: SPOKEN_EVERYWHERE,
    baseUrl: address.value,
    keys: ["OPENAI_API_KEY"],
  };
  const isTheirs = known !== undefined && !/\/openai\/?$/.test(address.value);
  const provider = isTheirs ? (providers.find(({ id }) => id === known.id) ?? known) : own;
  const model = named && { ...named, value: withoutPrefix(named.value, provider) };
  return { provider, model: model ?? defaultOf(provider), baseUrl: address, takesAnyKey: true };
}

/** A server that is named by its address has no name of its own. */
const OWN_SERVER = "own server";

type Choice = Pick<Place, "provider" | "model">;

/** "anthropic/claude-…" goes to Anthropic, or, when only a router's key is set, to the router, who knows it by the same name. */
function byName(named: Found | undefined, options: Asked): Choice | undefined {
  const provider = options.providers.find((one) => named && withoutPrefix(named.value, one) !== named.value);
  if (!named || !provider) return undefined;
  const router = options.providers.find((one) => one.routes && ownKey(one, options.env));
  const isReachable = ownKey(provider, options.env) || anyKey(options) || !router;
  if (!isReachable) return { provider: router, model: named };
  return { provider, model: { ...named, value: withoutPrefix(named.value, provider) } };
}

/** A name alone: the provider is the one whose models are called so, or whose key is set. */
function byKey(named: Found | undefined, options: Asked): Choice {
  const any = anyKey(options);
  const provider =
    options.providers.find(({ models }) => named && models?.test(named.value)) ??
    options.providers.find(({ keyBegins }) => any && keyBegins?.test(any.value)) ??
    (any ? undefined : options.providers.find((one) => ownKey(one, options.env))) ??
    options.providers[0];
  if (!provider) throw new Error("there is no provider of models");
  return { provider, model: named };
}

function withoutPrefix(name: string, { id, aliases = [] }: ModelProvider): string {
  const prefix = [id, ...aliases].find((one) => name.toLowerCase().startsWith(`${one}/`));
  return prefix === undefined ? name : name.slice(prefix.length + 1);
}

function defaultOf({ defaultModel }: ModelProvider): Found | undefined {
  return first([[DEFAULT, defaultModel]]);
}

/** Wave's own and those of the settings, which may also say where one of Wave's is. */
function providersOf({ providers = {} }: ModelOptions["settings"]): ModelProvider[] {
  const own = Object.entries(providers).flatMap(
    ([id, { protocol = SPOKEN_EVERYWHERE, baseUrl, keyVariable }]) => {
      const isKnown = MODEL_PROVIDERS.some((known) => known.id === id);
      if (isKnown || baseUrl === undefined) return [];
      return [{ id, name: id, protocol, baseUrl, keys: keyVariable === undefined ? [] : [keyVariable] }];
    },
  );
  const known = MODEL_PROVIDERS.map((provider) => {
    const { protocol, keyVariable } = providers[provider.id] ?? {};
    return {
      ...provider,
      ...(protocol && { protocol }),
      ...(keyVariable !== undefined && { keys: [keyVariable, ...provider.keys] }),
    };
  });
  return [...known, ...own];
}

function baseUrlOf({ id, baseUrl, baseUrlVariable }: ModelProvider, { env, settings }: ModelOptions): Found {
  const set = first([
    ...(baseUrlVariable === undefined ? [] : [named(baseUrlVariable, env)]),
    [`"providers.${id}.baseUrl" in settings`, settings.providers?.[id]?.baseUrl],
  ]);
  return set ?? { from: DEFAULT, value: baseUrl };
}

function keyOf({ provider, takesAnyKey }: Place, options: ModelOptions): Found | undefined {
  return (takesAnyKey ? anyKey(options) : undefined) ?? ownKey(provider, options.env);
}

const anyKey = ({ apiKey, env }: ModelOptions) =>
  first([["the apiKey option", apiKey], named("WAVE_API_KEY", env)]);
const ownKey = ({ keys }: ModelProvider, env: ModelOptions["env"]) =>
  first(keys.map((name) => named(name, env)));
const named = (name: string, env: ModelOptions["env"]): [string, string | undefined] => [name, env[name]];

/** The modelTimeout option, then WAVE_MODEL_TIMEOUT, then settings. Throws ModelError when the variable says no number of seconds. */
export function patienceOf({ modelTimeout, env, settings }: ModelOptions): Patience {
  const variable = env["WAVE_MODEL_TIMEOUT"]?.trim();
  const seconds = modelTimeout ?? (variable ? Number(variable) : settings.modelTimeout);
  if (seconds === undefined) return PATIENCE;
  if (seconds > 0 && seconds <= LONGEST_TIMEOUT) return { ...PATIENCE, silenceMs: seconds * 1000 };
  const from = modelTimeout === undefined ? "WAVE_MODEL_TIMEOUT" : "modelTimeout";
  throw new ModelError(
    "bad-request",
    `${from} is not a number of seconds between 0 and ${LONGEST_TIMEOUT}; correct it or unset it.`,
  );
}

/** A day. */
const LONGEST_TIMEOUT = 86_400;

function readBaseUrl({ value, from }: Found): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new ModelError(
    "unreachable",
    `The base URL from ${from} is not an http:// or https:// address; set ${from} to one like https://models.example/v1.`,
    { canRetry: false },
  );
}

function checkKey({ value, from }: Found): void {
  if (/^[\x21-\x7e]+$/.test(value)) return;
  throw new ModelError(
    "wrong-key",
    `The key from ${from} holds a space, a line break or another character that no key has; set ${from} again.`,
  );
}

function addressOf(baseUrl: URL): string {
  return `${baseUrl.origin}${baseUrl.pathname.replace(/\/+$/, "")}`;
}
