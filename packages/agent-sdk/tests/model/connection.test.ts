import { createServer, type IncomingHttpHeaders, request as forward, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callAgent } from "@/services/aiService.ts";
import { askModel } from "@/model/askModel.ts";
import { chatCompletions } from "@/model/protocols/chatCompletions/protocol.ts";
import { proxyVariable } from "@/model/proxy.ts";
import { startScriptedModel, type ScriptedReply } from "@/testing/index.ts";
import { selfSigned } from "../support/certificate.ts";
import { modelCall, modelFailure, modelRequest } from "../support/modelRequest.ts";
import { tempFolder } from "../support/tempFolder.ts";

describe("a proxy", () => {
  it("carries requests to other machines", async () => {
    await using model = await startScriptedModel([{ say: "through" }]);
    await using proxy = await startProxy(model.baseUrl);
    const options = { baseUrl: "http://models.invalid/v1", env: { HTTP_PROXY: proxy.url } };
    expect((await callAgent(modelRequest(options))).content).toBe("through");
    expect(proxy.seen).toEqual(["POST http://models.invalid/v1/chat/completions"]);
    expect(proxy.headers[0]?.["proxy-authorization"]).toBe(`Basic ${btoa("me:pw")}`);
  });

  it("may be named without http://", async () => {
    await using model = await startScriptedModel([{ say: "through" }]);
    await using proxy = await startProxy(model.baseUrl);
    const options = {
      baseUrl: "http://models.invalid/v1",
      env: { http_proxy: proxy.url.replace("http://", "") },
    };
    expect((await callAgent(modelRequest(options))).content).toBe("through");
  });

  it("is asked for a tunnel to secure servers, and its refusal is told without its password", async () => {
    await using proxy = await startProxy(undefined);
    const options = { baseUrl: "https://models.invalid/v1", env: { HTTPS_PROXY: proxy.url } };
    const failure = await modelFailure(callAgent(modelRequest(options)));
    expect(proxy.seen).toEqual(["CONNECT models.invalid:443"]);
    expect(failure).toEqual({
      kind: "unreachable",
      status: undefined,
      message:
        "The proxy of HTTPS_PROXY gives no way to https://models.invalid/v1 (ERR_PROXY_TUNNEL); check the proxy.",
    });
  });

  it("is not asked about this machine, nor about what NO_PROXY names", async () => {
    await using model = await startScriptedModel([{ say: "direct" }, { say: "also direct" }]);
    await using proxy = await startProxy(undefined);
    const here = { ...model, env: { HTTP_PROXY: proxy.url } };
    expect((await callAgent(modelRequest(here))).content).toBe("direct");
    // 0.0.0.0 leads to this machine, too, and is not known as such: it takes no name server to test an exception.
    const baseUrl = model.baseUrl.replace("127.0.0.1", "0.0.0.0");
    const named = { baseUrl, env: { HTTP_PROXY: proxy.url, NO_PROXY: "other.example,0.0.0.0" } };
    expect((await callAgent(modelRequest(named))).content).toBe("also direct");
    expect(proxy.seen).toEqual([]);
  });

  it("of a kind that Wave cannot speak is said, and nothing goes around it", async () => {
    const options = { baseUrl: "http://models.invalid/v1", env: { ALL_PROXY: "socks5://me:pw@127.0.0.1:1" } };
    expect(await modelFailure(callAgent(modelRequest(options)))).toEqual({
      kind: "unreachable",
      status: undefined,
      message:
        "ALL_PROXY does not name an http:// or https:// proxy, and Wave speaks no other kind; correct it, or add models.invalid to NO_PROXY.",
    });
  });

  it.each([
    ["https://a.example/v1", { HTTPS_PROXY: "p" }, "HTTPS_PROXY"],
    ["https://a.example/v1", { HTTP_PROXY: "p" }, undefined],
    ["http://a.example/v1", { HTTP_PROXY: "p", http_proxy: "q" }, "http_proxy"],
    ["http://a.example/v1", { all_proxy: "p" }, "all_proxy"],
    ["http://a.example/v1", { HTTP_PROXY: " " }, undefined],
    ["http://a.example/v1", { HTTP_PROXY: "p", NO_PROXY: "b.example, .example" }, undefined],
    ["http://a.example/v1", { HTTP_PROXY: "p", NO_PROXY: "*" }, undefined],
    ["http://a.example:81/v1", { HTTP_PROXY: "p", NO_PROXY: "a.example:81" }, undefined],
    ["http://a.example/v1", { HTTP_PROXY: "p", NO_PROXY: "ample" }, "HTTP_PROXY"],
    ["http://[::1]/v1", { HTTP_PROXY: "p" }, undefined],
  ])("for %s with %o comes from %s", (url, env, expected) => {
    expect(proxyVariable(new URL(url), env)).toBe(expected);
  });
});

