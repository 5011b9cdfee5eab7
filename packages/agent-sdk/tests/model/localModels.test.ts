import { createServer, type Server } from "node:http";
import { describe, expect, it } from "vitest";
import { findLocalModel, LOCAL_SERVERS } from "@/model/localModels.ts";
import { startScriptedModel } from "@/testing/index.ts";

const portOf = (baseUrl: string): number => Number(new URL(baseUrl).port);

describe("a model server on this machine", () => {
  it("is found by what it lists", async () => {
    await using model = await startScriptedModel([], { models: ["qwen3", "other"] });
    expect(await findLocalModel([{ server: "Ollama", port: portOf(model.baseUrl) }])).toEqual({
      server: "Ollama",
      baseUrl: model.baseUrl,
      model: "qwen3",
    });
  });

  it("is the first of the list that has a model", async () => {
    await using empty = await startScriptedModel([], { models: [] });
    await using second = await startScriptedModel([], { models: ["b"] });
    await using third = await startScriptedModel([], { models: ["c"] });
    const ports = [empty, second, third].map(({ baseUrl }) => portOf(baseUrl));
    const found = await findLocalModel(ports.map((port, n) => ({ server: `server ${n}`, port })));
    expect(found).toMatchObject({ server: "server 1", model: "b" });
  });

  it("is not what answers with something else, answers never, or is not there", async () => {
    await using page = await serve((server) =>
      server.on("request", (_, response) => response.end("<html>hello")),
    );
    await using mute = await serve((server) => server.on("request", () => undefined));
    const candidates = [page.port, mute.port, 1].map((port) => ({ server: "x", port }));
    expect(await findLocalModel(candidates)).toBeUndefined();
  });

  it("is looked for where Ollama, llama.cpp and LM Studio listen", () => {
    expect(LOCAL_SERVERS).toEqual([
      { server: "Ollama", port: 11434 },
      { server: "llama.cpp", port: 8080 },
      { server: "LM Studio", port: 1234 },
    ]);
  });
});

async function serve(set: (server: Server) => void): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer();
  set(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
