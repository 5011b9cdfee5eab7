import { ModelError } from "../errors.ts";
import type { RetryAdvice } from "./call.ts";
import { MAX_ATTEMPTS, MAX_ATTEMPTS_REFUSED } from "./retry.ts";

/** The connection failed; there is no answer to look at, or only half of one. */
export class ConnectionFailure extends Error {
  readonly phase: "before-answer" | "in-answer";
  readonly code: string;

  constructor(phase: ConnectionFailure["phase"], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.phase = phase;
    this.code = codeOf(cause);
  }
}

const TLS = /CERT|ERR_TLS|ERR_SSL|UNABLE_TO|SELF_SIGNED|EPROTO/;

/** Never quotes the error's own text, which may hold the address with its password, or a proxy's. */
export function readNetworkFailure(
  failure: Pick<ConnectionFailure, "code">,
  where: { address: string; proxyVariable: string | undefined },
): { error: ModelError; retry: RetryAdvice } {
  const { code } = failure;
  const { address, proxyVariable } = where;
  const proxy = proxyVariable === undefined ? "" : ` (${proxyVariable} is set: check the proxy too)`;
  const say = (
    what: string,
    advice: string,
    attempts: number,
  ): { error: ModelError; retry: RetryAdvice } => ({
    error: new ModelError("unreachable", `${what}; ${advice}.`, {
      cause: failure,
      canRetry: attempts > 1,
    }),
    retry: attempts > 1 ? { again: "later", attempts, afterMs: undefined, why: what } : { again: "no" },
  });

  if (code === "ECONNREFUSED") {
    return say(
      `Nothing answers at ${address} (connection refused)${proxy}`,
      "start the model server, or set WAVE_BASE_URL to where it is",
      MAX_ATTEMPTS_REFUSED,
    );
  }
  if (code === "ENOTFOUND") {
    return say(`The host of ${address} does not exist (${code})${proxy}`, "check WAVE_BASE_URL", 1);
  }
  if (code === "ERR_PROXY_TUNNEL" || code === "ERR_PROXY_INVALID_CONFIG") {
    return say(
      `The proxy of ${proxyVariable ?? "HTTPS_PROXY"} gives no way to ${address} (${code})`,
      "check the proxy",
      1,
    );
  }
  if (TLS.test(code)) {
    return say(
      `The secure connection to ${address} failed (${code})${proxy}`,
      "if its certificate is your own, name the file in NODE_EXTRA_CA_CERTS or SSL_CERT_FILE, and if the server speaks plain HTTP, use http:// in WAVE_BASE_URL",
      1,
    );
  }
  if (code.startsWith("HPE_")) {
    return say(`What answers at ${address} does not speak HTTP (${code})${proxy}`, "check WAVE_BASE_URL", 1);
  }
  return say(
    `The connection to ${address} failed before an answer came (${code})${proxy}`,
    "check the network, then send again",
    MAX_ATTEMPTS,
  );
}

function codeOf(cause: unknown): string {
  const code: unknown = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : "connection lost";
}
