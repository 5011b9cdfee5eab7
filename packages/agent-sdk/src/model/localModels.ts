import { readText, sendHttp } from "./httpClient.ts";
import { SPOKEN_EVERYWHERE } from "../utils/modelProviders.ts";
import { PROTOCOLS } from "./protocols/index.ts";

export interface LocalServer {
  server: string;
  port: number;
}

export interface LocalModel {
  server: string;
  baseUrl: string;
  model: string;
}

/** Where these servers listen when nobody told them otherwise. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { server: "Ollama", port: 11434 },
  { server: "llama.cpp", port: 8080 },
  { server: "LM Studio", port: 1234 },
];

const PROBE_MS = 300;

/** The first model server on this machine that answers and has a model, in the order of the list. */
export async function findLocalModel(
  candidates: readonly LocalServer[] = LOCAL_SERVERS,
): Promise<LocalModel | undefined> {
  const found = await Promise.all(candidates.map(probe));
  return found.find((model) => model !== undefined);
}

async function probe({ server, port }: LocalServer): Promise<LocalModel | undefined> {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  try {
    const answer = await sendHttp({
      url: new URL(`${baseUrl}/models`),
      method: "GET",
      headers: { accept: "application/json" },
      env: {},
      signal: AbortSignal.timeout(PROBE_MS),
    });
    const protocol = await PROTOCOLS[SPOKEN_EVERYWHERE]();
    const model = answer.status === 200 ? protocol.listed(await readText(answer))?.[0]?.name : undefined;
    return model === undefined ? undefined : { server, baseUrl, model };
  } catch {
    // Nothing listens there, or not a model server: both mean "not this one".
    return undefined;
  }
}
