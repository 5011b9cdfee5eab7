import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import type { AgentOptions } from "@/agentOptions.ts";
import { startScriptedModel, type Scenario } from "@/testing/index.ts";
import { McpSource } from "@/tools/sources/mcp.ts";
import { testMcpServers } from "@/tools/sources/testMcpServers.ts";
import { mayNeedReview } from "@/workspace/projectDir.ts";
import { tempFolder } from "../../support/tempFolder.ts";
import { play, SERVER } from "./play.ts";
import { waitFor } from "../../support/waitFor.ts";

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("an MCP server over stdio", () => {
  it("gives its tools to the model; a call runs and answers; the server ends with the session", async () => {
    await using played = await play("well", { server: { env: { LEVEL: "${HOME:-none}" } } });
    await played.agent.sendMessage("go");
    expect(played.sent(0)).toEqual(["mcp__tiny__echo"]);
    expect(played.result()).toEqual(["hello"]);
    expect(played.notes()).toContain('called {"text":"hello"}');
    expect(played.notes()).toContain(`key none level ${process.env["HOME"]}`);
    expect(played.events).toContainEqual(
      expect.objectContaining({ type: "tool_output", text: "half way\n" }),
    );
    const pid = played.pid();
    expect(isAlive(pid)).toBe(true);
    await played.agent.destroy();
    expect(isAlive(pid)).toBe(false);
  });

  it("is asked about in default mode, whatever it says about itself, and a rule allows it", async () => {
    const asked: string[] = [];
    const onPermissionRequest: AgentOptions["onPermissionRequest"] = ({ toolName, rule }) => {
      asked.push(`${toolName} ${rule.offered ? rule.choices[0]?.rules[0] : ""}`);
      return { decision: "deny" };
    };
    await using played = await play("well", { options: { permissionMode: "default", onPermissionRequest } });
    await played.agent.sendMessage("go");
    expect(asked).toEqual(["mcp__tiny__echo mcp__tiny__echo"]);
    expect(played.notes()).not.toContain("called");
    for (const rule of ["mcp__tiny", "mcp__tiny__echo"]) {
      await using allowed = await play("well", {
        options: { permissionMode: "default", permissions: { allow: [rule] } },
      });
      await allowed.agent.sendMessage("go");
      expect(allowed.result()).toEqual(["hello"]);
    }
  });

  it.each<[string, object, string, string[]]>([
    ["deny", { permissionDecision: "deny", permissionDecisionReason: "not this one" }, "", ["not this one"]],
    // Nobody can be asked here, so an ask is a no.
    ["ask", { permissionDecision: "ask" }, "", [expect.any(String) as string]],
    ["rewrite", { updatedInput: { text: "changed" } }, 'called {"text":"changed"}\n', ["changed"]],
  ])("meets one PreToolUse per call; its %s holds (G1, G12, T21)", async (_what, output, called, result) => {
    const seen: unknown[] = [];
    await using played = await play("well", {
      options: {
        hooks: {
          PreToolUse: [
            {
              matcher: "mcp__tiny__.*",
              hooks: [
                {
                  type: "function",
                  run: ({ tool_name, tool_input, analysis }) => {
                    seen.push([tool_name, tool_input, analysis]);
                    return seen.length > 1
                      ? undefined
                      : { hookSpecificOutput: { hookEventName: "PreToolUse", ...output } };
                  },
                },
              ],
            },
          ],
        },
      },
    });
    await played.agent.sendMessage("go");
    expect(seen[0]).toEqual(["mcp__tiny__echo", { text: "hello" }, "incomplete"]);
    expect(played.notes().split(/^(?=called)/m)[1] ?? "").toBe(called);
    expect(played.result()).toEqual(result);
  });

  it("cannot write a protected file without a question, in any mode", async () => {
    const call = { call: { name: "mcp__tiny__echo", arguments: { path: ".wave/settings.json", text: "x" } } };
    await using played = await play("well", { scenario: [call, { say: "done" }] });
    const { denials } = await played.agent.sendMessage("go");
    expect(denials.map(({ reason }) => reason).join()).toContain(".wave/settings.json");
    expect(played.notes()).not.toContain("called");
  });

  it("can change its list of tools, which the next request has", async () => {
    const prompts: Scenario = [{ say: "one" }, { say: "two" }];
    await using played = await play("more later", { scenario: prompts });
    await played.agent.sendMessage("go");
    await waitFor(
      "the second list",
      () =>
        existsSync(join(played.home, "mcp/tools.json")) &&
        readFileSync(join(played.home, "mcp/tools.json"), "utf8").includes("later"),
    );
    await played.agent.sendMessage("go");
    expect(played.sent(1)).toEqual(["mcp__tiny__echo", "mcp__tiny__later"]);
  });

  it("tells a call that was interrupted, and the turn does not wait for it", async () => {
    await using played = await play("hangs in a call");
    const turn = played.agent.sendMessage("go");
    await waitFor("the call", () => played.notes().includes("called"));
    played.agent.abort();
    expect((await turn).because).toBe("aborted");
    await waitFor("the word to the server", () => played.notes().includes("cancelled"));
  });
});

