import { gzipSync } from "node:zlib";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import type { PendingPermission } from "@/permissions/request.ts";
import { blocksOf, playSession } from "../../support/playSession.ts";
import { tempFolder } from "../../support/tempFolder.ts";

/** A site on this machine. */
async function site(answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function fetched(input: Record<string, unknown>, options: AgentOptions = {}) {
  using folder = tempFolder();
  const played = await playSession(folder.path, {
    scenario: [{ call: { name: "WebFetch", arguments: input } }, { say: "done" }],
    options: { permissions: { allow: ["WebFetch(domain:127.0.0.1)"] }, ...options },
  });
  const [block] = blocksOf(played.messages, "tool");
  return { ...played, result: block?.result ?? "", success: block?.success };
}

const html =
  (body: string): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(body);

describe("WebFetch", () => {
  it("gets a page of a host that a rule names, as Markdown, and a long one in parts", async () => {
    await using page = await site(
      html(`<title>Hi</title><h1>Hello</h1>${"<p>some words</p>".repeat(4_000)}`),
    );
    const first = await fetched({ url: `${page.url}/x` });
    expect(first.result).toContain(`${page.url}/x (Hi):\n\n# Hello\n\nsome words`);
    expect(first.result).toMatch(/\[Characters 0 to 30000 of \d+\. Use offset: 30000 for what follows\.\]$/);
    const second = await fetched({ url: `${page.url}/x`, offset: 30_000 });
    expect(second.result).toMatch(/\[Characters 30000 to \d+ of|some words$/);
  });

  it.each([
    ["http://127.0.0.1:PORT/", "127.0.0.1"],
    ["http://localhost:PORT/", "localhost"],
    ["http://0x7f.1:PORT/", "127.0.0.1"],
    ["http://[::1]:PORT/", "[::1]"],
    ["http://[::ffff:127.0.0.1]:PORT/", "[::ffff:7f00:1]"],
    ["http://169.254.169.254:PORT/latest", "169.254.169.254"],
    ["http://0.0.0.0:PORT/", "0.0.0.0"],
  ])("%s is not reached without a rule that names it, in any mode (T130)", async (url, host) => {
    await using page = await site(html("secret"));
    const address = url.replace("PORT", String(page.port));
    for (const permissions of [{}, { allow: ["WebFetch"] }]) {
      const { result } = await fetched({ url: address }, { permissions });
      expect(result).toContain("is an address of this machine or its network");
      expect(result).toContain(`an allow rule names the host: WebFetch(domain:${host})`);
    }
    expect(page.asked).toEqual([]);
  });

  it("asks nobody about an address that it would not reach", async () => {
    const asked: PendingPermission[] = [];
    const { result } = await fetched(
      { url: "http://127.0.0.1:9/" },
      {
        permissions: {},
        permissionMode: "default",
        onPermissionRequest: (request) => {
          asked.push(request);
          return { decision: "allow" };
        },
      },
    );
    expect(asked).toEqual([]);
    expect(result).toContain("WebFetch(domain:127.0.0.1)");
  });

  it("is asked about by default, and offers a rule for the host alone (T34)", async () => {
    const offers: unknown[] = [];
    await fetched(
      { url: "https://docs.example.com/a" },
      {
        permissions: {},
        permissionMode: "default",
        onPermissionRequest: (request) => {
          offers.push(request.rule);
          return { decision: "deny" };
        },
      },
    );
    expect(offers).toMatchObject([
      { offered: true, choices: [{ rules: ["WebFetch(domain:docs.example.com)"] }] },
    ]);
  });

  it("follows redirects on the host, and says where another host would be (T131)", async () => {
    await using page = await site((request, response) => {
      if (request.url === "/a") response.writeHead(302, { location: "/b" }).end();
      else if (request.url === "/b") response.writeHead(301, { location: "http://localhost:9/c" }).end();
      else if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
      else response.writeHead(302, { location: "file:///etc/passwd" }).end();
    });
    const { result } = await fetched({ url: `${page.url}/a` });
    expect(result).toBe(
      `${page.url}/b leads to another host: http://localhost:9/c\nNothing was read. Call WebFetch with that address to go on.`,
    );
    expect((await fetched({ url: `${page.url}/loop` })).result).toContain("more than 5 times");
    expect((await fetched({ url: `${page.url}/file` })).result).toContain("which is no page");
    expect(page.asked.filter((path) => path === "/loop")).toHaveLength(6);
  });

  it.each<[string, RequestListener, string]>([
    [
      "a status that is no success",
      (_q, r) => r.writeHead(404, { "content-type": "text/plain" }).end("gone"),
      "status 404:\n\ngone",
    ],
    [
      "a file that is no text",
      (_q, r) => r.writeHead(200, { "content-type": "application/pdf" }).end("%PDF"),
      "is application/pdf, 4 bytes, which WebFetch cannot show",
    ],
    [
      "JSON as it is",
      (_q, r) => r.writeHead(200, { "content-type": "application/json" }).end('{"a":1}'),
      '{"a":1}',
    ],
    [
      "a packed page",
      (_q, r) =>
        r
          .writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
          .end(gzipSync("<p>unpacked")),
      "unpacked",
    ],
    [
      "a packed page that would fill the memory",
      (_q, r) =>
        r
          .writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
          .end(gzipSync(Buffer.alloc(20_000_000))),
      "which is broken or larger than 2 MB",
    ],
    [
      "another encoding",
      (_q, r) => r.writeHead(200, { "content-type": "text/plain; charset=latin1" }).end(Buffer.from([0xe4])),
      "ä",
    ],
    [
      "a page without an end",
      (_q, r) => {
        r.writeHead(200, { "content-type": "text/plain" });
        const more = (): void => {
          while (!r.destroyed && r.write("x".repeat(65_536)));
        };
        r.on("drain", more);
        more();
      },
      "[The page is larger than 2 MB; the rest was not read.]",
    ],
    ["a connection that breaks", (q) => q.socket.destroy(), "was not reached: socket hang up"],
  ])("says what there is to say of %s", async (_what, answer, expected) => {
    await using page = await site(answer);
    expect((await fetched({ url: page.url })).result).toContain(expected);
  });

  it.each([
    ["file:///etc/passwd", "is no address of a page"],
    ["example.com", "is no address of a page"],
    ["https://me:secret@example.com/", "has a user name or password in it"],
  ])("refuses %s before anything is looked up", async (url, expected) => {
    expect((await fetched({ url })).result).toContain(expected);
  });
});
