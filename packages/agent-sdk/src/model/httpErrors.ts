import { ModelError, type ModelErrorKind } from "../errors.ts";
import type { NamedTarget, RetryAdvice } from "./call.ts";
import { longWait, MAX_ATTEMPTS } from "./retry.ts";
import { looksLikeHtml, serverText, serverWords } from "./serverWords.ts";
import { saysTooLong, wantsMoreThanAMinute } from "./tooLong.ts";

export interface HttpFailure {
  /** Absent when the error came in the middle of an answer that began well. */
  status: number | undefined;
  body: string;
  location?: string | undefined;
  retryAfterMs?: number | undefined;
  /** `x-should-retry: false`: the server knows that asking again is of no use. */
  useless?: boolean;
}

export type FailureTarget = Pick<NamedTarget, "address" | "apiKey" | "keyFrom" | "model" | "modelFrom">;

const UNKNOWN_MODEL = [
  /model_not_found|model_not_exist|not_found_error.{0,40}model/i,
  /\bmodel\b[^.]{0,120}(not found|does not exist|doesn't exist|not exist|is not available)/i,
  /(unknown|invalid|no such|unsupported|not a valid) model\b/i,
];

/** Ollama, OpenRouter, vLLM. */
const NO_TOOLS =
  /not support (tools|tool use|tool calling|function calling)|support tool use|tool choice requires|tools? (is|are) not supported/i;

const NO_CREDIT = /insufficient_quota|insufficient.{0,10}(balance|credit|funds)|billing/i;

/** In the middle of a stream, and from some gateways, the words come without status 429. */
const RATE_LIMITED =
  /rate[_ ]limit[_ ]?(ed|reached|exceeded|error)|too many requests|\btokens per (min|minute|hour|day)\b/i;

const OVERLOADED = /overloaded|over capacity|server_busy|no (healthy|available) (upstream|backend|server)/i;

/** Status and body to one sentence for a person: what happened, where, what to do. */
export function readHttpFailure(
  failure: HttpFailure,
  target: FailureTarget,
): { error: ModelError; retry: RetryAdvice } {
  const { kind, message, retryBecause } = judge(failure, target);
  const { status, retryAfterMs } = failure;
  const options = { status, retryAfterMs, canRetry: retryBecause !== undefined && !failure.useless };
  const wait = longWait(retryAfterMs);
  if (retryBecause !== undefined && wait !== undefined) {
    const text = `${retryBecause}; the server asks to wait ${wait}, which is longer than Wave waits by itself: send again then.`;
    return { error: new ModelError(kind, text, options), retry: { again: "no" } };
  }
  const again: RetryAdvice =
    retryBecause !== undefined && options.canRetry
      ? { again: "later", attempts: MAX_ATTEMPTS, afterMs: retryAfterMs, why: retryBecause }
      : { again: "no" };
  return { error: new ModelError(kind, message, options), retry: again };
}

interface Judgement {
  kind: ModelErrorKind;
  message: string;
  /** What happened, without advice; absent when asking again is of no use. */
  retryBecause?: string;
}

function judge(failure: HttpFailure, target: FailureTarget): Judgement {
  const { status, body, location } = failure;
  const { address, keyFrom, model } = target;
  const words = serverWords(body, target.apiKey);
  const said = words === "" ? "" : `: ${words}`;
  const code = status === undefined ? "" : ` (status ${status})`;
  const text = serverText(body);
  const isLimit = status === 429 || RATE_LIMITED.test(text);
  const tooLong = wantsMoreThanAMinute(text) || (!isLimit && saysTooLong(text));
  const is = (patterns: RegExp[]): boolean => patterns.some((pattern) => pattern.test(text));

  if (status === 401) {
    const message =
      target.apiKey === undefined
        ? `The model server at ${address} wants a key${code} and none is set; set WAVE_API_KEY.`
        : `The model server at ${address} refused the key from ${keyFrom}${code}; set ${keyFrom} to a key that is valid there.`;
    return { kind: "wrong-key", message };
  }
  if (status === 402 || (status !== 200 && NO_CREDIT.test(text))) {
    const message = `The account behind the key has no credit left at ${address}${code}${said}; check its billing.`;
    return { kind: "rate-limited", message };
  }
  if (isLimit && !tooLong) {
    const retryBecause = `The model server at ${address} takes no more requests for now${code}${said}`;
    return { kind: "rate-limited", message: `${retryBecause}; wait a little and send again.`, retryBecause };
  }
  if (tooLong || status === 413) {
    const message = `The conversation is too long for the model "${model}"${code}${said}; start a new session, or choose a model with a larger context.`;
    return { kind: "context-too-long", message };
  }
  if (status === 403) {
    const message = `The model server at ${address} does not let the key from ${keyFrom} use the model "${model}"${code}${said}; check the key's rights, or set ${keyFrom} to another one.`;
    return { kind: "wrong-key", message };
  }
  if ((status === undefined || status < 500) && NO_TOOLS.test(text)) {
    const message = `The model "${model}" at ${address} cannot call tools${code}${said}; Wave needs one that can: set WAVE_MODEL, or start the server with tools.`;
    return { kind: "bad-request", message };
  }
  if ((status === undefined || status < 500) && is(UNKNOWN_MODEL)) {
    const message = `The model "${model}" (from ${target.modelFrom}) is not known at ${address}${code}${said}; set WAVE_MODEL, or "model" in settings.json, to one it has.`;
    return { kind: "unknown-model", message };
  }
  if (status === 404) {
    const message = `The model server at ${address} found nothing there${code}${said}; either it does not know the model "${model}" (WAVE_MODEL), or the base URL (WAVE_BASE_URL) is wrong: usually it ends with /v1.`;
    return { kind: "unknown-model", message };
  }
  if (status !== undefined && status >= 300 && status < 400) {
    const to = location === undefined ? "elsewhere" : `to ${serverWords(location, target.apiKey)}`;
    const message = `The model server at ${address} sends the request ${to}${code}, which Wave does not follow with a key; set WAVE_BASE_URL to the final address.`;
    return { kind: "bad-request", message };
  }
  if (status !== undefined && status < 400)
    return { kind: "bad-request", message: notAnAnswer(body, address, said) };
  if (status === undefined || status >= 500 || status === 408 || status === 425) {
    const isOverloaded = status === 503 || status === 529 || OVERLOADED.test(text);
    if (isOverloaded) {
      const retryBecause = `The model server at ${address} has too much to do${code}${said}`;
      return { kind: "overloaded", message: `${retryBecause}; try again later.`, retryBecause };
    }
    const retryBecause = `The model server at ${address} failed${code}${said}`;
    return { kind: "server", message: `${retryBecause}; try again later.`, retryBecause };
  }
  return {
    kind: "bad-request",
    message: `The model server at ${address} rejected the request${code}${said || "."}`,
  };
}

function notAnAnswer(body: string, address: string, said: string): string {
  const what = looksLikeHtml(body) ? "a web page" : "something else";
  return `${address} answered with ${what} instead of a model's answer${said}; check the base URL (WAVE_BASE_URL): usually it ends with /v1.`;
}
