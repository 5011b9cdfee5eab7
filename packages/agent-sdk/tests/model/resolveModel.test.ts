import { describe, expect, it } from "vitest";
import { ModelError } from "@/errors.ts";
import type { ModelOptions } from "@/services/aiService.ts";
import { operationUrl } from "@/model/addresses.ts";
import { resolveModel } from "@/model/resolveModel.ts";

const ENV = {
  WAVE_API_KEY: "wave-key",
  WAVE_BASE_URL: "https://wave.example/v1",
  WAVE_MODEL: "wave-model",
  OPENAI_API_KEY: "openai-key",
  OPENAI_BASE_URL: "https://openai.example/v1",
};
const SETTINGS = { model: "settings-model", baseUrl: "https://settings.example/v1" };
const NONE = { model: undefined, baseUrl: undefined };
const OPTIONS = { apiKey: "option-key", baseUrl: "https://option.example/v1", model: "option-model" };

const resolved = (options: ModelOptions): string[] => {
  const { address, apiKey, keyFrom, model, modelFrom } = resolveModel(options);
  return [address, `${apiKey} from ${keyFrom}`, `${model} from ${modelFrom}`];
};

function failure(options: ModelOptions): { kind: string; message: string } {
  try {
    resolveModel(options);
  } catch (error) {
    if (error instanceof ModelError) return { kind: error.kind, message: error.message };
  }
  throw new Error("It was resolved.");
}

describe("where the model is", () => {
  const rows: [string, ModelOptions, string[]][] = [
    [
      "options come first",
      { ...OPTIONS, env: ENV, settings: SETTINGS },
      [
        "https://option.example/v1",
        "option-key from the apiKey option",
        "option-model from the model option",
      ],
    ],
    [
      "then Wave's variables",
      { env: ENV, settings: SETTINGS },
      ["https://wave.example/v1", "wave-key from WAVE_API_KEY", "wave-model from WAVE_MODEL"],
    ],
    [
      "then OpenAI's",
      { env: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://openai.example/v1" }, settings: SETTINGS },
      ["https://openai.example/v1", "k from OPENAI_API_KEY", 'settings-model from "model" in settings'],
    ],
    [
      "then settings",
      { env: { OPENAI_API_KEY: "k" }, settings: SETTINGS },
      ["https://settings.example/v1", "k from OPENAI_API_KEY", 'settings-model from "model" in settings'],
    ],
    [
      "then OpenAI itself",
      { env: { OPENAI_API_KEY: "k" }, settings: NONE },
      ["https://api.openai.com/v1", "k from OPENAI_API_KEY", "gpt-5.4 from the default"],
    ],
    [
      "empty is not set, and white space around is nothing",
      {
        apiKey: "",
        env: { WAVE_API_KEY: " ", OPENAI_API_KEY: " k\n", WAVE_MODEL: "" },
        settings: { ...NONE, model: "m" },
      },
      ["https://api.openai.com/v1", "k from OPENAI_API_KEY", 'm from "model" in settings'],
    ],
    [
      "another server has no default model",
      { env: { WAVE_API_KEY: "k", WAVE_BASE_URL: "https://x.example" }, settings: NONE },
      ["https://x.example", "k from WAVE_API_KEY", "undefined from nowhere"],
    ],
    [
      "this machine needs no key",
      { env: { WAVE_BASE_URL: "http://localhost:1234/v1/", WAVE_MODEL: "m" }, settings: NONE },
      ["http://localhost:1234/v1", "undefined from nowhere", "m from WAVE_MODEL"],
    ],
    [
      "a password in the address is enough, and not shown",
      { env: { WAVE_BASE_URL: "https://me:pw@x.example/v1", WAVE_MODEL: "m" }, settings: NONE },
      ["https://x.example/v1", "undefined from nowhere", "m from WAVE_MODEL"],
    ],
  ];
  it.each(rows)("%s", (_what, options, expected) => {
    expect(resolved(options)).toEqual(expected);
  });

  it.each(["127.0.0.1", "127.8.9.1", "[::1]", "localhost", "my.localhost"])("%s is this machine", (host) => {
    expect(resolveModel({ baseUrl: `http://${host}:1/v1`, env: {}, settings: NONE }).apiKey).toBeUndefined();
  });

  it.each(["10.0.0.1", "localhost.example", "127.0.0.1.example"])("%s is another machine", (host) => {
    expect(failure({ baseUrl: `http://${host}/v1`, env: {}, settings: NONE }).kind).toBe("no-key");
  });
});

describe("what cannot work is said in one sentence", () => {
  it("without a key", () => {
    expect(failure({ env: {}, settings: NONE })).toEqual({
      kind: "no-key",
      message:
        "No API key is set: set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY, or run `wave demo`, which needs none.",
    });
  });

  it.each(["models.example/v1", "ftp://x", "nonsense"])("with %s as base URL", (baseUrl) => {
    expect(failure({ env: { WAVE_BASE_URL: baseUrl, WAVE_API_KEY: "k" }, settings: NONE })).toEqual({
      kind: "unreachable",
      message:
        "The base URL from WAVE_BASE_URL is not an http:// or https:// address; set WAVE_BASE_URL to one like https://models.example/v1.",
    });
  });

  it.each(["two words", "line\nbreak", "schlüssel"])("with %j as a key, and without showing it", (apiKey) => {
    const { kind, message } = failure({ apiKey, env: {}, settings: NONE });
    expect(kind).toBe("wrong-key");
    expect(message).toMatch(/^The key from the apiKey option holds .*; set the apiKey option again\.$/);
    expect(message).not.toContain(apiKey);
  });
});

describe("the address of an operation", () => {
  it.each([
    ["https://x/v1", "https://x/v1/chat/completions"],
    ["https://x/v1/", "https://x/v1/chat/completions"],
    ["https://x", "https://x/chat/completions"],
    ["https://x/v1/chat/completions", "https://x/v1/chat/completions"],
    ["https://x/v1?api-version=2", "https://x/v1/chat/completions?api-version=2"],
  ])("under %s is %s", (baseUrl, expected) => {
    expect(operationUrl(new URL(baseUrl), "chat/completions").href).toBe(expected);
  });
});
