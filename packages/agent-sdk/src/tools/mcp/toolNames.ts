import { sha256 } from "../../utils/sha256.ts";

/** Model servers take no longer ones. */
const LONGEST = 64;

/** What the model, rules and hooks call a tool of a server. What is no letter, digit, _ or - becomes _. */
export function mcpToolName(server: string, tool: string): string {
  const plain = `mcp__${server}__${tool.replaceAll(/[^\w-]/g, "_")}`;
  if (plain.length <= LONGEST) return plain;
  return `${plain.slice(0, LONGEST - 9)}_${sha256(tool).slice(0, 8)}`;
}

/** What reads the resources of a server. A tool of the server's own cannot have this name. */
export const resourceToolName = (server: string) => mcpToolName(server, "ReadMcpResource");
