import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import type { PendingPermission, PermissionAnswer } from "@/permissions/request.ts";
import { fieldsOf, readField, type FormField } from "@/tools/mcp/form.ts";
import { echo, play, SERVER } from "./play.ts";

const FORM = {
  mode: "form",
  message: "Where does it go?",
  requestedSchema: {
    type: "object",
    properties: {
      folder: { type: "string", title: "Folder" },
      count: { type: "integer", default: 3 },
      when: { type: "string", enum: ["now", "later"] },
      sure: { type: "boolean" },
    },
    required: ["folder", "when"],
  },
};

/** A session in which the server asks this in the course of a call. */
async function asked(question: object, options: AgentOptions) {
  const played = await play("asks", {
    scenario: [echo(JSON.stringify(question)), { say: "done" }],
    options,
  });
  await played.agent.sendMessage("go");
  return { ...played, answer: () => JSON.parse(played.result()[0] ?? "null") as unknown };
}

/** A person who answers by what the field is called. */
const answering = (values: Record<string, PermissionAnswer>, seen: PendingPermission[] = []) => ({
  onPermissionRequest: (request: PendingPermission): PermissionAnswer => {
    seen.push(request);
    return values[request.wants?.label ?? ""] ?? { decision: "allow" };
  },
});

describe("a question of an MCP server", () => {
  it("is a form that a person fills in, field by field", async () => {
    const seen: PendingPermission[] = [];
    await using played = await asked(
      FORM,
      answering(
        {
          Folder: { decision: "allow", value: " docs " },
          when: { decision: "allow", value: "LATER" },
          sure: { decision: "allow", value: "yes" },
        },
        seen,
      ),
    );
    expect(played.answer()).toEqual({
      action: "accept",
      content: { folder: "docs", count: 3, when: "later", sure: true },
    });
    expect(
      seen.map(({ toolName, askedBy, wants }) => [toolName, askedBy, wants?.label, wants?.place]),
    ).toEqual([
      ["mcp__tiny", ["MCP server tiny"], "Folder", "1 of 4"],
      ["mcp__tiny", ["MCP server tiny"], "count", "2 of 4"],
      ["mcp__tiny", ["MCP server tiny"], "when", "3 of 4"],
      ["mcp__tiny", ["MCP server tiny"], "sure", "4 of 4"],
    ]);
    expect(seen[0]?.input).toEqual({ question: "Where does it go?", field: "Folder (1 of 4)" });
  });

  it("is asked again with the reason where an answer does not fit, and then declined", async () => {
    const seen: PendingPermission[] = [];
    await using played = await asked(FORM, answering({ Folder: { decision: "allow", value: " " } }, seen));
    expect(played.answer()).toEqual({ action: "decline" });
    expect(seen).toHaveLength(4);
    expect(seen[1]?.reason).toContain("Folder: it has to be filled in");
    expect(played.notices()).toContain('MCP server tiny asked "Where does it go?", and Wave declined');
  });

  it("can be declined", async () => {
    await using played = await asked(FORM, answering({ Folder: { decision: "deny" } }));
    expect(played.answer()).toEqual({ action: "decline" });
  });

  it("about a page shows the address, and opens nothing", async () => {
    const seen: PendingPermission[] = [];
    const url = "https://example.com/pay";
    const question = { mode: "url", message: "Pay here", url, elicitationId: "e1" };
    await using played = await asked(question, answering({}, seen));
    expect(seen.map(({ input }) => input)).toEqual([{ question: "Pay here", url }]);
    expect(played.answer()).toEqual({ action: "accept" });
  });

  it("is declined with a visible word where nobody can be asked (PD-3)", async () => {
    await using played = await asked(FORM, {});
    expect(played.answer()).toEqual({ action: "decline" });
    expect(played.notices()).toContain("and Wave declined: nobody can be asked here");
  });

  it("ends with an interrupt, and the turn does not wait for an answer", async () => {
    const played = await play("asks", {
      scenario: [echo(JSON.stringify(FORM)), { say: "done" }],
      options: {
        onPermissionRequest: () => {
          played.agent.abort();
          return new Promise(() => {});
        },
      },
    });
    const { because } = await played.agent.sendMessage("go");
    expect(because).toBe("aborted");
    expect(played.agent.pendingPermissions).toEqual([]);
    await played[Symbol.asyncDispose]();
  });

  it.each<[event: "Elicitation" | "ElicitationResult", output: object, answer: object, asks: number]>([
    [
      "Elicitation",
      { action: "accept", content: { folder: "x" } },
      { action: "accept", content: { folder: "x" } },
      0,
    ],
    ["Elicitation", { action: "decline" }, { action: "decline" }, 0],
    ["ElicitationResult", { action: "decline" }, { action: "decline" }, 4],
    [
      "ElicitationResult",
      { action: "accept", content: { folder: "y" } },
      { action: "accept", content: { folder: "y" } },
      4,
    ],
  ])("is answered by %s hooks: %j", async (event, output, answer, asks) => {
    const seen: PendingPermission[] = [];
    const told: unknown[] = [];
    await using played = await asked(FORM, {
      ...answering(
        { Folder: { decision: "allow", value: "docs" }, when: { decision: "allow", value: "now" } },
        seen,
      ),
      hooks: {
        [event]: [
          {
            matcher: "tiny",
            hooks: [
              {
                type: "function",
                run: (input: Record<string, unknown>) => {
                  told.push([input["mcp_server_name"], input["message"], input["mode"]]);
                  return { hookSpecificOutput: { hookEventName: event, ...output } };
                },
              },
            ],
          },
        ],
      },
    });
    expect(played.answer()).toEqual(answer);
    expect(seen).toHaveLength(asks);
    expect(told).toEqual([["tiny", "Where does it go?", "form"]]);
  });

  it("never mixes with that of another server at the same time", async () => {
    const question = (name: string) => ({
      message: `I am ${name}`,
      requestedSchema: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
    });
    const open: PendingPermission[] = [];
    const calls = ["tiny", "other"].map((name) => ({
      name: `mcp__${name}__echo`,
      arguments: { text: JSON.stringify(question(name)) },
    }));
    const played = await play("asks", {
      scenario: [{ calls }, { say: "done" }] as never,
      options: {
        mcpServers: { other: { command: process.execPath, args: [SERVER, "asks"] } },
        onPermissionRequest: (request) => {
          open.push(request);
          return { decision: "allow", value: `for ${request.askedBy[0]}` };
        },
      },
    });
    await played.agent.sendMessage("go");
    expect(played.result().map((one) => JSON.parse(one ?? "") as unknown)).toEqual([
      { action: "accept", content: { who: "for MCP server tiny" } },
      { action: "accept", content: { who: "for MCP server other" } },
    ]);
    expect(open.map(({ input }) => input["question"])).toEqual(["I am tiny", "I am other"]);
    await played[Symbol.asyncDispose]();
  });
});