describe("a secure server", () => {
  it("with a certificate of the user's own is trusted through SSL_CERT_FILE and not without", async () => {
    const certificate = selfSigned("127.0.0.1");
    using folder = tempFolder();
    const file = join(folder.path, "ca.pem");
    writeFileSync(file, certificate.cert);
    await using model = await startScriptedModel([{ say: "secret" }]);
    await using server = await listening(
      createSecureServer(certificate, (incoming, outgoing) => {
        const onward = forward(`${model.baseUrl}/chat/completions`, {
          method: "POST",
          headers: incoming.headers,
        });
        incoming.pipe(onward);
        onward.on("response", (answer) =>
          answer.pipe(outgoing.writeHead(answer.statusCode ?? 0, answer.headers)),
        );
      }),
    );
    const baseUrl = `https://127.0.0.1:${server.port}/v1`;
    const failure = await modelFailure(callAgent(modelRequest({ baseUrl, env: {} })));
    expect(failure.kind).toBe("unreachable");
    expect(failure.message).toContain("DEPTH_ZERO_SELF_SIGNED_CERT");
    expect((await callAgent(modelRequest({ baseUrl, env: { SSL_CERT_FILE: file } }))).content).toBe("secret");
    const missing = await modelFailure(
      callAgent(modelRequest({ baseUrl, env: { SSL_CERT_FILE: `${file}x` } })),
    );
    expect(missing.message).toBe(
      `SSL_CERT_FILE names ${file}x, which cannot be read; correct it or unset it.`,
    );
  });

  it("that speaks plain HTTP is told apart", async () => {
    await using model = await startScriptedModel([]);
    const failure = await modelFailure(
      callAgent(modelRequest({ baseUrl: model.baseUrl.replace("http:", "https:") })),
    );
    expect(failure.kind).toBe("unreachable");
    expect(failure.message).toContain("if the server speaks plain HTTP, use http://");
  });
});

describe("a server that falls silent", () => {
  const patience = { noticeMs: 40, silenceMs: 150 };
  const outcome = async (reply: ScriptedReply) => {
    await using model = await startScriptedModel([reply]);
    const notices: string[] = [];
    const on = { onNotice: (text: string) => void notices.push(text.replace(model.baseUrl, "SERVER")) };
    const result = await askModel(chatCompletions, { ...modelCall(model.baseUrl), on, patience });
    if (result.end !== "failed") throw new Error("it answered");
    return { message: result.error.message, kind: result.error.kind, retry: result.retry, notices };
  };
  const again = (attempts: number, more = {}) => ({
    again: "later",
    attempts,
    afterMs: undefined,
    why: expect.any(String),
    ...more,
  });

  it("before the first word is said to be waited for, given up, and asked once more", async () => {
    expect(await outcome({ hang: true })).toEqual({
      kind: "broken-stream",
      retry: again(2),
      message: expect.stringContaining(
        "gave no answer (nothing came for 0.15 seconds, the limit that modelTimeout sets)",
      ),
      notices: [
        "Waiting for the model server at SERVER: nothing for 0.04 s. Wave gives up after 0.15 s (modelTimeout).",
      ],
    });
  });

  it("after a word is given up as well, and the answer begins again", async () => {
    expect(await outcome({ say: "word", hang: true })).toMatchObject({
      kind: "broken-stream",
      retry: again(2, { restarts: true }),
      message: expect.stringContaining("broke off in the middle (nothing came for 0.15 seconds"),
    });
  });

  it("and only keeps the line open is given up all the same", async () => {
    const { message, notices } = await outcome({ keepAliveMs: 10 });
    expect(message).toContain("gave no answer (nothing but signs of life came for 0.15 seconds");
    expect(notices).toEqual([expect.stringContaining("nothing for 0.04 s; it keeps the connection open.")]);
  });
});

describe("an abort", () => {
  it("while the connection is being prepared closes it", async () => {
    await using model = await startScriptedModel([{ hang: true }]);
    const controller = new AbortController();
    const reason = new Error("enough");
    const answer = askModel(chatCompletions, { ...modelCall(model.baseUrl), signal: controller.signal });
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });
});

interface Proxy extends AsyncDisposable {
  url: string;
  seen: string[];
  headers: IncomingHttpHeaders[];
}

/** Sends everything to one server; without one it refuses. */
async function startProxy(baseUrl: string | undefined): Promise<Proxy> {
  const seen: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    headers.push(incoming.headers);
    const onward = forward(`${baseUrl}/chat/completions`, { method: "POST", headers: incoming.headers });
    incoming.pipe(onward);
    onward.on("response", (answer) =>
      answer.pipe(outgoing.writeHead(answer.statusCode ?? 0, answer.headers)),
    );
  });
  server.on("connect", (incoming, socket) => {
    seen.push(`CONNECT ${incoming.url}`);
    socket.on("error", () => undefined).end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  const listener = await listening(server);
  return { ...listener, url: `http://me:pw@127.0.0.1:${listener.port}`, seen, headers };
}

async function listening(server: Server): Promise<{ port: number } & AsyncDisposable> {
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
