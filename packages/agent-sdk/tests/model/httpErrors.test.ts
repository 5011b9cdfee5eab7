import { describe, expect, it } from "vitest";
import type { ModelErrorKind } from "@/errors.ts";
import { type HttpFailure, readHttpFailure } from "@/model/httpErrors.ts";
import { readNetworkFailure } from "@/model/networkErrors.ts";

const target = {
  address: "https://m.example/v1",
  apiKey: "sk-1",
  keyFrom: "WAVE_API_KEY",
  model: "m1",
  modelFrom: "WAVE_MODEL",
};
const said = (message: string, more: Record<string, unknown> = {}): string =>
  JSON.stringify({ error: { message, ...more } });

describe("a status that is not 200 becomes one sentence", () => {
  const rows: [HttpFailure, ModelErrorKind, "retry" | "final", string][] = [
    [
      { status: 401, body: said("Incorrect API key provided: sk-1") },
      "wrong-key",
      "final",
      "The model server at https://m.example/v1 refused the key from WAVE_API_KEY (status 401); set WAVE_API_KEY to a key that is valid there.",
    ],
    [
      { status: 403, body: said("Project has no access") },
      "wrong-key",
      "final",
      'The model server at https://m.example/v1 does not let the key from WAVE_API_KEY use the model "m1" (status 403): Project has no access; check the key\'s rights, or set WAVE_API_KEY to another one.',
    ],
    [
      {
        status: 404,
        body: said("The model `m1` does not exist or you do not have access to it.", {
          code: "model_not_found",
        }),
      },
      "unknown-model",
      "final",
      'The model "m1" (from WAVE_MODEL) is not known at https://m.example/v1 (status 404): The model `m1` does not exist or you do not have access to it; set WAVE_MODEL, or "model" in settings.json, to one it has.',
    ],
    [
      { status: 404, body: "404 page not found\n" },
      "unknown-model",
      "final",
      'The model server at https://m.example/v1 found nothing there (status 404): 404 page not found; either it does not know the model "m1" (WAVE_MODEL), or the base URL (WAVE_BASE_URL) is wrong: usually it ends with /v1.',
    ],
    [
      { status: 429, body: said("Slow down.") },
      "rate-limited",
      "retry",
      "The model server at https://m.example/v1 takes no more requests for now (status 429): Slow down; wait a little and send again.",
    ],
    [
      { status: 429, body: said("You exceeded your current quota", { code: "insufficient_quota" }) },
      "rate-limited",
      "final",
      "The account behind the key has no credit left at https://m.example/v1 (status 429): You exceeded your current quota; check its billing.",
    ],
    [
      { status: 307, body: "", location: "https://other.example/v1" },
      "bad-request",
      "final",
      "The model server at https://m.example/v1 sends the request to https://other.example/v1 (status 307), which Wave does not follow with a key; set WAVE_BASE_URL to the final address.",
    ],
    [
      { status: 400, body: said("tools[0]: no name") },
      "bad-request",
      "final",
      "The model server at https://m.example/v1 rejected the request (status 400): tools[0]: no name",
    ],
    [
      { status: 400, body: "" },
      "bad-request",
      "final",
      "The model server at https://m.example/v1 rejected the request (status 400).",
    ],
    [
      { status: 502, body: "<html><head><title>502 Bad Gateway</title></head></html>" },
      "server",
      "retry",
      "The model server at https://m.example/v1 failed (status 502): 502 Bad Gateway; try again later.",
    ],
    [
      { status: 500, body: said("script ended"), useless: true },
      "server",
      "final",
      "The model server at https://m.example/v1 failed (status 500): script ended; try again later.",
    ],
    [
      { status: undefined, body: said("overloaded") },
      "overloaded",
      "retry",
      "The model server at https://m.example/v1 has too much to do: overloaded; try again later.",
    ],
  ];
  it.each(rows)("%o", (failure, kind, again, message) => {
    const { error, retry } = readHttpFailure(failure, target);
    expect({ kind: error.kind, status: error.status, again: retry.again, message: error.message }).toEqual({
      kind,
      status: failure.status,
      again: again === "retry" ? "later" : "no",
      message,
    });
  });

  it.each(["the apiKey option", "OPENAI_API_KEY"])("names %s where the key was set there", (keyFrom) => {
    const messageOf = (status: number) =>
      readHttpFailure({ status, body: "" }, { ...target, keyFrom }).error.message;
    expect(messageOf(401)).toContain(
      `the key from ${keyFrom} (status 401); set ${keyFrom} to a key that is valid`,
    );
    expect(messageOf(403)).toMatch(new RegExp(`or set ${keyFrom} to another one\\.$`));
    expect(messageOf(401) + messageOf(403)).not.toContain("WAVE_API_KEY");
  });

  it("says that a key is wanted where none was sent", () => {
    const { error } = readHttpFailure({ status: 401, body: "" }, { ...target, apiKey: undefined });
    expect(error.message).toBe(
      "The model server at https://m.example/v1 wants a key (status 401) and none is set; set WAVE_API_KEY.",
    );
  });

  it.each([429, 503])("is not asked again before the time the server names with status %i", (status) => {
    const { error, retry } = readHttpFailure({ status, body: "", retryAfterMs: 3_600_000 }, target);
    expect(retry).toEqual({ again: "no" });
    expect(error.message).toMatch(
      /^The model server at \S+ .*; the server asks to wait 60 min, which is longer than Wave waits by itself: send again then\.$/,
    );
  });

  it("passes on what the server says about waiting", () => {
    const { retry } = readHttpFailure({ status: 429, body: "", retryAfterMs: 7 }, target);
    expect(retry).toEqual({
      again: "later",
      attempts: 5,
      afterMs: 7,
      why: "The model server at https://m.example/v1 takes no more requests for now (status 429)",
    });
  });
});

