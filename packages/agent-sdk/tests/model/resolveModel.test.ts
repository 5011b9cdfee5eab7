import { describe, expect, it } from "vitest";
import { ModelError } from "@/errors.ts";
import type { ModelOptions } from "@/services/aiService.ts";
import { operationUrl } from "@/model/addresses.ts";
import { fullName, resolveModel } from "@/model/resolveModel.ts";

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

describe("which provider is asked", () => {
  const CHAT = "chat-completions";
  const all = {
    OPENAI_API_KEY: "openai-key",
    ANTHROPIC_API_KEY: "anthropic-key",
    GOOGLE_API_KEY: "google-key",
    OPENROUTER_API_KEY: "router-key",
  };
  const only = (...names: (keyof typeof all)[]) => Object.fromEntries(names.map((name) => [name, all[name]]));
  const providers = {
    lab: { baseUrl: "https://lab.example/v1", keyVariable: "LAB_KEY", headers: { "x-team": "a" } },
    native: {
      baseUrl: "https://native.example",
      protocol: "anthropic-messages" as const,
      keyVariable: "LAB_KEY",
    },
    google: { baseUrl: "https://gateway.example/gemini" },
  };
  type Row = [what: string, options: Partial<ModelOptions>, expected: string];
  const rows: Row[] = [
    ["OpenAI, by its key", { env: only("OPENAI_API_KEY") }, "openai-responses openai/gpt-5.4 openai-key"],
    [
      "Anthropic, by its key",
      { env: only("ANTHROPIC_API_KEY") },
      "anthropic-messages anthropic/claude-sonnet-5-5 anthropic-key",
    ],
    [
      "Google, by its key",
      { env: only("GOOGLE_API_KEY") },
      "google-gemini google/gemini-pro-latest google-key",
    ],
    [
      "Google, by the key that is named after Gemini first",
      { env: { ...all, GEMINI_API_KEY: "g" }, model: "google/x" },
      "google-gemini google/x g",
    ],
    [
      "OpenRouter, by its key",
      { env: only("OPENROUTER_API_KEY"), model: "z-ai/glm" },
      `${CHAT} openrouter/z-ai/glm router-key`,
    ],
    [
      "the first of several, when nobody names a model",
      { env: all },
      "openai-responses openai/gpt-5.4 openai-key",
    ],
    [
      "the one in front of the name",
      { env: all, model: "anthropic/claude-x" },
      "anthropic-messages anthropic/claude-x anthropic-key",
    ],
    [
      "the one in front of the name, also in capitals",
      { env: all, model: "Gemini/x" },
      "google-gemini google/x google-key",
    ],
    [
      "the one whose models have such names",
      { env: all, model: "gemini-3.5-flash" },
      "google-gemini google/gemini-3.5-flash google-key",
    ],
    [
      "the one whose models have such names, with any key",
      { env: { WAVE_API_KEY: "k" }, model: "claude-x" },
      "anthropic-messages anthropic/claude-x k",
    ],
    [
      "the one whose keys look so",
      { env: { WAVE_API_KEY: "sk-ant-1" } },
      "anthropic-messages anthropic/claude-sonnet-5-5 sk-ant-1",
    ],
    [
      "OpenAI, with a key that looks like none",
      { env: { WAVE_API_KEY: "k", ANTHROPIC_API_KEY: "a" } },
      "openai-responses openai/gpt-5.4 k",
    ],
    [
      "a router, when only its key is set",
      { env: only("OPENROUTER_API_KEY"), model: "anthropic/claude-x" },
      `${CHAT} openrouter/anthropic/claude-x router-key`,
    ],
    [
      "a router, by its name",
      { env: all, model: "openrouter/openai/gpt-x" },
      `${CHAT} openrouter/openai/gpt-x router-key`,
    ],
    [
      "the server that somebody named, whatever the model is called",
      { env: { ...all, WAVE_BASE_URL: "https://own.example/v1" }, model: "anthropic/claude-x" },
      `${CHAT} anthropic/claude-x openai-key`,
    ],
    [
      "a provider that was named by its address",
      { env: { WAVE_API_KEY: "k", WAVE_BASE_URL: "https://api.anthropic.com/v1" }, model: "claude-x" },
      "anthropic-messages anthropic/claude-x k",
    ],
    [
      "Google as it speaks to those who speak like OpenAI",
      {
        env: { WAVE_API_KEY: "k" },
        baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
        model: "gemini-x",
      },
      `${CHAT} gemini-x k`,
    ],
    [
      "one of the settings",
      { env: { ...all, LAB_KEY: "l" }, model: "lab/m", settings: { ...NONE, providers } },
      `${CHAT} lab/m l`,
    ],
    [
      "one of the settings, over its wire",
      { env: { LAB_KEY: "l" }, model: "native/m", settings: { ...NONE, providers } },
      "anthropic-messages native/m l",
    ],
    [
      "another, chosen in the session, with its own key",
      { env: { ...all, WAVE_API_KEY: "w" }, model: "gpt-x", chosenModel: "anthropic/claude-x" },
      "anthropic-messages anthropic/claude-x anthropic-key",
    ],
    [
      "the same, chosen in the session, with any key",
      { env: { WAVE_API_KEY: "w" }, model: "gpt-x", chosenModel: "openai/gpt-y" },
      "openai-responses openai/gpt-y w",
    ],
    [
      "the same, for a name that says nothing",
      { env: all, model: "claude-x", chosenModel: "mystery" },
      "anthropic-messages anthropic/mystery anthropic-key",
    ],
  ];
  it.each(rows)("%s", (_what, options, expected) => {
    const target = resolveModel({ env: {}, settings: NONE, ...options });
    expect(`${target.protocol} ${fullName(target)} ${target.apiKey}`).toBe(expected);
  });

  it("is where its variable says, then its settings, with the headers of its settings", () => {
    const at = (env: Record<string, string>) => {
      const options = { model: "google/x", settings: { ...NONE, providers } };
      return resolveModel({ ...options, env: { GEMINI_API_KEY: "g", ...env } }).address;
    };
    expect(at({})).toBe("https://gateway.example/gemini");
    expect(at({ GOOGLE_GEMINI_BASE_URL: "https://variable.example" })).toBe("https://variable.example");
    const lab = resolveModel({ model: "lab/m", env: { LAB_KEY: "l" }, settings: { ...NONE, providers } });
    expect(lab.headers).toEqual({ "x-team": "a" });
  });

  it.each<[string, Partial<ModelOptions>, string]>([
    [
      "another's key is set",
      { env: { ...only("ANTHROPIC_API_KEY"), WAVE_MODEL: "openai/gpt-x" } },
      'No API key for OpenAI, whose model "gpt-x" comes from WAVE_MODEL: set WAVE_API_KEY or OPENAI_API_KEY, or run `wave demo`, which needs none; ANTHROPIC_API_KEY is set, and is Anthropic\'s.',
    ],
    [
      "only a key is set that says nothing of where",
      { env: { GROQ_API_KEY: "g", OPENAI_API_KEY: " " } },
      "No API key is set: set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY (WAVE_API_KEY and WAVE_BASE_URL for a server of your own), or run `wave demo`, which needs none; GROQ_API_KEY is set, and counts only with WAVE_BASE_URL=https://api.groq.com/openai/v1 and WAVE_API_KEY=$GROQ_API_KEY.",
    ],
    [
      "a server of one's own wants one, perhaps",
      { baseUrl: "https://own.example/v1", env: only("ANTHROPIC_API_KEY") },
      "No API key for the model at https://own.example/v1: set WAVE_API_KEY or OPENAI_API_KEY (any word will do if the server asks for none), or run `wave demo`, which needs none; ANTHROPIC_API_KEY is set, and is Anthropic's.",
    ],
    [
      "one of the settings has none",
      { model: "lab/m", env: {}, settings: { ...NONE, providers } },
      'No API key for lab, whose model "m" comes from the model option: set WAVE_API_KEY or LAB_KEY, or run `wave demo`, which needs none.',
    ],
  ])("says what is set and not usable, when %s", (_what, options, message) => {
    expect(failure({ env: {}, settings: NONE, ...options })).toEqual({ kind: "no-key", message });
  });
});

describe("what cannot work is said in one sentence", () => {
  it("without a key", () => {
    expect(failure({ env: {}, settings: NONE })).toEqual({
      kind: "no-key",
      message:
        "No API key is set: set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY (WAVE_API_KEY and WAVE_BASE_URL for a server of your own), or run `wave demo`, which needs none.",
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