describe("an MCP server that misbehaves costs its own tools and nothing else", () => {
  it.each<[way: string, result: RegExp, notice: RegExp, server?: object]>([
    ["noise", /^hello$/, /prints other text on stdout: "Welcome to this server!"/],
    ["fails", /^no such page$/, /^/],
    ["huge result", /^y{15000}\n\[… [\d,]+ characters cut …\]\ny{15000}$/, /^/],
    ["odd names", /^hello$/, /^/],
    ["huge schema", /^hello$/, /left out: mcp__tiny__huge: its schema has \d+ characters/],
    ["dies in a call", /mcp__tiny__echo failed: /, /exit code 4; Wave starts it again in 1 s/],
    [
      "dies at once",
      /There is no tool named mcp__tiny__echo/,
      /exit code 3 \(no database\); Wave starts it again/,
    ],
    ["lies", /There is no tool named mcp__tiny__echo/, /MCP server tiny: .*Wave starts it again/],
    ["flood", /There is no tool named/, /it printed a line of more than 16 MB/],
    ["flood of messages", /There is no tool named/, /it printed more than 64 MB that nobody asked for/],
    ["hangs in a call", /timed out/i, /^/, { timeout: 0.3 }],
    ["nowhere", /There is no tool named/, /not started: /, { command: "/no/such/program" }],
    [
      "no variable",
      /There is no tool named/,
      /the variable NO_SUCH_VARIABLE.* is not set/,
      { args: ["${NO_SUCH_VARIABLE}"] },
    ],
  ])("%s", async (way, result, notice, server = {}) => {
    await using played = await play(way, { server });
    const { because } = await played.agent.sendMessage("go");
    expect(because).toBe("done");
    expect(played.result().join()).toMatch(result);
    expect(played.notices()).toMatch(notice);
    await played.agent.destroy();
    const pid = played.pid();
    if (!Number.isNaN(pid)) expect(isAlive(pid)).toBe(false);
  });

  it("thousands of tools: some are sent, and it says how many are not", async () => {
    await using played = await play("thousands", { scenario: [{ say: "done" }] });
    await played.agent.sendMessage("go");
    expect(played.sent(0)).toHaveLength(128);
    expect(played.notices()).toContain("9872 of 10000 tools: Wave takes 128 of one server");
  });

  it("names of tools are plain, short and different", async () => {
    await using played = await play("odd names", { scenario: [{ say: "done" }] });
    await played.agent.sendMessage("go");
    expect(played.sent(0)).toEqual([
      "mcp__tiny____2Jevil_name",
      expect.stringMatching(/^mcp__tiny__x{44}_[0-9a-f]{8}$/),
      "mcp__tiny__echo",
    ]);
  });

  it.each(["hangs at the start", "hangs at the list"])(
    "one that %s: the first prompt waits for a bound, and says so",
    async (way) => {
      using folder = tempFolder();
      const said: string[] = [];
      const config = { command: process.execPath, args: [SERVER, way, folder.path] };
      const source = new McpSource([{ name: "tiny", config }], folder.path, 100);
      const session = { projectDir: folder.path, env: {} };
      await source.open({ session, say: (_level, text) => void said.push(text) });
      expect(said).toEqual(["MCP: still starting: tiny; their tools come when they are ready"]);
      await source.close();
      expect(source.list()).toEqual([]);
    },
  );

  it("a description that is not what it was is said", async () => {
    await using first = await play("well", { scenario: [{ say: "done" }] });
    await first.agent.sendMessage("go");
    const seen = readFileSync(join(first.home, "mcp/tools.json"), "utf8");
    await using second = await play("changes", { scenario: [{ say: "done" }] });
    mkdirSync(join(second.home, "mcp"), { recursive: true });
    writeFileSync(join(second.home, "mcp/tools.json"), seen);
    await second.agent.sendMessage("go");
    expect(second.notices()).toContain("the description or input of mcp__tiny__echo is not what it was");
  });
});

