import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface PlainReply {
  /** Default: 200. */
  status?: number;
  /** Default: application/json. */
  type?: string;
  headers?: Record<string, string>;
  body: string;
}

export interface PlainRequest {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** As JSON, where there is one. */
  body: unknown;
}

/** A server that gives one reply after the other, whatever it is asked, and writes down what that was. */
export async function startPlainServer(replies: readonly PlainReply[]) {
  const requests: PlainRequest[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url, headers } = request;
    const text = (await request.toArray()).join("");
    requests.push({ method, url, headers, body: text === "" ? undefined : (JSON.parse(text) as unknown) });
    const {
      status = 200,
      type = "application/json",
      headers: more,
      body,
    } = replies[requests.length - 1] ?? {
      status: 500,
      body: "no more replies",
    };
    response.writeHead(status, { "content-type": type, ...more }).end(body);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
