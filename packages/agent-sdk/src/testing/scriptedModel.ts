import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  RawReply,
  Scenario,
  ScriptedReply,
  ScriptedRequest,
  SpokenReply,
  StatusReply,
} from "./scenario.ts";
import { WIRES } from "./wires/index.ts";
import { remember, saysSomething } from "./wires/replies.ts";
import type { Json, Memory, ScriptedWire, Setting } from "./wires/wire.ts";

export interface ScriptedModelOptions {
  /** Names in the list of models. Default: "scripted". */
  models?: readonly string[];
  /** Reject, with status 400 and a sentence, what a picky provider would reject. Default: true. */
  strict?: boolean;
  /** What this server refuses beyond that, and how it says so. The first that speaks counts. */
  rules?: readonly ServerRule[];
  /** A pause between two pieces, for somebody who watches. Default: none. */
  tokenDelayMs?: number;
}

/** Undefined: nothing against the request. */
export type ServerRule = (body: ScriptedRequest["body"]) => StatusReply | undefined;

/** A model at its wire: a real HTTP server on this machine that plays a scenario and records what it was asked. */
export interface ScriptedModel extends AsyncDisposable {
  /** Ends with /v1. Every wire is spoken there, and without the /v1. */
  readonly baseUrl: string;
  /** Every request for an answer, in the order of arrival, also the rejected ones. */
  readonly requests: readonly ScriptedRequest[];
  /** Cuts what is still open. Closing twice is fine. */
  close(): Promise<void>;
}

export async function startScriptedModel(
  scenario: Scenario,
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  // Not imported: making node:http an ES module loads undici, which the demo would pay for at its start.
  const { createServer } = process.getBuiltinModule("node:http");
  const stage = new Stage(scenario, options);
  const server = createServer((request, response) => void stage.serve(request, response));
  const port = await listen(server);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= stop(server));
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: stage.requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

class Stage {
  readonly requests: ScriptedRequest[] = [];
  readonly #scenario: Scenario;
  readonly #options: ScriptedModelOptions;
  #played = 0;
  readonly #memory: Memory = { sealed: new Map() };

  constructor(scenario: Scenario, options: ScriptedModelOptions) {
    this.#scenario = scenario;
    this.#options = options;
  }