describe("the fields of a form", () => {
  const one = (given: object, required = false): FormField => {
    const fields = fieldsOf({ properties: { f: given }, required: required ? ["f"] : [] });
    if ("problem" in fields || !fields[0]) throw new Error("no field");
    return fields[0];
  };
  it.each<[given: object, typed: string, read: object]>([
    [{ type: "string" }, " a b ", { value: "a b" }],
    [{ type: "string" }, "", { value: undefined }],
    [{ type: "number" }, "2.5", { value: 2.5 }],
    [{ type: "number" }, "much", { problem: "it has to be a number" }],
    [{ type: "integer" }, "2.5", { problem: "it has to be a whole number" }],
    [{ type: "boolean" }, "No", { value: false }],
    [{ type: "boolean" }, "maybe", { problem: "it has to be yes or no" }],
    [{ type: "string", oneOf: [{ const: "a", title: "A" }, { const: "b" }] }, "B", { value: "b" }],
    [{ type: "string", enum: ["a", "A"] }, "A", { value: "A" }],
    [{ type: "array", items: { enum: ["a", "b"] } }, "B, a", { value: ["b", "a"] }],
    [{ type: "array", items: { anyOf: [{ const: "a" }] } }, "a", { value: ["a"] }],
    [
      { type: "array", items: { type: "string", enum: ["a", "b"] } },
      "a, c",
      { problem: "they have to be some of a, b, with commas between them" },
    ],
    [{ type: "string", enum: ["a"] }, "c", { problem: "it has to be one of a" }],
  ])("%j takes %j as %j", (given, typed, read) => {
    expect(readField(one(given), typed)).toEqual(read);
  });

  it("of a kind that nobody can fill in are a problem, and so are too many", () => {
    expect(fieldsOf({ properties: { f: { type: "object" } } })).toEqual({
      problem: "the field f of the form is of a kind that Wave does not know",
    });
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, { type: "string" }]));
    expect(fieldsOf({ properties: many })).toEqual({ problem: "the form has 21 fields" });
  });
});
