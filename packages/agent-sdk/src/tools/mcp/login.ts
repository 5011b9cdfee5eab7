import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { auth, extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import type { McpLogins } from "../../workspace/mcpLogins.ts";
import { boundedFetch } from "./boundedFetch.ts";
import { Login } from "./oauth.ts";

/** Somebody types a password meanwhile. */
const WAIT_MS = 5 * 60_000;

/**
 * Signs in to a server that is reached by HTTP: a person opens an address in a browser, which comes back to a server on the loopback
 * address that lives as long as this does. Rejects with why it did not work.
 */
export async function logInTo(
  url: string,
  { logins, show, signal }: { logins: McpLogins; show: (address: URL) => void; signal?: AbortSignal },
): Promise<"logged-in" | "needs-none"> {
  const asked = await whatItWants(url);
  if (asked === undefined) return "needs-none";
  const state = randomBytes(24).toString("base64url");
  const back = await listen();
  const over = new AbortController();
  try {
    const { port } = back.address() as AddressInfo;
    const redirectUrl = `http://127.0.0.1:${port}/callback`;
    const login = new Login(logins, url, { redirectUrl, show, state });
    const about = { serverUrl: url, fetchFn: boundedFetch, ...asked };
    const until = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    const answer = comesBack(back, state, until);
    // It may come before anybody waits for it.
    answer.catch(() => {});
    if ((await auth(login, about)) === "AUTHORIZED") return "logged-in";
    const { code, iss } = await answer;
    await auth(login, { ...about, authorizationCode: code, ...(iss === undefined ? {} : { iss }) });
    return "logged-in";
  } finally {
    // Nobody waits for the browser any longer, whatever came of it.
    over.abort();
    back.close();
    back.closeAllConnections();
  }
}

/** Undefined: it lets in whoever comes. Some servers only say at the list of their tools that they do not. */
async function whatItWants(url: string) {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "wave", version: "1" },
  };
  const first = await ask(url, "initialize", params);
  const session = first.headers.get("mcp-session-id");
  const answer = wantsLogin(first)
    ? first
    : await ask(url, "tools/list", {}, session === null ? {} : { "mcp-session-id": session });
  if (!wantsLogin(answer)) return undefined;
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(answer);
  return { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
}

const wantsLogin = ({ status }: Response) => status === 401 || status === 403;

async function ask(url: string, method: string, params: object, headers: Record<string, string> = {}) {
  const answer = await boundedFetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(30_000),
  });
  await answer.body?.cancel();
  return answer;
}

async function listen(): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const server = createServer();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return server;
}

interface CameBack {
  code: string;
  iss: string | undefined;
}

/** Only an answer with the word that was sent along counts: any page can make a browser come here. */
function comesBack(server: Server, state: string, signal: AbortSignal): Promise<CameBack> {
  const { promise, resolve, reject } = Promise.withResolvers<CameBack>();
  const late = setTimeout(
    () => reject(new Error("nobody came back from the browser within 5 minutes")),
    WAIT_MS,
  );
  signal.addEventListener("abort", () => reject(new Error("interrupted")), { once: true });
  server.on("request", (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const say = (status: number, text: string) =>
      response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
    if (pathname !== "/callback" || searchParams.get("state") !== state)
      return void say(404, "This is not what Wave waits for.");
    const code = searchParams.get("code");
    if (code === null) {
      const why = searchParams.get("error_description") ?? searchParams.get("error") ?? "no code";
      say(400, "The login did not work. Wave says why.");
      return reject(new Error(`the authorization server says: ${why.slice(0, 200)}`));
    }
    say(200, "You are logged in. You can close this page.");
    resolve({ code, iss: searchParams.get("iss") ?? undefined });
  });
  return promise.finally(() => clearTimeout(late));
}
