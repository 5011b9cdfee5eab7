import type { SourceStatus } from "wave-agent-sdk";

const STATES: Record<SourceStatus["state"], string> = {
  starting: "starting",
  ready: "ready",
  lost: "lost, is started again",
  failed: "failed",
  closed: "ended",
};

/** What /mcp says: each server with its state, and its tools with the first line of what they say of themselves. */
export function serverLines(sources: readonly SourceStatus[]): string[] {
  const servers = sources.filter(({ name }) => name.startsWith("mcp__"));
  if (servers.length === 0)
    return ["no MCP servers; name one under mcpServers in ~/.wave/settings.json (docs/guide/mcp.md)"];
  return servers.flatMap(({ name, state, why, tools, prompts = [], resources = [] }) => [
    `${name.slice("mcp__".length)}: ${STATES[state]}${why === undefined ? "" : `: ${why}`}${state === "ready" ? `, ${tools.length} ${tools.length === 1 ? "tool" : "tools"}` : ""}`,
    ...tools.map((tool) => `  ${tool.name}  ${firstLine(tool.description)}`),
    ...prompts.map((prompt) => `  /${prompt.name}  ${firstLine(prompt.description)}`),
    ...resources.map((resource) => `  @${resource.name}  ${firstLine(resource.description)}`),
  ]);
}

const firstLine = (text: string) => {
  const [line = ""] = text.split("\n");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
};
