import { describe, expect, it } from "vitest";
import { namedResources } from "@/conversation/namedResources.ts";
import { argumentsOf } from "@/tools/mcp/prompts.ts";
import type { SourceStatus } from "@/tools/sources/toolSource.ts";
import { blocksOf } from "../../support/playSession.ts";
import { waitFor } from "../../support/waitFor.ts";
import { play } from "./play.ts";

const SAY = { scenario: [{ say: "done" }] };

describe("a prompt of an MCP server", () => {
  it("is a command beside those in files, and its arguments go to the server", async () => {
    await using played = await play("offers", SAY);
    const { commands } = played.agent;
    expect(await commands.expand("mcp__tiny__review", 'a.ts "as if" tired')).toEqual({
      expanded: true,
      prompt: '/mcp__tiny__review a.ts "as if" tired\n\nReview a.ts, as if tired.',
    });
    expect(commands.list).toContainEqual({
      name: "mcp__tiny__review",
      description: "Reviews a file.",
      argumentHint: "<file> [how]",
      scope: "mcp",
    });
  });

  it.each<[string, string, RegExp]>([
    ["mcp__tiny__review", "", /file is missing: \/mcp__tiny__review <file> \[how\]/],
    ["mcp__tiny__nothing", "", /There is no command \/mcp__tiny__nothing\./],
  ])("%s %s cannot be used, and says why", async (name, typed, problem) => {
    await using played = await play("offers", SAY);
    const said = await played.agent.commands.expand(name, typed);
    expect(said.expanded ? "" : said.problem).toMatch(problem);
  });

  it("that never comes ends with an interrupt", async () => {
    await using played = await play("offers", SAY);
    const waiting = played.agent.commands.expand("mcp__tiny__hangs");
    await waitFor("the request", () => played.notes().includes("hangs"));
    played.agent.abort();
    expect(await waiting).toMatchObject({ expanded: false });
  });

  it("that is new is there after the server has said so", async () => {
    await using played = await play("offers", SAY);
    await played.agent.sendMessage("look at @tiny:note://changes");
    const names = () => played.agent.commands.list.map(({ name }) => name);
    await waitFor("the new list", () => names().length > 2);
    expect(names()).toEqual(["mcp__tiny__review", "mcp__tiny__hangs", "mcp__tiny__later"]);
  });

  it.each<[names: string[], typed: string, values: object]>([
    [[], "word", {}],
    [["a"], "one two", { a: "one two" }],
    [["a", "b"], "one", { a: "one" }],
    [["a", "b"], '"one two" three four', { a: "one two", b: "three four" }],
  ])("takes words in order %j %s", (names, typed, values) => {
    expect(argumentsOf(names, typed)).toEqual(values);
  });
});

describe("@server:uri in a prompt", () => {
  it("is read through the gate, and the model gets it behind the prompt", async () => {
    const seen: string[] = [];
    await using played = await play("offers", {
      ...SAY,
      options: {
        permissionMode: "default",
        hooks: {
          PreToolUse: [
            {
              matcher: "mcp__tiny__.*",
              hooks: [{ type: "function", run: ({ tool_name }) => void seen.push(tool_name) }],
            },
          ],
        },
      },
    });
    await played.agent.sendMessage("what does @tiny:note://1, say?");
    expect(seen).toEqual(["mcp__tiny__ReadMcpResource"]);
    expect(played.notes()).toContain("read note://1\n");
    const request = played.model.requests[0]?.text ?? "";
    expect(request).toContain("buy milk </ wave-attached> now");
    expect(request.indexOf("what does @tiny")).toBeLessThan(request.indexOf("buy milk"));
    expect(blocksOf(played.agent.messages, "tool")).toMatchObject([
      { name: "mcp__tiny__ReadMcpResource", success: true },
    ]);
  });

  it("is bounded like the output of any tool", async () => {
    await using played = await play("offers", SAY);
    await played.agent.sendMessage("@tiny:note://huge");
    expect(played.result()[0]).toMatch(/^y{15000}\n\[… 1970000 characters cut …\]\ny{15000}$/);
  });

  it("is not read where a rule denies the server, and the model gets nothing of it (G1)", async () => {
    await using played = await play("offers", {
      ...SAY,
      options: { permissions: { deny: ["mcp__tiny"] } },
    });
    await played.agent.sendMessage("@tiny:note://1");
    expect(played.notes()).not.toContain("read");
    expect(played.result().join()).toContain("mcp__tiny");
    expect(played.model.requests[0]?.text).not.toContain("wave-attached");
  });

  it("that is not there is told to the model, and the turn goes on", async () => {
    await using played = await play("offers", SAY);
    const { because } = await played.agent.sendMessage("@tiny:note://none");
    expect(because).toBe("done");
    expect(played.result().join()).toContain("no such note");
  });

  const tiny: SourceStatus = {
    name: "mcp__tiny",
    state: "ready",
    tools: [],
    resources: [{ name: "tiny:note://1?", description: "" }],
  };
  const tool = "mcp__tiny__ReadMcpResource";
  const has = new Map([[tool, {} as never]]);
  it.each<[prompt: string, named: unknown[]]>([
    ["mail me@tiny:note or @other:x", []],
    ["see @tiny:note://1?", [{ tool, uri: "note://1?" }]],
    ["see (@tiny:a) @tiny:b.", [{ tool, uri: "b" }]],
    ["@tiny:a @tiny:a", [{ tool, uri: "a" }]],
    [
      "/review @tiny:a\n\nsecretly @tiny:b",
      [{ tool, uri: "a" }, { problem: expect.stringContaining("command") }],
    ],
    [
      Array.from({ length: 12 }, (_, at) => `@tiny:${at}`).join(" "),
      expect.arrayContaining([{ problem: "2 of 12 resources are not read: at most 10" }]) as never,
    ],
  ])("%j", (prompt, named) => {
    expect(namedResources(prompt, [tiny], has)).toEqual(named);
  });
});
