import { describe, expect, it } from "vitest";
import { play } from "./play.ts";

interface Message {
  id?: number;
  method: string;
  params: { protocolVersion?: string; arguments?: { text: string } };
}

interface Pipe {
  onmessage?: (message: Message) => void;
  start(): Promise<void>;
  send(message: object): Promise<void>;
}

/** A server that lives in the program: it notes what it is called with. */
function ownServer(called: string[]) {
  const results: Record<string, (params: Message["params"]) => object> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "own", version: "1" },
    }),
    "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object" } }] }),
    "tools/call": (params) => {
      called.push(params.arguments?.text ?? "");
      return { content: [{ type: "text", text: `own ${params.arguments?.text}` }] };
    },
  };
  return {
    async connect(pipe: Pipe) {
      pipe.onmessage = ({ id, method, params }) => {
        if (id !== undefined) void pipe.send({ jsonrpc: "2.0", id, result: results[method]?.(params) ?? {} });
      };
      await pipe.start();
    },
  };
}

const scenario = [{ call: { name: "mcp__own__echo", arguments: { text: "hello" } } }, { say: "done" }];

describe("an MCP server in the program", () => {
  it("gives its tools to the model, over no process and no network", async () => {
    const called: string[] = [];
    await using played = await play("well", {
      scenario,
      options: { mcpServers: { own: { instance: ownServer(called) } } },
    });
    await played.agent.sendMessage("go");
    expect(called).toEqual(["hello"]);
    expect(played.result()).toEqual(["own hello"]);
  });

  it.each<[string, object, called: string[], asked: number]>([
    ["deny", { permissionDecision: "deny", permissionDecisionReason: "not this one" }, [], 1],
    ["ask", { permissionDecision: "ask" }, [], 1],
    // What it made of the input is judged once more.
    ["rewrite", { updatedInput: { text: "changed" } }, ["changed"], 2],
  ])(
    "meets PreToolUse hooks before each call; their %s holds (G1, G12)",
    async (_what, output, expected, times) => {
      const called: string[] = [];
      let asked = 0;
      await using played = await play("well", {
        scenario,
        options: {
          mcpServers: { own: { instance: ownServer(called) } },
          hooks: {
            PreToolUse: [
              {
                matcher: "mcp__own__echo",
                hooks: [
                  {
                    type: "function",
                    run: () => {
                      asked++;
                      return { hookSpecificOutput: { hookEventName: "PreToolUse", ...output } };
                    },
                  },
                ],
              },
            ],
          },
        },
      });
      await played.agent.sendMessage("go");
      expect({ asked, called }).toEqual({ asked: times, called: expected });
    },
  );

  it("is asked about in default mode like any", async () => {
    const called: string[] = [];
    await using played = await play("well", {
      scenario,
      options: { permissionMode: "default", mcpServers: { own: { instance: ownServer(called) } } },
    });
    const { denials } = await played.agent.sendMessage("go");
    expect(denials.map(({ toolName }) => toolName)).toEqual(["mcp__own__echo"]);
    expect(called).toEqual([]);
  });

  it.each([
    [{ own: { instance: {} } }, "mcpServers.own.instance"],
    [{ own: { instance: ownServer([]), comand: "x" } }, "mcpServers.own"],
  ])("is refused with its path where it cannot be one: %#", async (mcpServers, path) => {
    await expect(play("well", { options: { mcpServers } as object })).rejects.toMatchObject({
      code: "OPTIONS",
      problems: [{ path: expect.stringContaining(path) as string }],
    });
  });
});