describe("a model that a server does not know is known by the words of", () => {
  const rows: [string, number, string][] = [
    ["OpenAI", 404, said("The model `x` does not exist", { code: "model_not_found" })],
    ["Ollama", 404, said("model 'x' not found, try pulling it first")],
    ["OpenRouter", 400, said("x is not a valid model ID")],
    ["vLLM", 404, said("The model `x` does not exist.", { type: "NotFoundError" })],
    ["DeepSeek", 400, said("Model Not Exist")],
    ["Mistral", 400, JSON.stringify({ message: "Invalid model: x" })],
  ];
  it.each(rows)("%s", (_server, status, body) => {
    const { error } = readHttpFailure({ status, body }, target);
    expect(error.kind).toBe("unknown-model");
    expect(error.message).toContain('The model "m1" (from WAVE_MODEL)');
  });
});

describe("what a server says", () => {
  it("is made safe for a terminal, short and free of the key", () => {
    const body = said(`bad\u001b[31m\r\nkey sk-1 ${"x".repeat(5000)}`);
    const { error } = readHttpFailure({ status: 400, body }, target);
    // oxlint-disable-next-line no-control-regex
    expect(error.message).not.toMatch(/[\u0000-\u001f]|sk-1/);
    expect(error.message.length).toBeLessThan(400);
    expect(error.message).toMatch(
      /^The model server at https:\/\/m\.example\/v1 rejected the request \(status 400\): bad \[31m key \[key\] x+…$/,
    );
  });
});

describe("a connection that fails becomes one sentence", () => {
  const where = { address: "https://m.example/v1", proxyVariable: undefined };
  const rows: [code: string, attempts: number, says: string][] = [
    ["ECONNREFUSED", 3, "Nothing answers at https://m.example/v1 (connection refused)"],
    ["ENOTFOUND", 1, "The host of https://m.example/v1 does not exist (ENOTFOUND); check WAVE_BASE_URL."],
    ["EAI_AGAIN", 5, "failed before an answer came (EAI_AGAIN); check the network"],
    ["ECONNRESET", 5, "failed before an answer came (ECONNRESET)"],
    ["ETIMEDOUT", 5, "failed before an answer came (ETIMEDOUT)"],
    ["EHOSTUNREACH", 5, "failed before an answer came (EHOSTUNREACH)"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", 1, "name the file in NODE_EXTRA_CA_CERTS or SSL_CERT_FILE"],
    ["CERT_HAS_EXPIRED", 1, "The secure connection to https://m.example/v1 failed (CERT_HAS_EXPIRED)"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", 1, "The secure connection"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", 1, "The secure connection"],
    ["EPROTO", 1, "if the server speaks plain HTTP, use http://"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", 1, "use http://"],
    ["HPE_INVALID_CONSTANT", 1, "does not speak HTTP"],
    ["ERR_PROXY_TUNNEL", 1, "The proxy of HTTPS_PROXY gives no way to https://m.example/v1"],
  ];
  it.each(rows)("%s", (code, attempts, says) => {
    const { error, retry } = readNetworkFailure({ code }, where);
    expect(error.kind).toBe("unreachable");
    expect(error.message).toContain(says);
    expect(retry.again === "later" ? retry.attempts : 1).toBe(attempts);
  });

  it("mentions a proxy that stands in between", () => {
    const { error } = readNetworkFailure(
      { code: "ECONNREFUSED" },
      { ...where, proxyVariable: "https_proxy" },
    );
    expect(error.message).toContain("(https_proxy is set: check the proxy too)");
  });
});
