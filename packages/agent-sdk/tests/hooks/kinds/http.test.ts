import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { describe, expect, it, vi } from "vitest";
import type { HookDefinition } from "@/hooks/definition.ts";
import { isPrivateAddress, publicLookup } from "@/workspace/privateAddress.ts";
import { HookRunners } from "@/hooks/kinds/runners.ts";
import { readVerdict } from "@/hooks/verdict.ts";
import { executeHooks } from "@/services/hook.ts";
import { readHooks } from "@/workspace/settings/hookEvents.ts";
import { hookLimitsOf } from "@/workspace/settings/hookLimits.ts";
import { nodeOfValue } from "@/workspace/settings/node.ts";
import { startPlainServer } from "../../support/plainServer.ts";
import { hookContext } from "../../support/runHooks.ts";

type Given = { scope?: "user" | "project"; own?: object; said?: string[] };

function hookFrom(entry: object, { scope = "user", own = {}, said = [] }: Given = {}): HookDefinition {
  const root = nodeOfValue(own, "");
  const limits = root.type === "object" ? hookLimitsOf([{ scope: "user", root }]) : {};
  const place = { scope, file: "/settings.json", defaults: [], limits };
  const node = nodeOfValue(
    { PreToolUse: [{ hooks: [{ type: "http", onError: "block", ...entry }] }] },
    "hooks",
  );
  const [hook] = readHooks(node, place, (_severity, _place, message) => said.push(message)).hooks;
  if (!hook) throw new Error(said.join());
  return hook;
}

async function ask(hook: HookDefinition, context: Parameters<typeof hookContext>[1] = {}) {
  const runners = new HookRunners();
  try {
    const [result] = await executeHooks("PreToolUse", hookContext("/", { runners, ...context }), [hook]);
    if (!result) throw new Error("no result");
    const verdict = readVerdict("PreToolUse", result, { name: "h", source: "s", onError: hook.onError });
    return { result, decision: verdict.decision, by: verdict.decidedBy };
  } finally {
    await runners.close();
  }
}

/** A server that does with a connection what it likes. */
async function oddServer(serve: Parameters<typeof createServer>[1]) {
  const server: Server = createServer(serve as never);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const connections = { opened: 0, closed: 0 };
  server.on("connection", (socket) => {
    connections.opened += 1;
    socket.on("close", () => (connections.closed += 1));
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const DENY = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "not here",
  },
});

describe("a hook that is a server", () => {
  it("gets the input as JSON and decides as a command does that prints the same (T1)", async () => {
    await using server = await startPlainServer([{ body: DENY }, { body: "" }, { body: "fine" }]);
    const hook = hookFrom({ url: `${server.url}/hook` });
    expect(hook).toMatchObject({ name: `${server.url}/hook`, action: { shown: `POST ${server.url}/hook` } });
    expect(await ask(hook)).toMatchObject({ decision: "deny", by: "hook" });
    expect(server.requests).toMatchObject([
      {
        method: "POST",
        url: "/hook",
        headers: { "content-type": "application/json" },
        body: { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } },
      },
    ]);
    expect(await ask(hook)).toMatchObject({ decision: "none", result: { success: true, exitCode: 0 } });
    expect(await ask(hook)).toMatchObject({ decision: "none", result: { stdout: "fine" } });
  });

  it("keeps its connection between two events, and closes it with the session", async () => {
    await using server = await oddServer((_request, response) => response.end());
    const hook = hookFrom({ url: server.url });
    const runners = new HookRunners();
    for (let at = 0; at < 3; at += 1) {
      const [result] = await executeHooks("PreToolUse", hookContext("/", { runners }), [hook]);
      expect(result).toMatchObject({ success: true });
    }
    expect(server.connections).toEqual({ opened: 1, closed: 0 });
    await runners.close();
    await vi.waitFor(() => expect(server.connections).toEqual({ opened: 1, closed: 1 }));
  });

  it.each([
    ["a status that is no answer", { status: 500, body: DENY }, "bad-answer", /status 500/],
    [
      "a redirect, which nobody follows",
      { status: 307, headers: { location: "http://127.0.0.1:1/" }, body: "" },
      "bad-answer",
      /status 307.*no redirects/,
    ],
    ["JSON that is cut off", { body: DENY.slice(0, 60) }, undefined, undefined],
    ["an answer without an end", { body: `{"a": "${"x".repeat(1_100_000)}"}` }, "broken-output", /more than/],
  ])("fails under its onError with %s (T7, T14)", async (_what, reply, way, message) => {
    await using server = await startPlainServer([reply]);
    const { result, decision, by } = await ask(hookFrom({ url: server.url }));
    expect([decision, by]).toEqual(["deny", "failure"]);
    if (way) expect(result.error).toMatchObject({ way, message: expect.stringMatching(message) });
    expect(server.requests).toHaveLength(1);
  });

  it("fails under its onError when the server hangs, goes away or is not there (T7, T14)", async () => {
    await using silent = await oddServer(() => undefined);
    const late = await ask(hookFrom({ url: silent.url, timeout: 0.2 }));
    expect(late).toMatchObject({ decision: "deny", by: "failure", result: { timedOut: true } });
    await using slow = await oddServer((_request, response) => void response.write("{"));
    expect(await ask(hookFrom({ url: slow.url, timeout: 0.2 }))).toMatchObject({
      decision: "deny",
      result: { timedOut: true },
    });
    await using rude = await oddServer((request) => void request.socket.destroy());
    expect(await ask(hookFrom({ url: rude.url }))).toMatchObject({
      decision: "deny",
      result: { error: { way: "not-reached" } },
    });
    await using half = await oddServer((request, response) => {
      response.writeHead(200, { "content-length": "100" }).write("{}");
      setImmediate(() => request.socket.destroy());
    });
    expect(await ask(hookFrom({ url: half.url }))).toMatchObject({ decision: "deny", by: "failure" });
    expect(await ask(hookFrom({ url: "http://127.0.0.1:1/" }))).toMatchObject({
      decision: "deny",
      result: { error: { way: "not-reached", message: expect.stringContaining("ECONNREFUSED") } },
    });
  });

  it("ends with the turn", async () => {
    await using silent = await oddServer(() => undefined);
    const turn = new AbortController();
    const asked = ask(hookFrom({ url: silent.url }), { signal: turn.signal });
    turn.abort();
    expect((await asked).result).toMatchObject({ aborted: true, timedOut: false });
  });
});

