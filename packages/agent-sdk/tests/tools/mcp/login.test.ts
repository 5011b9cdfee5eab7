import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { logInToMcpServer, logOutOfMcpServer } from "@/tools/sources/mcpLogin.ts";
import { tempFolder } from "../../support/tempFolder.ts";
import { startGuardedServer } from "./authorizationServer.ts";
import { play } from "./play.ts";

const named = (url: string) => ({ name: "web", config: { type: "http" as const, url } });
const placeIn = (home: string) => ({ home, env: process.env, providers: {} });
/** What a browser does. */
const follow = (address: string) => void fetch(address);

const scenario = [{ call: { name: "mcp__web__echo", arguments: { text: "let in" } } }, { say: "done" }];

async function session(url: string, home: string) {
  const env: string[] = [];
  const played = await play("well", {
    scenario,
    options: {
      mcpServers: { web: { type: "http", url } },
      waveHome: home,
      hooks: {
        PreToolUse: [{ hooks: [{ type: "function", run: (input) => void env.push(JSON.stringify(input)) }] }],
      },
    },
  });
  await played.agent.sendMessage("go");
  return { ...played, hookInputs: () => env.join() };
}

describe("an MCP server that wants a login", () => {
  it("costs only itself, says what to type, and nothing is registered anywhere", async () => {
    using folder = tempFolder();
    await using server = await startGuardedServer();
    await using played = await session(server.url, folder.path);
    expect(played.notices()).toContain("MCP server web: needs a login: wave mcp login web");
    expect(played.agent.toolSources.find(({ name }) => name === "mcp__web")).toMatchObject({
      state: "failed",
      why: "needs a login: wave mcp login web",
    });
    expect(server.seen).not.toContain("POST /register");
  });

  it("may say so only at the list of its tools", async () => {
    using folder = tempFolder();
    await using server = await startGuardedServer({ letsBegin: true });
    await using before = await session(server.url, folder.path);
    expect(before.notices()).toContain("needs a login: wave mcp login web");
    expect(await logInToMcpServer(named(server.url), { ...placeIn(folder.path), show: follow })).toEqual({
      did: "logged-in",
    });
    await using played = await session(server.url, folder.path);
    expect(played.result()).toEqual(["let in"]);
  });

  it("is signed in to with a browser; its tokens lie in a private file, go to it, and to nobody else", async () => {
    using folder = tempFolder();
    await using server = await startGuardedServer();
    const end = await logInToMcpServer(named(server.url), { ...placeIn(folder.path), show: follow });
    expect(end).toEqual({ did: "logged-in" });
    const logins = join(folder.path, "mcp/logins");
    const [file = ""] = readdirSync(logins);
    expect(statSync(join(logins, file)).mode & 0o777).toBe(0o600);
    const token = /access-[\w-]+/.exec(readFileSync(join(logins, file), "utf8"))?.[0] ?? "none";
    await using played = await session(server.url, folder.path);
    expect(played.result()).toEqual(["let in"]);
    expect(server.authorizations.at(-1)).toBe(`Bearer ${token}`);
    expect(played.hookInputs()).not.toContain(token);
    expect(played.notes()).not.toContain(token);
    expect(JSON.stringify(played.events)).not.toContain(token);
    expect(readFileSync(played.agent.sessionFile, "utf8")).not.toContain(token);
  });

  it("gets a new token where the old one has run out, and the new one is kept", async () => {
    using folder = tempFolder();
    await using server = await startGuardedServer();
    await logInToMcpServer(named(server.url), { ...placeIn(folder.path), show: follow });
    server.expire();
    for (const _time of ["refreshes", "has it"]) {
      await using played = await session(server.url, folder.path);
      expect(played.result()).toEqual(["let in"]);
    }
    expect(server.seen.filter((one) => one === "POST /token")).toHaveLength(2);
  });

  it("says that a login is needed again where nothing is taken any more", async () => {
    using folder = tempFolder();
    await using server = await startGuardedServer();
    await logInToMcpServer(named(server.url), { ...placeIn(folder.path), show: follow });
    server.revoke();
    await using played = await session(server.url, folder.path);
    expect(played.notices()).toContain("needs a login: wave mcp login web");
  });

  it("gets nothing at another address of the same name", async () => {
    using folder = tempFolder();
    await using server = await startGuardedServer();
    await using other = await startGuardedServer();
    await logInToMcpServer(named(server.url), { ...placeIn(folder.path), show: follow });
    await using played = await session(other.url, folder.path);
    expect(played.notices()).toContain("needs a login");
    expect(other.authorizations).toEqual([undefined]);
  });

  it("is forgotten with a logout", async () => {
    using folder = tempFolder();
    await using server = await startGuardedServer();
    await logInToMcpServer(named(server.url), { ...placeIn(folder.path), show: follow });
    const out = () => logOutOfMcpServer(named(server.url), placeIn(folder.path));
    expect([await out(), await out()]).toEqual([{ did: "logged-out" }, { did: "was-not-logged-in" }]);
    expect(readdirSync(join(folder.path, "mcp/logins"))).toEqual([]);
  });

  it.each<[string, (address: URL) => string, RegExp]>([
    ["no state", (back) => (back.searchParams.delete("state"), back.href), /^$/],
    ["another state", (back) => (back.searchParams.set("state", "guessed"), back.href), /^$/],
    [
      "a refusal",
      (back) => {
        back.searchParams.delete("code");
        back.searchParams.set("error", "access_denied");
        return back.href;
      },
      /the authorization server says: access_denied/,
    ],
  ])("takes no answer of the browser with %s", async (_what, changed, problem) => {
    using folder = tempFolder();
    await using server = await startGuardedServer();
    const stop = new AbortController();
    const show = async (address: string) => {
      const { headers } = await fetch(address, { redirect: "manual" });
      const { status } = await fetch(changed(new URL(headers.get("location") ?? "")));
      if (status === 404) stop.abort();
    };
    const end = await logInToMcpServer(named(server.url), {
      ...placeIn(folder.path),
      show: (address) => void show(address),
      signal: stop.signal,
    });
    expect(end).toEqual({
      did: "nothing",
      problem: expect.stringMatching(problem.source === "^$" ? /interrupted/ : problem) as string,
    });
    expect(server.seen).not.toContain("POST /token");
  });

  it("needs none where a server lets everybody in, and a program has no login", async () => {
    using folder = tempFolder();
    const place = { ...placeIn(folder.path), show: follow };
    const program = { name: "files", config: { command: "x" } };
    expect(await logInToMcpServer(program, place)).toMatchObject({ did: "nothing" });
  });
});