  /** Never rejects: what goes wrong in a scenario is told to the client, where somebody looks. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, `The scripted model failed: ${String(error)}`);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = "" } = request;
    const path = url.replace(/^(?!\/v1)/, "/v1");
    if (method === "GET") return this.#list(path, response);
    const { text, bytes, body } = await readBody(request);
    const wire = WIRES.find((one) => one.asked(path, body) !== undefined);
    if (method !== "POST" || !(wire ?? WIRES.find((one) => one.asked(path, ANY_BODY) !== undefined)))
      return refuse(response, 404, `The scripted model has no ${method} ${url}.`);
    if (!wire || !body)
      return refuse(response, 400, "The body of the request is not a JSON object with messages.");
    const model = wire.asked(path, body) ?? "";
    const shaped = {
      ...body,
      messages: Array.isArray(body["messages"]) ? body["messages"] : [],
    } as ScriptedRequest["body"];
    const problems = wire.problems(shaped, { model, memory: this.#memory });
    const recorded = { wire: wire.name, headers: request.headers, body: shaped, text, bytes, problems };
    this.requests.push(recorded);
    if (problems.length > 0 && this.#options.strict !== false)
      return refuse(response, 400, problems.join(" "), wire);
    const refusal = firstOf(this.#options.rules ?? [], (rule) => rule(shaped));
    if (refusal) return answerStatus(refusal, response, wire);
    const n = this.#played++;
    const reply = await this.#reply(recorded, n);
    if (!reply)
      return refuse(response, 500, `The script is at its end: there is no reply for request ${n + 1}.`, wire);
    const setting = { model: model || "scripted", n, requestBytes: bytes, body };
    await this.#play(reply, { wire, setting, isStreamed: wire.isStreamed(path, body), response });
  }

  async #reply(request: ScriptedRequest, n: number): Promise<ScriptedReply | undefined> {
    return typeof this.#scenario === "function" ? this.#scenario(request, n) : this.#scenario[n];
  }

  async #play(
    reply: ScriptedReply,
    context: { wire: ScriptedWire; setting: Setting; isStreamed: boolean; response: ServerResponse },
  ): Promise<void> {
    const { wire, setting, isStreamed, response } = context;
    if (reply.delayMs !== undefined) await pause(reply.delayMs, response);
    if (response.destroyed) return;
    if ("status" in reply) return answerStatus(reply, response, wire);
    if ("raw" in reply) return answerRaw(reply, response);
    if (reply.hang && !saysSomething(reply)) return;
    remember(reply, setting, this.#memory, wire.seal(reply, setting));
    if (reply.plain || !isStreamed) return sendJson(response, 200, wire.whole(reply, setting));
    return this.#stream(reply, { wire, setting, response });
  }

  async #stream(
    reply: SpokenReply,
    { wire, setting, response }: { wire: ScriptedWire; setting: Setting; response: ServerResponse },
  ): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.flushHeaders();
    if (reply.keepAliveMs !== undefined) return keepAlive(reply.keepAliveMs, response);
    let sent = 0;
    for (const piece of wire.stream(reply, setting)) {
      if (sent === reply.breakAfter) return breakOff(response);
      // Only between pieces, and not in one go: a client that went away is noticed here.
      if (sent > 0 && this.#options.tokenDelayMs) await pause(this.#options.tokenDelayMs, response);
      if (response.destroyed) return;
      response.write(piece);
      sent += 1;
    }
    if (reply.hang) return;
    if (reply.breakAfter !== undefined) return breakOff(response);
    response.end(wire.farewell);
  }

  #list(path: string, response: ServerResponse): void {
    const wire = WIRES.find(({ listPath }) => listPath.test(path));
    if (!wire) return refuse(response, 404, `The scripted model has no GET ${path}.`);
    sendJson(response, 200, wire.list(this.#options.models ?? ["scripted"]));
  }
}

function firstOf<T, R>(list: readonly T[], of: (one: T) => R | undefined): R | undefined {
  for (const one of list) {
    const found = of(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** With this every wire says whether a path is one of its own. */
const ANY_BODY = { messages: [], input: [], contents: [] };

async function readBody(
  request: IncomingMessage,
): Promise<{ text: string; bytes: number; body: Json | undefined }> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const bytes = Buffer.concat(pieces);
  const text = bytes.toString("utf8");
  return { text, bytes: bytes.length, body: parseBody(text) };
}

function parseBody(text: string): Json | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? (parsed as Json) : undefined;
  } catch {
    // SyntaxError: the client is told.
    return undefined;
  }
}

function answerStatus(reply: StatusReply, response: ServerResponse, wire: ScriptedWire): void {
  const { status, headers = {}, waitSeconds, message = `Scripted status ${status}.` } = reply;
  const { body = wire.error(status, message, waitSeconds) } = reply;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const wait = waitSeconds !== undefined &&
    !text.includes("retryDelay") && { "retry-after": String(waitSeconds) };
  response.writeHead(status, { "content-type": "application/json", ...wait, ...headers }).end(text);
}

function answerRaw({ raw, headers = {} }: RawReply, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", ...headers }).end(raw);
}

/** A mistake of the scenario or the request. The header tells clients that asking again changes nothing. */
function refuse(response: ServerResponse, status: number, message: string, wire?: ScriptedWire): void {
  response.setHeader("x-should-retry", "false");
  sendJson(response, status, wire?.error(status, message) ?? { error: { message, type: "scripted_model" } });
}

function sendJson(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** The pieces before it still arrive; then the connection is gone without a farewell. */
function breakOff(response: ServerResponse): void {
  response.socket?.destroySoon();
}

/** Until the client goes away. */
async function keepAlive(everyMs: number, response: ServerResponse): Promise<void> {
  while (!response.destroyed) {
    response.write(": keep-alive\n\n");
    await pause(everyMs, response);
  }
}

/** Ends early when the client goes away, so that nothing is left to wait for after a test. */
async function pause(ms: number, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once("close", leave);
  try {
    await sleep(ms, undefined, { signal: gone.signal });
  } catch {
    // AbortError: the client went away.
  } finally {
    response.off("close", leave);
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address) resolve(address.port);
      else reject(new Error("The scripted model has no port."));
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
