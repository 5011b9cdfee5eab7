import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** An MCP server on the loopback address that wants a login, and the authorization server that gives one. */
export async function startGuardedServer({ letsBegin = false } = {}) {
  const codes = new Map<string, { challenge: string; redirect: string }>();
  const seen: string[] = [];
  const tokens = new Set<string>();
  const refreshes = new Set<string>();
  const authorizations: (string | undefined)[] = [];
  let origin = "";
  const give = () => {
    const token = { access: `access-${randomUUID()}`, refresh: `refresh-${randomUUID()}` };
    tokens.add(token.access);
    refreshes.add(token.refresh);
    const { access: access_token, refresh: refresh_token } = token;
    return { access_token, refresh_token, token_type: "Bearer", expires_in: 3600 };
  };
  const routes: Record<string, (body: string, url: URL) => [status: number, body: object, to?: string]> = {
    "/.well-known/oauth-protected-resource/mcp": () => [
      200,
      { resource: `${origin}/mcp`, authorization_servers: [origin] },
    ],
    "/.well-known/oauth-authorization-server": () => [
      200,
      {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      },
    ],
    "/register": (body) => [201, { ...(JSON.parse(body) as object), client_id: "client-1" }],
    "/authorize": (_body, { searchParams }) => {
      const code = randomUUID();
      const redirect = searchParams.get("redirect_uri") ?? "";
      codes.set(code, { challenge: searchParams.get("code_challenge") ?? "", redirect });
      const to = new URL(redirect);
      to.searchParams.set("code", code);
      to.searchParams.set("state", searchParams.get("state") ?? "");
      return [302, {}, to.href];
    },
    "/token": (body) => {
      const form = new URLSearchParams(body);
      if (form.get("grant_type") === "refresh_token")
        return refreshes.delete(form.get("refresh_token") ?? "")
          ? [200, give()]
          : [400, { error: "invalid_grant" }];
      const code = codes.get(form.get("code") ?? "");
      const proof = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      return code && code.challenge === proof && code.redirect === form.get("redirect_uri")
        ? [200, give()]
        : [400, { error: "invalid_grant" }];
    },
    "/mcp": (body) => {
      const { id, method, params } = JSON.parse(body) as {
        id?: number;
        method: string;
        params?: { protocolVersion?: string; arguments?: { text: string } };
      };
      if (id === undefined) return [202, {}];
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "guarded", version: "1" },
        },
        "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
        "tools/call": { content: [{ type: "text", text: params?.arguments?.text }] },
      };
      return [200, { jsonrpc: "2.0", id, result: results[method] ?? {} }];
    },
  };
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const url = new URL(request.url ?? "/", origin);
      seen.push(`${request.method} ${url.pathname}`);
      if (url.pathname === "/mcp") authorizations.push(request.headers.authorization);
      const isIn = tokens.has((request.headers.authorization ?? "").replace(/^Bearer /, ""));
      const begins = letsBegin && /"(?:initialize|notifications\/initialized)"/.test(body);
      if (url.pathname === "/mcp" && !isIn && !begins) {
        const where = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
        return response.writeHead(401, { "www-authenticate": where }).end();
      }
      if (url.pathname === "/mcp" && request.method !== "POST") return response.writeHead(405).end();
      const [status, answer, to] = routes[url.pathname]?.(body, url) ?? [404, {}];
      const headers = { "content-type": "application/json", ...(to === undefined ? {} : { location: to }) };
      return response.writeHead(status, headers).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    seen,
    authorizations,
    /** As if an hour had passed. */
    expire: () => tokens.clear(),
    /** No refresh is taken any more, either. */
    revoke: () => {
      tokens.clear();
      refreshes.clear();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return text;
}