describe("an MCP server over HTTP", () => {
  it("gives its tools to the model and gets its headers; the key of the model is not among them", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers["x-token"]?.toString(), JSON.stringify(request.headers));
      if (request.method !== "POST") return void response.writeHead(405).end();
      let body = "";
      request.on("data", (piece: Buffer) => (body += piece.toString()));
      request.on("end", () => {
        const { id, method, params } = JSON.parse(body) as {
          id?: number;
          method: string;
          params?: { protocolVersion?: string; arguments?: { text: string } };
        };
        if (id === undefined) return void response.writeHead(202).end();
        const results: Record<string, object> = {
          initialize: {
            protocolVersion: params?.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: "web", version: "1" },
          },
          "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
          "tools/call": { content: [{ type: "text", text: params?.arguments?.text }] },
        };
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const web = {
      type: "http" as const,
      url: `http://127.0.0.1:${port}/mcp`,
      headers: { "X-Token": "${TOKEN}" },
    };
    await using played = await play("well", {
      scenario: [{ call: { name: "mcp__web__echo", arguments: { text: "over HTTP" } } }, { say: "done" }],
      options: {
        mcpServers: { web },
        env: { ...process.env, WAVE_API_KEY: "secret-model-key", TOKEN: "abc" },
      },
    });
    await played.agent.sendMessage("go");
    expect(played.result()).toEqual(["over HTTP"]);
    expect(played.agent.toolSources.find(({ name }) => name === "mcp__web")).toEqual({
      name: "mcp__web",
      state: "ready",
      tools: [{ name: "mcp__web__echo", description: "" }],
    });
    expect(seen).toContain("abc");
    expect(seen.join()).not.toContain("secret-model-key");
    server.close();
    server.closeAllConnections();
  });
});

