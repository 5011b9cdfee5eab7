import { createServer, type RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { ModelError } from "@/errors.ts";
import { knownContextSize } from "@/model/contextSize.ts";
import { listAllModels, listModels } from "@/model/listModels.ts";
import { startScriptedModel } from "@/testing/index.ts";

async function listedBy(answer: RequestListener, limitMs?: number) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const options = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: "k",
    settings: { model: undefined, baseUrl: undefined },
    env: {},
  };
  try {
    return await listModels(options, limitMs);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe("the list of models", () => {
  it("has names, and the size of the context in the words of each server", async () => {
    const data = [
      { id: "a", context_length: 100 },
      { id: "b", max_model_len: 200 },
      { id: "c", context_window: 300 },
      { id: "d", max_context_length: 400 },
      { id: "e", context_length: "many" },
      { object: "no name" },
      "nothing",
    ];
    const listed = await listedBy((_request, response) => response.end(JSON.stringify({ data })));
    expect(listed.map(({ name, contextSize }) => [name, contextSize])).toEqual([
      ["a", 100],
      ["b", 200],
      ["c", 300],
      ["d", 400],
      ["e", undefined],
    ]);
  });

  it.each<[string, RequestListener, RegExp]>([
    [
      "refuses",
      (_request, response) => response.writeHead(401).end("{}"),
      /^The model server at .* refused the key/,
    ],
    ["is no model server", (_request, response) => response.end("<html>"), /instead of a model's answer/],
    ["does not answer", () => {}, /did not list its models within 0\.2 seconds; name one all the same/],
  ])("of a server that %s is one sentence", async (_title, answer, sentence) => {
    const listing = listedBy(answer, 200);
    await expect(listing).rejects.toThrow(ModelError);
    await expect(listing).rejects.toThrow(sentence);
  });
});

describe("the list of the models of all providers", () => {
  const NONE = { model: undefined, baseUrl: undefined };

  it("has the names that choose them, those of the provider in use first, and says who has none", async () => {
    await using server = await startScriptedModel([], { models: ["one", "two"] });
    const root = server.baseUrl.replace(/\/v1$/, "");
    const env = {
      OPENAI_API_KEY: "o",
      ANTHROPIC_API_KEY: "a",
      ANTHROPIC_BASE_URL: root,
      GEMINI_API_KEY: "g",
      GOOGLE_GEMINI_BASE_URL: root,
    };
    const providers = {
      openai: { baseUrl: `${root}/nowhere` },
      lab: { baseUrl: server.baseUrl, keyVariable: "L" },
    };
    const listed = await listAllModels({ model: "claude-x", env, settings: { ...NONE, providers } });
    expect(listed.models.map(({ name, contextSize }) => [name, contextSize])).toEqual([
      ["anthropic/one", 200_000],
      ["anthropic/two", 200_000],
      ["google/one", 1_048_576],
      ["google/two", 1_048_576],
      ["lab/one", undefined],
      ["lab/two", undefined],
    ]);
    expect(listed.missing).toEqual([
      expect.stringMatching(/^The model server at .*nowhere found nothing there/),
    ]);
  });

  it("is that of the server alone, under its own names, when its address is set", async () => {
    await using server = await startScriptedModel([], { models: ["anthropic/one"] });
    const env = { WAVE_BASE_URL: server.baseUrl, ANTHROPIC_API_KEY: "a" };
    expect(await listAllModels({ env, settings: NONE })).toEqual({
      models: [{ name: "anthropic/one", contextSize: undefined }],
      missing: [],
    });
  });

  it("is the reason why there is none, when nobody has one", async () => {
    const providers = { openai: { baseUrl: "http://127.0.0.1:9" } };
    const options = { env: { OPENAI_API_KEY: "o" }, settings: { ...NONE, providers } };
    await expect(listAllModels(options)).rejects.toThrow(/^Nothing answers at http:\/\/127\.0\.0\.1:9/);
    await expect(listAllModels({ env: {}, settings: NONE })).rejects.toThrow(/^No API key is set/);
  });
});

it.each([
  ["gpt-4o", 128_000],
  ["gpt-4o-2024-08-06", 128_000],
  ["openai/gpt-5.2-codex", 400_000],
  ["gpt-5.4", 1_050_000],
  ["gpt-42", undefined],
  ["Claude-Sonnet-4", 200_000],
  ["models/gemini-2.5-pro", 1_048_576],
  ["o3-mini", 200_000],
  ["qwen2.5-coder:7b", undefined],
  ["", undefined],
])("of the model %o the context is known as %o", (model, size) => {
  expect(knownContextSize(model)).toBe(size);
});