describe("what a hook that is a server may reach and send", () => {
  it("is no address of this machine or its network, when a project names it", async () => {
    await using server = await startPlainServer([{ body: DENY }]);
    const { port } = new URL(server.url);
    for (const host of ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"]) {
      const { result, decision } = await ask(
        hookFrom({ url: `http://${host}:${port}/` }, { scope: "project" }),
      );
      expect([host, decision, result.error?.way]).toEqual([host, "deny", "not-reached"]);
      expect(result.error?.message).toMatch(/this machine or its network|ENOTFOUND|EADDRNOTAVAIL/);
    }
    expect(server.requests).toEqual([]);
    expect(await ask(hookFrom({ url: server.url }))).toMatchObject({ by: "hook" });
  });

  it.each([
    ["10.1.2.3", true],
    ["100.64.0.1", true],
    ["169.254.169.254", true],
    ["172.31.255.255", true],
    ["192.168.0.1", true],
    ["0.0.0.0", true],
    ["::1", true],
    ["::", true],
    ["fd00::1", true],
    ["fe80::1", true],
    ["::ffff:10.0.0.1", true],
    ["64:ff9b::a00:1", true],
    ["8.8.8.8", false],
    ["172.32.0.1", false],
    ["2606:4700::1111", false],
  ])("takes %s for a private address: %s", (address, isPrivate) => {
    expect(isPrivateAddress(address)).toBe(isPrivate);
  });

  it("is looked up where it is connected to: a name that leads home is refused", async () => {
    const error = await new Promise((resolve) => {
      const socket = connect({ host: "localhost", port: 9, lookup: publicLookup });
      socket.on("error", resolve);
    });
    expect(String(error)).toContain("this machine or its network");
  });

  it("is on the person's list, if there is one", () => {
    const own = { allowedHttpHookUrls: ["https://*.example/hooks/*"] };
    const why = (url: string) => hookFrom({ url }, { own }).action.neverRuns;
    expect(why("https://a.example/hooks/x")).toBeUndefined();
    for (const url of [
      "https://a.example/other",
      "http://a.example/hooks/x",
      "https://evil.test/x.example/hooks/x",
      "https://a.example.evil.test/hooks/x",
      "https://a.example:8443/hooks/x",
    ])
      expect(why(url), url).toContain("allowedHttpHookUrls");
    expect(
      hookFrom({ url: "https://a.example/" }, { own: { allowedHttpHookUrls: 3 } }).action.neverRuns,
    ).toBeDefined();
  });

  it("are variables that its entry names, and never the key of the model", async () => {
    await using server = await startPlainServer([{ body: "" }]);
    const entry = { url: server.url, headers: { Authorization: "Bearer $TOKEN", "X-Who": "${WHO}!" } };
    const context = { env: { TOKEN: "t", WHO: "me" }, withheld: { WAVE_API_KEY: "secret" } };
    const hook = hookFrom({ ...entry, allowedEnvVars: ["TOKEN", "WHO"] });
    expect(hook.action.notes).toEqual(["sends Authorization: Bearer $TOKEN", "sends X-Who: ${WHO}!"]);
    expect(hook.passEnv).toEqual(["TOKEN", "WHO"]);
    await ask(hook, context);
    expect(server.requests[0]?.headers).toMatchObject({ authorization: "Bearer t", "x-who": "me!" });

    expect(hookFrom(entry).action.neverRuns).toContain('"TOKEN" stands in headers and not in allowedEnvVars');
    const key = { url: server.url, headers: { K: "$WAVE_API_KEY" }, allowedEnvVars: ["WAVE_API_KEY"] };
    expect(await ask(hookFrom(key), context)).toMatchObject({
      decision: "deny",
      result: { error: { message: expect.stringContaining("WAVE_API_KEY is not set") } },
    });
    expect(server.requests).toHaveLength(1);
    const own = { httpHookAllowedEnvVars: ["WHO"] };
    const refused = hookFrom({ ...entry, allowedEnvVars: ["TOKEN", "WHO"] }, { own });
    expect(refused.action.neverRuns).toContain("httpHookAllowedEnvVars");
  });

  it.each([
    [{}, /no "url"/],
    [{ url: "ftp://x" }, /must be an address/],
    [{ url: "https://x", headers: { "A B": "x" } }, /headers must be/],
    [{ url: "https://x", headers: { A: "x\ny" } }, /headers must be/],
    [{ url: "https://x", allowedEnvVars: "X" }, /allowedEnvVars must be/],
  ])("%j is an entry that cannot be read: it holds back under its onError", (entry, why) => {
    const said: string[] = [];
    expect(hookFrom(entry, { said }).action.neverRuns).toMatch(why);
    expect(said[0]).toMatch(why);
  });
});
