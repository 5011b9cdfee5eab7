import { ModelError } from "../errors.ts";
import type { ModelOptions } from "./request.ts";
import type { ModelTarget } from "./call.ts";
import { isLoopback } from "./proxy.ts";
import { PATIENCE, type Patience } from "./silence.ts";

export const OPENAI_BASE_URL = "https://api.openai.com/v1";
/** OpenAI's newest that takes tools over Chat Completions as they are; its successors want another protocol for them. */
export const OPENAI_DEFAULT_MODEL = "gpt-5.4";

/** Where a value comes from that nobody set. */
export const DEFAULT = "the default";

/** Options, then WAVE_…, then OPENAI_…, then settings. Throws ModelError when the result cannot work. */
export function resolveModel(options: ModelOptions): ModelTarget {
  const { env, settings } = options;
  const base = first([
    ["the baseUrl option", options.baseUrl],
    ["WAVE_BASE_URL", env["WAVE_BASE_URL"]],
    ["OPENAI_BASE_URL", env["OPENAI_BASE_URL"]],
    ['"baseUrl" in settings', settings.baseUrl],
    [DEFAULT, OPENAI_BASE_URL],
  ]);
  const key = first([
    ["the apiKey option", options.apiKey],
    ["WAVE_API_KEY", env["WAVE_API_KEY"]],
    ["OPENAI_API_KEY", env["OPENAI_API_KEY"]],
  ]);
  const baseUrl = readBaseUrl(base?.value ?? OPENAI_BASE_URL, base?.from ?? DEFAULT);
  const isOpenAI = baseUrl.hostname === new URL(OPENAI_BASE_URL).hostname;
  const model = first([
    ["the choice in this session", options.chosenModel],
    ["the model option", options.model],
    ["the model server on this machine", options.localModel],
    ["WAVE_MODEL", env["WAVE_MODEL"]],
    ['"model" in settings', settings.model],
    [DEFAULT, isOpenAI ? OPENAI_DEFAULT_MODEL : undefined],
  ]);
  const target: ModelTarget = {
    protocol: "chat-completions",
    baseUrl,
    address: addressOf(baseUrl),
    apiKey: key?.value,
    keyFrom: key?.from ?? "nowhere",
    model: model?.value,
    modelFrom: model?.from ?? "nowhere",
    env,
  };
  checkKey(target, isOpenAI);
  return target;
}

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

/** Empty counts as not set: `WAVE_MODEL= wave` is how a person unsets it for one run. */
function first(
  candidates: [from: string, value: string | undefined][],
): { from: string; value: string } | undefined {
  for (const [from, value] of candidates) {
    const trimmed = value?.trim();
    if (trimmed) return { from, value: trimmed };
  }
  return undefined;
}

function readBaseUrl(value: string, from: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new ModelError(
    "unreachable",
    `The base URL from ${from} is not an http:// or https:// address; set ${from} to one like https://models.example/v1.`,
    { canRetry: false },
  );
}

function checkKey(target: ModelTarget, isOpenAI: boolean): void {
  const { apiKey, address, baseUrl } = target;
  if (apiKey !== undefined) {
    if (/^[\x21-\x7e]+$/.test(apiKey)) return;
    throw new ModelError(
      "wrong-key",
      `The key from ${target.keyFrom} holds a space, a line break or another character that no key has; set ${target.keyFrom} again.`,
    );
  }
  if (isLoopback(baseUrl) || baseUrl.username !== "") return;
  const other = isOpenAI ? "" : " (any word will do if the server asks for none)";
  throw new ModelError(
    "no-key",
    `No API key for the model at ${address}: set WAVE_API_KEY or OPENAI_API_KEY${other}, or run \`wave demo\`, which needs none.`,
  );
}

function addressOf(baseUrl: URL): string {
  return `${baseUrl.origin}${baseUrl.pathname.replace(/\/+$/, "")}`;
}
