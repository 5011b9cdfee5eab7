import { readFile } from "node:fs/promises";
import type { Agent, IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import type { LookupFunction } from "node:net";
import { ModelError } from "../errors.ts";
import { ConnectionFailure } from "./networkErrors.ts";
import { proxyEnvFor } from "./proxy.ts";

export interface HttpRequest {
  url: URL;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  /** How the name of the host is looked up, where not as usual. */
  lookup?: LookupFunction;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Leaving the loop early closes the connection. */
  body: AsyncIterable<Buffer>;
}

/**
 * One request over node:http or node:https. Not fetch: loading it costs more than the rest of the start together.
 * Rejects with ConnectionFailure. Aborting the signal closes the socket at once, before and during the answer.
 */
export async function sendHttp(request: HttpRequest): Promise<HttpAnswer> {
  request.signal.throwIfAborted();
  const secure = request.url.protocol === "https:";
  // Not imported: making node:http an ES module reads all its exports, and one of them loads undici, the cost of fetch.
  const client = process.getBuiltinModule(secure ? "node:https" : "node:http");
  const options: RequestOptions & { ca?: string[] } = {
    method: request.method,
    headers: headersFor(request),
    agent: agentFor(request, client),
    ...(request.lookup && { lookup: request.lookup }),
    ...(secure && (await ownCertificates(request.env))),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = client.request(request.url, options, resolve);
    const close = (): void => void outgoing.destroy();
    request.signal.addEventListener("abort", close, { once: true });
    outgoing.on("close", () => request.signal.removeEventListener("abort", close));
    outgoing.on("error", (error) => reject(new ConnectionFailure("before-answer", error)));
    // Aborted while the certificates were read: the listener came too late to hear it.
    if (request.signal.aborted) close();
    outgoing.end(request.body);
  });
  return { status: response.statusCode ?? 0, headers: response.headers, body: read(response) };
}

/** The whole body as text, up to a limit: an error page may be endless. */
export async function readText(answer: HttpAnswer, limit = Infinity): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer.body) {
    pieces.push(piece);
    size += piece.length;
    if (size >= limit) break;
  }
  return Buffer.concat(pieces).toString("utf8");
}

async function* read(response: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const piece of response) yield Buffer.isBuffer(piece) ? piece : Buffer.from(String(piece));
  } catch (error) {
    throw new ConnectionFailure("in-answer", error);
  }
}

function headersFor(request: HttpRequest): Record<string, string> {
  if (request.body === undefined) return request.headers;
  return { ...request.headers, "content-length": String(Buffer.byteLength(request.body)) };
}

/** A connection per call: an answer that is cut off closes it anyway, and nothing lives on between two calls. */
function agentFor(request: HttpRequest, client: { Agent: new (options: object) => Agent }): Agent {
  return new client.Agent({ proxyEnv: proxyEnvFor(request.url, request.env) });
}

/** NODE_EXTRA_CA_CERTS is Node's own business; SSL_CERT_FILE, which other programs use, Node leaves to us. */
async function ownCertificates(env: HttpRequest["env"]): Promise<{ ca?: string[] }> {
  const file = env["SSL_CERT_FILE"];
  if (file === undefined || file === "") return {};
  const { getCACertificates } = process.getBuiltinModule("node:tls");
  try {
    return { ca: [...getCACertificates("default"), await readFile(file, "utf8")] };
  } catch (error) {
    const message = `SSL_CERT_FILE names ${file}, which cannot be read; correct it or unset it.`;
    throw new ModelError("unreachable", message, { cause: error, canRetry: false });
  }
}
