import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { HooksOption } from "@/agentOptions.ts";
import { Agent } from "@/agent.ts";
import { OptionsError } from "@/errors.ts";
import { tool } from "@/options/tool.ts";
import type { StandardSchema, ToolTouches } from "@/ownTool.ts";
import type { PermissionMode } from "@/permissions/modes.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

/** A tool that notes what it ran with, and a session in which the model calls it once. */
function lookUp(touches?: ToolTouches | ((input: { id: string }) => ToolTouches)) {
  const ran: unknown[] = [];
  const made = tool({
    name: "LookUpTicket",
    description: "Finds a ticket",
    input: z.object({ id: z.string().min(2) }),
    touches,
    run: (input) => {
      ran.push(input);
      return { title: `Ticket ${input.id}` };
    },
  });
  return { made, ran };
}

interface Setup {
  touches?: ToolTouches | ((input: { id: string }) => ToolTouches);
  mode?: PermissionMode;
  allow?: string[];
  deny?: string[];
  hooks?: HooksOption;
  arguments?: Record<string, unknown>;
  answer?: "allow" | "deny";
}

async function play(setup: Setup) {
  using folder = tempFolder();
  const { made, ran } = lookUp(setup.touches);
  const asked: unknown[] = [];
  const { answer } = setup;
  const played = await playSession(folder.path, {
    scenario: [
      { call: { name: "LookUpTicket", arguments: setup.arguments ?? { id: "T-1" } } },
      { say: "done" },
    ],
    options: {
      tools: { add: [made] },
      permissionMode: setup.mode ?? "default",
      permissions: { allow: setup.allow, deny: setup.deny },
      hooks: setup.hooks,
      ...(answer && {
        onPermissionRequest: (request) => {
          asked.push(request.input);
          return { decision: answer };
        },
      }),
    },
  });
  const [block] = blocksOf(played.messages, "tool");
  return { ...played, ran, asked, result: block?.result ?? "" };
}

const hook = (output: object): HooksOption => ({
  PreToolUse: [
    {
      matcher: "LookUpTicket",
      hooks: [
        {
          type: "function",
          run: () => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...output } }),
        },
      ],
    },
  ],
});

describe("a tool of one's own", () => {
  it("is described to the model, runs with what its schema makes of the input, and answers as JSON", async () => {
    const { ran, result, requests } = await play({ touches: {} });
    expect(ran).toEqual([{ id: "T-1" }]);
    expect(result).toBe('{"title":"Ticket T-1"}');
    const body = JSON.parse(requests[0]?.text ?? "{}") as { tools: { function: { name: string } }[] };
    expect(body.tools.at(-1)).toMatchObject({
      type: "function",
      function: {
        name: "LookUpTicket",
        description: "Finds a ticket",
        parameters: {
          type: "object",
          properties: { id: { type: "string", minLength: 2 } },
          required: ["id"],
        },
      },
    });
  });

  it.each<[string, Setup, number]>([
    ["that says nothing about what it touches is denied where nobody can be asked", {}, 0],
    ["runs after a person's yes", { answer: "allow" }, 1],
    ["does not run after a person's no", { answer: "deny" }, 0],
    ["runs by a rule with its name", { allow: ["LookUpTicket"] }, 1],
    ["does not run against a rule with its name", { mode: "bypassPermissions", deny: ["LookUpTicket"] }, 0],
    ["that touches nothing runs in every mode", { mode: "plan", touches: {} }, 1],
    ["that reads in the project runs in default mode", { touches: { reads: ["./a.txt"] } }, 1],
    ["that reads elsewhere is asked about", { touches: { reads: ["/elsewhere/a"] } }, 0],
    [
      "that writes in the project runs in acceptEdits",
      { mode: "acceptEdits", touches: { writes: ["b"] } },
      1,
    ],
    [
      "that writes never runs in plan mode",
      { mode: "plan", allow: ["LookUpTicket"], touches: { writes: ["b"] } },
      0,
    ],
    [
      "that reaches other machines is asked about",
      { mode: "acceptEdits", touches: { network: ["x.example"] } },
      0,
    ],
    [
      "that reads and writes is held by a rule about what it reads",
      { mode: "bypassPermissions", touches: { reads: ["s/k"], writes: ["b"] }, deny: ["Read(./s/**)"] },
      0,
    ],
    [
      "that reads and writes may write protected files only after a yes",
      { mode: "bypassPermissions", touches: { reads: ["a"], writes: [".wave/settings.json"] } },
      0,
    ],
    [
      "whose `touches` throws may do anything",
      {
        touches: () => {
          throw new Error("broken");
        },
      },
      0,
    ],
    ["whose `touches` makes no sense may do anything", { touches: () => ({ reeds: [] }) as ToolTouches }, 0],
  ])("%s", async (_what, setup, runs) => {
    expect((await play(setup)).ran).toHaveLength(runs);
  });

  it("is stopped by a hook that denies, which the record names (G1, T13)", async () => {
    const { ran, result, file } = await play({
      mode: "bypassPermissions",
      hooks: hook({ permissionDecision: "deny", permissionDecisionReason: "no tickets" }),
    });
    expect(ran).toEqual([]);
    expect(result).toBe("no tickets");
    expect(file).toContain('"toolName":"LookUpTicket"');
  });

  it("is asked about when a hook asks, with exactly what would run", async () => {
    const { ran, asked } = await play({
      mode: "bypassPermissions",
      hooks: hook({ permissionDecision: "ask" }),
      answer: "deny",
    });
    expect([asked, ran]).toEqual([[{ id: "T-1" }], []]);
  });

  it("runs with what a hook wrote in the place of its input", async () => {
    const { ran } = await play({ touches: {}, hooks: hook({ updatedInput: { id: "T-2" } }) });
    expect(ran).toEqual([{ id: "T-2" }]);
  });

  it("does not run with an input that does not fit, and the model reads why", async () => {
    const { ran, result } = await play({ touches: {}, arguments: { id: "T" } });
    expect(ran).toEqual([]);
    expect(result).toMatch(/^The input does not fit LookUpTicket: id /);
  });
});

