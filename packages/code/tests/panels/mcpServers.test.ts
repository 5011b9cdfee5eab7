import { expect, it } from "vitest";
import { serverLines } from "../../src/panels/mcpServers.ts";

it("/mcp lists every server with its state and its tools, and nothing of Wave's own", () => {
  expect(
    serverLines([
      { name: "built-in", state: "ready", tools: [{ name: "Bash", description: "Runs a command" }] },
      {
        name: "mcp__notes",
        state: "ready",
        tools: [{ name: "mcp__notes__search", description: "Finds notes.\nIn all folders." }],
        prompts: [{ name: "mcp__notes__week", description: "Sums up a week." }],
        resources: [{ name: "notes:note://1", description: "The first." }],
      },
      { name: "mcp__mail", state: "failed", why: "exit code 3", tools: [] },
    ]),
  ).toEqual([
    "notes: ready, 1 tool",
    "  mcp__notes__search  Finds notes.",
    "  /mcp__notes__week  Sums up a week.",
    "  @notes:note://1  The first.",
    "mail: failed: exit code 3",
  ]);
});

it("/mcp says how to name a server where there is none", () => {
  expect(serverLines([])).toEqual([
    "no MCP servers; name one under mcpServers in ~/.wave/settings.json (docs/guide/mcp.md)",
  ]);
});