describe("an MCP server over HTTP that was started anew", () => {
  it("is connected to again, which is said, and its next call runs", async () => {
    let begun = 0;
    const server = createServer((request, response) => {
      if (request.method !== "POST") return void response.writeHead(405).end();
      let body = "";
      request.on("data", (piece: Buffer) => (body += piece.toString()));
      request.on("end", () => {
        const { id, method, params } = JSON.parse(body) as {
          id?: number;
          method: string;
          params?: { protocolVersion?: string };
        };
        if (id === undefined) return void response.writeHead(202).end();
        if (method === "initialize") begun++;
        // It knows only those who came after it was started anew.
        if (method === "tools/call" && begun === 1) return void response.writeHead(404).end();
        const results: Record<string, object> = {
          initialize: {
            protocolVersion: params?.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: "web", version: "1" },
          },
          "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
          "tools/call": { content: [{ type: "text", text: "again" }] },
        };
        response.writeHead(200, { "content-type": "application/json", "mcp-session-id": `s${begun}` });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const call = { call: { name: "mcp__web__echo", arguments: {} } };
    await using played = await play("well", {
      scenario: [call, { say: "one" }, call, { say: "two" }],
      options: { mcpServers: { web: { type: "http", url: `http://127.0.0.1:${port}/mcp` } } },
    });
    await played.agent.sendMessage("go");
    expect(played.notices()).toMatch(/MCP server web: it does not answer any more .*starts it again in 1 s/);
    await waitFor("the second connection", () =>
      played.agent.toolSources.some(
        ({ name, state }) => name === "mcp__web" && state === "ready" && begun > 1,
      ),
    );
    await played.agent.sendMessage("go");
    expect(played.result().at(-1)).toBe("again");
    server.close();
    server.closeAllConnections();
  });
});

describe("trying servers without a session", () => {
  it("says of each what became of it, and leaves none running", async () => {
    using folder = tempFolder();
    const named = (name: string, way: string) => ({
      name,
      config: { command: process.execPath, args: [SERVER, way, folder.path] },
    });
    const place = { projectDir: folder.path, home: folder.path, env: process.env, providers: {} };
    const tested = await testMcpServers([named("good", "well"), named("bad", "dies at once")], place);
    expect(tested).toMatchObject([
      { name: "mcp__good", state: "ready", tools: [{ name: "mcp__good__echo" }] },
      { name: "mcp__bad", state: "failed", why: "exit code 3 (no database)", tools: [] },
    ]);
    const notes = readFileSync(join(folder.path, "notes"), "utf8");
    const pids = [...notes.matchAll(/started (\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  it("keeps the models' keys from them, also those that settings name (G18)", async () => {
    using folder = tempFolder();
    const seen = join(folder.path, "seen");
    const config = { command: "sh", args: ["-c", `env > '${seen}'`] };
    const env = {
      PATH: process.env["PATH"],
      ANTHROPIC_API_KEY: "key-of-anthropic-0001",
      MINE: "key-of-mine-0000002",
    };
    const providers = { mine: { keyVariable: "MINE" } };
    await testMcpServers([{ name: "curious", config }], {
      projectDir: folder.path,
      home: folder.path,
      env,
      providers,
    });
    expect(readFileSync(seen, "utf8")).toContain("PATH=");
    expect(readFileSync(seen, "utf8")).not.toMatch(/key-of-/);
  });
});

describe("a server that a program or a command line names", () => {
  it("starts without a yes, and takes the place of one of the same name", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "servers.json");
    const server = (way: string) => ({ command: process.execPath, args: [SERVER, way] });
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: { other: server("well"), tiny: server("dies at once") } }),
    );
    await using played = await play("dies at once", {
      scenario: [{ say: "done" }],
      options: { mcpFile: file, mcpServers: { tiny: server("well") } },
    });
    await played.agent.sendMessage("go");
    expect(played.sent(0)).toEqual(["mcp__other__echo", "mcp__tiny__echo"]);
  });

  it.each<[object, string]>([
    [{ "a b": { command: "x" } }, "mcpServers"],
    [{ a__b: { command: "x" } }, "mcpServers"],
    [{ a: { comand: "x" } }, "mcpServers.a"],
    [{ a: { type: "http", url: "ftp://x" } }, "mcpServers.a"],
  ])("is refused with its path where it cannot work: %j", async (mcpServers, path) => {
    const made = Agent.create({ mcpServers } as object);
    await expect(made).rejects.toMatchObject({ code: "OPTIONS", path: expect.stringContaining(path) });
  });
});

describe("servers of a project", () => {
  const PROJECT_FILES = [".mcp.json", ".wave/mcp.json", ".wave/settings.json"];

  it.each(PROJECT_FILES)("in %s start only after a yes", async (file) => {
    using folder = tempFolder();
    const workdir = join(folder.path, "project");
    mkdirSync(join(workdir, ".wave"), { recursive: true });
    const tiny = { command: process.execPath, args: [SERVER, "well", folder.path] };
    writeFileSync(join(workdir, file), JSON.stringify({ mcpServers: { tiny } }));
    await using model = await startScriptedModel([{ say: "one" }, { say: "two" }]);
    const start = async (trust: "store" | "given") => {
      const agent = await Agent.create({
        workdir,
        waveHome: join(folder.path, "home"),
        managedSettingsFile: join(folder.path, "managed.json"),
        baseUrl: model.baseUrl,
        apiKey: "key",
        model: "scripted",
        trust,
        onEvent: () => {},
      });
      await agent.sendMessage("go");
      const review = agent.reviewSettings("everything");
      await agent.destroy();
      return JSON.stringify(review ?? {});
    };
    expect(mayNeedReview(workdir)).toBe(true);
    expect(await start("store")).toContain(SERVER);
    expect(existsSync(join(folder.path, "notes"))).toBe(false);
    await start("given");
    expect(readFileSync(join(folder.path, "notes"), "utf8")).toContain("started");
  });
});