describe("a session with a tool that misbehaves", () => {
  const playWith = async (run: () => unknown) => {
    using folder = tempFolder();
    const made = tool({ name: "Odd", description: "x", input: z.object({}), touches: {}, run });
    const played = await playSession(folder.path, {
      scenario: [{ call: { name: "Odd", arguments: {} } }, { say: "done" }],
      options: { tools: { add: [made] } },
    });
    const [block] = blocksOf(played.messages, "tool");
    return { end: played.end.because, success: block?.success, result: block?.result ?? "" };
  };

  it("tells the model what the tool threw, and goes on", async () => {
    const run = () => {
      throw new Error("no such database");
    };
    expect(await playWith(run)).toEqual({
      end: "done",
      success: false,
      result: "Odd failed: no such database",
    });
  });

  it("bounds what the tool gives back, and says what was cut", async () => {
    const { result } = await playWith(() => "x".repeat(1_000_000));
    expect(result.length).toBeLessThan(31_000);
    expect(result).toContain("characters cut");
  });

  it("can be interrupted while the tool never ends", async () => {
    using folder = tempFolder();
    const { promise, resolve } = Promise.withResolvers<void>();
    const made = tool({
      name: "Hang",
      description: "x",
      input: z.object({}),
      touches: {},
      run: () => {
        resolve();
        return new Promise(() => {});
      },
    });
    let agent: Agent | undefined;
    void promise.then(() => agent?.abort());
    const { startScriptedModel } = await import("@/testing/index.ts");
    await using model = await startScriptedModel([{ call: { name: "Hang", arguments: {} } }, { say: "x" }]);
    agent = await Agent.create({
      workdir: folder.path,
      waveHome: folder.path,
      baseUrl: model.baseUrl,
      apiKey: "key",
      model: "scripted",
      tools: { add: [made] },
      onEvent: () => {},
    });
    expect((await agent.sendMessage("go")).because).toBe("aborted");
    await agent.destroy();
  });
});

describe("`use`", () => {
  it("sends the named tools and no others, and a call of another one does not run", async () => {
    using folder = tempFolder();
    const { made, ran } = lookUp({});
    const { messages, requests } = await playSession(folder.path, {
      scenario: [
        {
          calls: [
            { name: "Bash", arguments: { command: "touch marker" } },
            { name: "LookUpTicket", arguments: { id: "T-1" } },
          ],
        },
        { say: "done" },
      ],
      options: { tools: { use: ["Read", made] } },
    });
    const body = JSON.parse(requests[0]?.text ?? "{}") as { tools: { function: { name: string } }[] };
    expect(body.tools.map((one) => one.function.name)).toEqual(["Read", "LookUpTicket"]);
    expect(blocksOf(messages, "tool")[0]?.result).toContain("There is no tool named Bash.");
    expect(ran).toHaveLength(1);
  });
});

describe("what cannot work is an error with its path", () => {
  const good = { name: "Mine", description: "x", input: z.object({}), run: () => "x" };
  const silent: StandardSchema = {
    "~standard": { version: 1, vendor: "plain", validate: (value) => ({ value }) },
  };

  it.each<[string, object, string, RegExp]>([
    ["a name with a blank", { ...good, name: "My tool" }, "tool.name", /letters, digits/],
    ["a name as MCP tools have", { ...good, name: "mcp__a__b" }, "tool.name", /must not begin with mcp__/],
    ["a misspelt field", { ...good, touch: {} }, "tool.touch", /is not a field of tool/],
    ["a misspelt effect", { ...good, touches: { read: [] } }, "tool.touches.read", /is not a field/],
    ["a schema that is none", { ...good, input: { id: "string" } }, "tool.input", /Standard Schema/],
    ["a schema of a list", { ...good, input: z.array(z.string()) }, "tool.input", /must describe an object/],
    [
      "a schema that cannot describe itself",
      { ...good, input: silent },
      "tool.parameters",
      /schemas of plain cannot/,
    ],
    ["no function", { ...good, run: "echo" }, "tool.run", /must be a function/],
  ])("tool() with %s", (_what, definition, path, says) => {
    const make = () => tool(definition as typeof good);
    expect(make).toThrow(OptionsError);
    expect(make).toThrow(says);
    expect(make).toThrow(expect.objectContaining({ path }));
  });

  it("a schema that cannot describe itself works with `parameters`", () => {
    const made = tool({ ...good, input: silent, parameters: { type: "object" } });
    expect(made.parameters).toEqual({ type: "object" });
  });

  it.each<[string, object, string, RegExp]>([
    ["a tool that was not made with tool()", { add: [good] }, "tools.add[0]", /made with tool\(\)/],
    [
      "a built-in name",
      { add: [tool({ ...good, name: "Bash" })] },
      "tools.add[0]",
      /another tool of the name/,
    ],
    ["one name twice", { add: [tool(good), tool(good)] }, "tools.add[0]", /another tool of the name/],
    ["a misspelt name", { use: ["Raed"] }, "tools.use[0]", /did you mean "?Read/],
    ["a misspelt field", { used: [] }, "tools.used", /is not a field of tools/],
  ])("Agent.create with %s", async (_what, tools, path, says) => {
    const made = Agent.create({ tools } as object);
    await expect(made).rejects.toThrow(says);
    await expect(made).rejects.toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ path })]),
    });
  });
});
